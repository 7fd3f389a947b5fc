/* The limit for JSON to Lua tables: simdjson's on-demand reader walked once, each value pushed as
   it comes. The number rule is Starling's: 64-bit integers stay integers, larger ones are text as
   written, fractions are floats; null is a sentinel.

   json FILE */
#include <lua.hpp>
#include <simdjson.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

using namespace simdjson;

static double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void push(lua_State *L, ondemand::value value);

static void push_number(lua_State *L, ondemand::value value) {
  std::string_view token = value.raw_json_token();
  while (!token.empty() && token.back() <= ' ') token.remove_suffix(1);
  if (token.find_first_of(".eE") == token.npos) {
    int64_t integer;
    if (value.get_int64().get(integer) == SUCCESS) {
      lua_pushinteger(L, integer);
    } else {
      lua_pushlstring(L, token.data(), token.size());
    }
    return;
  }
  lua_pushnumber(L, value.get_double());
}

static void push(lua_State *L, ondemand::value value) {
  switch (value.type()) {
    case ondemand::json_type::object: {
      lua_createtable(L, 0, 8);
      for (auto field : value.get_object()) {
        std::string_view key = field.unescaped_key();
        lua_pushlstring(L, key.data(), key.size());
        push(L, field.value());
        lua_rawset(L, -3);
      }
      break;
    }
    case ondemand::json_type::array: {
      lua_createtable(L, 4, 0);
      lua_Integer index = 0;
      for (auto element : value.get_array()) {
        push(L, element.value());
        lua_rawseti(L, -2, ++index);
      }
      break;
    }
    case ondemand::json_type::string: {
      std::string_view text = value.get_string();
      lua_pushlstring(L, text.data(), text.size());
      break;
    }
    case ondemand::json_type::boolean: lua_pushboolean(L, bool(value.get_bool())); break;
    case ondemand::json_type::null: lua_pushlightuserdata(L, nullptr); break;
    default: push_number(L, value);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fputs("usage: json FILE\n", stderr);
    return 2;
  }
  padded_string text = padded_string::load(argv[1]);
  lua_State *L = luaL_newstate();
  luaL_checkstack(L, 1000, nullptr);
  double before = cpu_seconds();
  ondemand::parser parser;
  ondemand::document document = parser.iterate(text);
  push(L, document.get_value());
  double seconds = cpu_seconds() - before;
  std::printf("ms %.3f\nmb_per_s %.1f\n", seconds * 1e3, double(text.size()) / 1e6 / seconds);
  lua_close(L);
}
