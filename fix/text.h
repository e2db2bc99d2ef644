/* text.h - calls in the text of a source, for code that macros hide from the syntax tree. */
#ifndef SM_FIX_TEXT_H
#define SM_FIX_TEXT_H

#include "fix/edits.h"

enum { SM_MAX_ARGUMENTS = 8 };

struct sm_span {
    size_t start, end;
};

struct sm_call_text {
    struct sm_span name;
    struct sm_span arguments[SM_MAX_ARGUMENTS]; /* without blanks around them */
    size_t n;
    size_t close; /* of the parenthesis */
};

/* The call whose argument list encloses the offset most closely. */
bool sm_call_around(const struct sm_source_file *source, size_t at, struct sm_call_text *call);
/* The call whose name begins at the offset or after blanks and dots. */
bool sm_call_from(const struct sm_source_file *source, size_t at, struct sm_call_text *call);
/* The offset after comments and blanks. */
size_t sm_skip_blanks(const struct sm_source_file *source, size_t at);
/* After the comment, string or character that begins there, else one further. */
size_t sm_skip_token(const struct sm_source_file *source, size_t at);

#endif
