// The functions of libxml2, each of which loads the library when it is the first to be called. Where
// it cannot be loaded, what makes a parser or a document gives NULL.
#include "shim.h"

#include <dlfcn.h>
#include <pthread.h>

// Each function: what it gives and, where the library is missing, gives instead; its name, its
// parameters, and their names.
#define FUNCTIONS(F) \
  F(xmlParserCtxtPtr, NULL, xmlCreatePushParserCtxt, \
    (xmlSAXHandlerPtr sax, void *data, const char *chunk, int size, const char *name), \
    (sax, data, chunk, size, name)) \
  F(int, -1, xmlParseChunk, (xmlParserCtxtPtr parser, const char *chunk, int size, int end), \
    (parser, chunk, size, end)) \
  F(int, -1, xmlCtxtUseOptions, (xmlParserCtxtPtr parser, int options), (parser, options)) \
  F(int, -1, xmlSwitchEncoding, (xmlParserCtxtPtr parser, xmlCharEncoding encoding), \
    (parser, encoding)) \
  F(xmlDocPtr, NULL, xmlReadMemory, \
    (const char *text, int size, const char *url, const char *encoding, int options), \
    (text, size, url, encoding, options)) \
  F(xmlNodePtr, NULL, xmlDocGetRootElement, (const xmlDoc *document), (document)) \
  F(xmlChar *, NULL, xmlNodeListGetString, (xmlDocPtr document, const xmlNode *list, int inlined), \
    (document, list, inlined)) \
  F(int, 0, xmlDictSize, (xmlDictPtr names), (names)) \
  F(const xmlChar *, NULL, xmlDictExists, (xmlDictPtr names, const xmlChar *name, int size), \
    (names, name, size)) \
  F(long, 0, xmlGetLineNo, (const xmlNode *node), (node)) \
  F(xmlNodePtr, NULL, xmlNewChild, \
    (xmlNodePtr parent, xmlNsPtr space, const xmlChar *name, const xmlChar *content), \
    (parent, space, name, content)) \
  F(xmlAttrPtr, NULL, xmlNewProp, (xmlNodePtr node, const xmlChar *name, const xmlChar *value), \
    (node, name, value)) \
  F(int, 0, xmlStrEqual, (const xmlChar *a, const xmlChar *b), (a, b)) \
  F(int, 1, xmlStrcasecmp, (const xmlChar *a, const xmlChar *b), (a, b)) \
  F(htmlParserCtxtPtr, NULL, htmlNewParserCtxt, (void), ()) \
  F(htmlDocPtr, NULL, htmlReadMemory, \
    (const char *text, int size, const char *url, const char *encoding, int options), \
    (text, size, url, encoding, options)) \
  F(htmlDocPtr, NULL, htmlCtxtReadMemory, \
    (htmlParserCtxtPtr parser, const char *text, int size, const char *url, const char *encoding, \
     int options), \
    (parser, text, size, url, encoding, options)) \
  F(const htmlEntityDesc *, NULL, htmlEntityLookup, (const xmlChar *name), (name))

#define PROCEDURES(F) \
  F(xmlInitParser, (void), ()) \
  F(xmlFreeParserCtxt, (xmlParserCtxtPtr parser), (parser)) \
  F(xmlFreeDoc, (xmlDocPtr document), (document)) \
  F(xmlUnlinkNode, (xmlNodePtr node), (node)) \
  F(xmlFreeNode, (xmlNodePtr node), (node)) \
  F(xmlDocDumpFormatMemoryEnc, \
    (xmlDocPtr document, xmlChar **text, int *size, const char *encoding, int format), \
    (document, text, size, encoding, format)) \
  F(htmlFreeParserCtxt, (htmlParserCtxtPtr parser), (parser))

#define FUNCTION_POINTER(type, otherwise, name, parameters, arguments) type(*name) parameters;
#define PROCEDURE_POINTER(name, parameters, arguments) void(*name) parameters;

static struct {
  FUNCTIONS(FUNCTION_POINTER)
  PROCEDURES(PROCEDURE_POINTER)
  xmlFreeFunc *release;
} library;
static int is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void *handle, const char *name, void *place) {
  void *function = dlsym(handle, name);
  if (function == NULL) is_there = 0;
  *(void **)place = function;
}

static void load(void) {
  // It stays loaded: parsers and what their handlers were told may outlive any one caller.
  void *handle = dlopen("libxml2.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (handle == NULL) return;
  is_there = 1;
#define FIND_FUNCTION(type, otherwise, name, parameters, arguments) \
  find(handle, #name, &library.name);
#define FIND_PROCEDURE(name, parameters, arguments) find(handle, #name, &library.name);
  FUNCTIONS(FIND_FUNCTION)
  PROCEDURES(FIND_PROCEDURE)
  find(handle, "xmlFree", &library.release);
}

static int is_loaded(void) {
  pthread_once(&once, load);
  return is_there;
}

// Hidden, so that the library's own calls never come here.
#define DEFINE_FUNCTION(type, otherwise, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) type name parameters { \
    return is_loaded() ? library.name arguments : otherwise; \
  }
#define DEFINE_PROCEDURE(name, parameters, arguments) \
  __attribute__((visibility("hidden"))) void name parameters { \
    if (is_loaded()) library.name arguments; \
  }
FUNCTIONS(DEFINE_FUNCTION)
PROCEDURES(DEFINE_PROCEDURE)

void starling_xml_free(void *memory) {
  if (is_loaded()) (*library.release)(memory);
}
