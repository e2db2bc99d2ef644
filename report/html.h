/* html.h - the parts of the page's data. Used by the html*.c files alone. */
#ifndef SM_REPORT_HTML_H
#define SM_REPORT_HTML_H

#include "report/results.h"

/* The events of a witness: at most the last 50,000. */
json_t *sm_html_trace(const struct sm_witness *witness);

/* Lines of sources: asked for first, then read file by file. The object maps a file's name,
   as the compiler was given it, to an object of lines. */
void sm_html_want_lines(json_t *sources, const char *file, uint32_t line, uint32_t around);
/* Names that are not absolute are tried from here, then from each of the directories. What
   cannot be read is left out. */
void sm_html_read_lines(json_t *sources, const struct sm_list *directories);

#endif
