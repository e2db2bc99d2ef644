/* write.h - writes a text to a file or to standard output. */
#ifndef SM_BASE_WRITE_H
#define SM_BASE_WRITE_H

#include "base/memory.h"
#include "base/status.h"

/* The path "-" is standard output. */
bool sm_write_text(const struct sm_buffer *text, const char *path, struct sm_error *error);

#endif
