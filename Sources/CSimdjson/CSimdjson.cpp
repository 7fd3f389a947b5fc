#include "CSimdjson.h"
#include <simdjson.h>
int starling_json_version(void) { return simdjson::SIMDJSON_VERSION_MAJOR; }
