#ifndef STARLING_CXML2_SHIM_H
#define STARLING_CXML2_SHIM_H

// libxml2 as StarlingFeeds calls it. Its functions are defined here (CXML2.c), and the first call of
// one loads the library: linked as usual it would bring ICU, 30 MB of it, into every start of the
// command, which then takes a fifth longer, and most commands parse no XML. A function that is not
// defined here does not link.
//
// The folder `libxml` beside this file is a link to the headers of the system (libxml2-dev): through
// pkg-config the library itself would be linked too.
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// libxml2's xmlFree is a global variable that holds a function, which Swift cannot call safely.
void starling_xml_free(void *memory);

#endif
