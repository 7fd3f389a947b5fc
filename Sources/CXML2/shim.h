#ifndef STARLING_CXML2_SHIM_H
#define STARLING_CXML2_SHIM_H

#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// libxml2's xmlFree is a global variable that holds a function, which Swift cannot call safely.
static inline void starling_xml_free(void *memory) { xmlFree(memory); }

#endif
