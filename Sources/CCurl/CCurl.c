// Why C: curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot call.
#define CURL_DISABLE_TYPECHECK 1
#define CURL_DISABLE_DEPRECATION 1
#include "CCurl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct starling_curl {
  CURL *handle;
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_perform)(CURL *);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  const char *(*easy_strerror)(CURLcode);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
};

// Fills the table; 0 when a function is missing.
static int find_functions(starling_curl *curl, void *library) {
  struct {
    void **place;
    const char *name;
  } functions[] = {
      {(void **)&curl->easy_init, "curl_easy_init"},
      {(void **)&curl->easy_cleanup, "curl_easy_cleanup"},
      {(void **)&curl->easy_reset, "curl_easy_reset"},
      {(void **)&curl->easy_setopt, "curl_easy_setopt"},
      {(void **)&curl->easy_perform, "curl_easy_perform"},
      {(void **)&curl->easy_getinfo, "curl_easy_getinfo"},
      {(void **)&curl->easy_strerror, "curl_easy_strerror"},
      {(void **)&curl->slist_append, "curl_slist_append"},
      {(void **)&curl->slist_free_all, "curl_slist_free_all"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    *functions[i].place = dlsym(library, functions[i].name);
    if (*functions[i].place == NULL) return 0;
  }
  return 1;
}

starling_curl *starling_curl_open(const char **message) {
  // The library stays loaded: OpenSSL below it leaves handlers behind that unloading would break.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    *message = dlerror();
    return NULL;
  }
  starling_curl *curl = calloc(1, sizeof *curl);
  CURLcode (*global_init)(long) = (CURLcode(*)(long))dlsym(library, "curl_global_init");
  if (curl == NULL || global_init == NULL || !find_functions(curl, library)) {
    *message = curl == NULL ? "out of memory" : dlerror();
    free(curl);
    return NULL;
  }
  // Counted and safe in threads since 7.84.
  if (global_init(CURL_GLOBAL_ALL) != CURLE_OK || (curl->handle = curl->easy_init()) == NULL) {
    *message = "its initialization failed";
    free(curl);
    return NULL;
  }
  return curl;
}

void starling_curl_close(starling_curl *curl) {
  curl->easy_cleanup(curl->handle);
  free(curl);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
  const starling_curl_request *request = context;
  return request->on_header(request->context, bytes, size * count);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  const starling_curl_request *request = context;
  return request->on_body(request->context, bytes, size * count);
}

static int on_progress(void *context, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal,
                       curl_off_t ulnow) {
  (void)dltotal, (void)dlnow, (void)ultotal, (void)ulnow;
  const starling_curl_request *request = context;
  return request->is_cancelled(request->context);
}

static void set_options(starling_curl *curl, const starling_curl_request *request,
                        starling_curl_result *result, struct curl_slist *headers) {
  CURLcode (*set)(CURL *, CURLoption, ...) = curl->easy_setopt;
  CURL *handle = curl->handle;
  set(handle, CURLOPT_URL, request->url);
  set(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  set(handle, CURLOPT_USERAGENT, request->user_agent);
  set(handle, CURLOPT_HTTPHEADER, headers);
  set(handle, CURLOPT_ACCEPT_ENCODING, "");  // all that it can decompress
  set(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
  set(handle, CURLOPT_TIMEOUT_MS, request->timeout_ms);
  set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(handle, CURLOPT_LOW_SPEED_TIME, request->stall_seconds);
  set(handle, CURLOPT_NOSIGNAL, 1L);  // signals belong to the embedder
  set(handle, CURLOPT_ERRORBUFFER, result->message);
  set(handle, CURLOPT_HEADERFUNCTION, on_header);
  set(handle, CURLOPT_HEADERDATA, (void *)request);
  set(handle, CURLOPT_WRITEFUNCTION, on_body);
  set(handle, CURLOPT_WRITEDATA, (void *)request);
  set(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
  set(handle, CURLOPT_XFERINFODATA, (void *)request);
  set(handle, CURLOPT_NOPROGRESS, 0L);
}

void starling_curl_get(starling_curl *curl, const starling_curl_request *request,
                       starling_curl_result *result) {
  memset(result, 0, sizeof *result);
  struct curl_slist *headers = NULL;
  for (size_t i = 0; i < request->header_count; i++) {
    struct curl_slist *longer = curl->slist_append(headers, request->headers[i]);
    if (longer == NULL) {
      curl->slist_free_all(headers);
      result->code = CURLE_OUT_OF_MEMORY;
      return;
    }
    headers = longer;
  }
  curl->easy_reset(curl->handle);  // keeps connections and cached names
  set_options(curl, request, result, headers);
  result->code = curl->easy_perform(curl->handle);
  char *redirect = NULL;
  curl->easy_getinfo(curl->handle, CURLINFO_RESPONSE_CODE, &result->status);
  curl->easy_getinfo(curl->handle, CURLINFO_REDIRECT_URL, &redirect);
  result->redirect_url = redirect;
  if (result->code != CURLE_OK && result->message[0] == 0) {
    strncpy(result->message, curl->easy_strerror(result->code), sizeof result->message - 1);
  }
  // The handle must not point into this frame when it is used or freed later.
  curl->easy_setopt(curl->handle, CURLOPT_ERRORBUFFER, NULL);
  curl->easy_setopt(curl->handle, CURLOPT_HTTPHEADER, NULL);
  curl->slist_free_all(headers);
}
