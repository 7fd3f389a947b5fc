#ifndef STARLING_CCURL_H
#define STARLING_CCURL_H
#include <curl/curl.h>
#endif
