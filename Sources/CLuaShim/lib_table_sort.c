// table.sort (Lua manual 5.4, 6.6), polling at each comparison.
//
// Quicksort as in Lua 5.4's ltablib.c, so that an honest comparator is asked in the same order and
// a bad one gets the same messages; see lib_string_match.c for that file's notice. The pivot of a
// lopsided partition is chosen without a clock.
#include "internal.h"

typedef unsigned int position;

enum { LARGE = 100 };

static void set_two(lua_State *L, position i, position j) {
  lua_seti(L, 1, i);
  lua_seti(L, 1, j);
}

static bool less(lua_State *L, int a, int b) {
  poll(L, host_of(L));
  if (lua_isnil(L, 2)) return lua_compare(L, a, b, LUA_OPLT);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a - 1);
  lua_pushvalue(L, b - 2);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

// The pivot is on top and at `up` - 1; answers where it belongs.
static position partition(lua_State *L, position low, position up) {
  position i = low, j = up - 1;
  for (;;) {
    while (lua_geti(L, 1, ++i), less(L, -1, -2)) {
      if (i == up - 1) luaL_error(L, "invalid order function for sorting");
      lua_pop(L, 1);
    }
    while (lua_geti(L, 1, --j), less(L, -3, -1)) {
      if (j < i) luaL_error(L, "invalid order function for sorting");
      lua_pop(L, 1);
    }
    if (j < i) {
      lua_pop(L, 1);
      set_two(L, up - 1, i);
      return i;
    }
    set_two(L, i, j);
  }
}

static position choose_pivot(position low, position up, unsigned int random) {
  position quarter = (up - low) / 4;
  return random % (quarter * 2) + (low + quarter);
}

// Puts the elements at `a` and `b` in order.
static void order(lua_State *L, position a, position b) {
  lua_geti(L, 1, a);
  lua_geti(L, 1, b);
  if (less(L, -1, -2)) set_two(L, a, b);
  else lua_pop(L, 2);
}

static void sort_range(lua_State *L, position low, position up, unsigned int random) {
  while (low < up) {
    order(L, low, up);
    if (up - low == 1) break;
    position middle =
        up - low > LARGE ? choose_pivot(low, up, random) : (low + up) / 2;
    lua_geti(L, 1, middle);
    lua_geti(L, 1, low);
    if (less(L, -2, -1)) {
      set_two(L, middle, low);
    } else {
      lua_pop(L, 1);
      lua_geti(L, 1, up);
      if (less(L, -1, -2)) set_two(L, middle, up);
      else lua_pop(L, 2);
    }
    if (up - low == 2) break;
    lua_geti(L, 1, middle);
    lua_pushvalue(L, -1);
    lua_geti(L, 1, up - 1);
    set_two(L, middle, up - 1);
    middle = partition(L, low, up);
    position size;
    if (middle - low < up - middle) {
      sort_range(L, low, middle - 1, random);
      size = middle - low;
      low = middle + 1;
    } else {
      sort_range(L, middle + 1, up, random);
      size = up - middle;
      up = middle - 1;
    }
    if ((up - low) / 128 > size) random = random * 1103515245u + 12345u;
  }
}

static int table_sort(lua_State *L) {
  lua_Integer size = starling_table_length(L);
  if (size > 1) {
    luaL_argcheck(L, size < INT32_MAX, 1, "array too big");
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    check_stack(L, host_of(L));
    sort_range(L, 1, (position)size, 0);
  }
  return 0;
}

void starling_add_sort(lua_State *L) {
  lua_pushcfunction(L, table_sort);
  lua_setfield(L, -2, "sort");
}
