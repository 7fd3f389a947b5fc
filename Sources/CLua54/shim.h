#ifndef STARLING_CLUA54_SHIM_H
#define STARLING_CLUA54_SHIM_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#if LUA_VERSION_NUM != 504
#error "Starling needs Lua 5.4"
#endif

#endif
