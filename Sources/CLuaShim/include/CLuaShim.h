#ifndef STARLING_CLUASHIM_H
#define STARLING_CLUASHIM_H
#include <lua.h>
#endif
