/* html.h - the parts of the page's data. Only for the html*.c files. */
#ifndef SM_REPORT_HTML_H
#define SM_REPORT_HTML_H

#include "report/results.h"

/* The events of a witness: at most the last 50,000. */
json_t *sm_html_trace(const struct sm_witness *witness);

/* Lines of sources: first requested, then read file by file. The object maps a file's name, as
   given to the compiler, to an object of lines. */
void sm_html_want_lines(json_t *sources, const char *file, uint32_t line, uint32_t around);
/* Relative names are tried from here, then from each of the directories. A file that cannot be read
   is left out. */
void sm_html_read_lines(json_t *sources, const struct sm_list *directories);

#endif
