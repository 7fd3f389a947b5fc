// Where Lua code stands in its text.
#include <stdio.h>

#include "internal.h"

int starling_caller_line(const starling_host *host) {
  lua_State *L = starling_running(host);
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame); level++) {  // [-0, +0, -]
    lua_getinfo(L, "Sl", &frame);  // [-0, +0, m]: these letters take no memory
    if (frame.currentline > 0 && !starling_is_host_code(&frame)) return frame.currentline;
  }
  return 0;
}

bool starling_function_lines(const starling_host *host, int reference, char *source, int *first,
                             int *last) {
  lua_State *L = starling_running(host);
  if (!lua_checkstack(L, 2)) return false;
  lua_Debug function;
  starling_push_reference(L, reference);
  lua_getinfo(L, ">S", &function);  // [-1, +0, m]: this letter takes no memory
  snprintf(source, SOURCE_SIZE, "%s", starling_source_of(&function));
  *first = function.linedefined;
  *last = function.lastlinedefined;
  return function.linedefined > 0;
}
