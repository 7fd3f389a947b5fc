#ifndef STARLING_CSQLITE3_SHIM_H
#define STARLING_CSQLITE3_SHIM_H

#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3037000
#error "Starling needs SQLite 3.37 or later (STRICT tables)"
#endif

#endif
