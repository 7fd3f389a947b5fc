// One HTTP request over libcurl, which is loaded when it is first needed.
//
// Only the types and constants of <curl/curl.h> are used here, so nothing links libcurl: linking it
// would triple the start-up time of a command that fetches nothing.
#ifndef STARLING_CCURL_H
#define STARLING_CCURL_H

#include <curl/curl.h>
#include <stddef.h>

// libcurl's functions and one handle, which keeps connections open between requests.
typedef struct starling_curl starling_curl;

typedef struct {
  const char *url;
  const char *user_agent;
  // Whole lines such as "Accept: */*".
  const char *const *headers;
  size_t header_count;
  long connect_timeout_ms;
  // For the whole request.
  long timeout_ms;
  // Given up when not a byte comes for so long.
  long stall_seconds;
  void *context;
  // Each header line as it comes, with its line end; the bytes of the body, decompressed. What is
  // not `length` ends the request with CURLE_WRITE_ERROR.
  size_t (*on_header)(void *context, const char *bytes, size_t length);
  size_t (*on_body)(void *context, const char *bytes, size_t length);
  // Asked about once a second and with each piece; nonzero ends the request with
  // CURLE_ABORTED_BY_CALLBACK.
  int (*is_cancelled)(void *context);
} starling_curl_request;

typedef struct {
  CURLcode code;
  // 0 when the server did not answer.
  long status;
  // Where a redirect leads, absolute; NULL for none. Valid until the next request.
  const char *redirect_url;
  // What libcurl says of an error; empty when it says nothing.
  char message[CURL_ERROR_SIZE];
} starling_curl_result;

// Loads libcurl.so.4. NULL when that fails; `message` then says why (valid until the next call of
// a dl function on this thread).
starling_curl *starling_curl_open(const char **message);
void starling_curl_close(starling_curl *curl);

// Performs a GET without following redirects. Blocks until it ends.
void starling_curl_get(starling_curl *curl, const starling_curl_request *request,
                       starling_curl_result *result);

#endif
