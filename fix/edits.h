/*
 * edits.h - changes to the texts of source files, and the unified diff that they make.
 *
 * An edit replaces a range of the original text; offsets are always those of the original. The same
 * edit may be added by several translation units (a header is seen by each): it counts once.
 * Overlapping edits are an error of the caller, found when they are applied.
 */
#ifndef SM_FIX_EDITS_H
#define SM_FIX_EDITS_H

#include <stdint.h>

#include "base/memory.h"

struct sm_edit {
    size_t at, length; /* length 0: inserted */
    int64_t rank;      /* of insertions at the same offset: the lower comes first */
    char *text;
};

/* Ranks from here on are for statements: they enclose everything that is put around expressions. */
#define SM_EDIT_STATEMENT (INT64_C(1) << 40)

struct sm_source_file {
    char *path; /* absolute */
    char *text; /* original, ends in NUL */
    size_t size;
    struct sm_edit *edits;
    size_t n;
};

struct sm_source_files {
    struct sm_source_file **items;
    size_t n;
};

/* The source of that path, read when first asked for; NULL if it cannot be read. */
struct sm_source_file *sm_sources_at(struct sm_source_files *sources, const char *path);
void sm_sources_free(struct sm_source_files *sources);
bool sm_sources_changed(const struct sm_source_files *sources);

void sm_edit_replace(struct sm_source_file *source, size_t at, size_t length, const char *text);
/* Inserts text around [start, end): outer pairs enclose inner ones, also if they begin or end
   together. */
void sm_edit_wrap(struct sm_source_file *source, size_t start, size_t end, const char *before,
                  const char *after);
void sm_edit_insert(struct sm_source_file *source, size_t at, int64_t rank, const char *text);

/* The text as edited, to be freed; NULL if two edits overlap. */
char *sm_edits_apply(struct sm_source_file *source);
/* Appends the diff of one source, named a/NAME and b/NAME. The edits must not overlap. */
void sm_edits_diff(struct sm_source_file *source, const char *name, struct sm_buffer *to);

/* Offsets in the text of a source. */
size_t sm_line_start(const struct sm_source_file *source, size_t at);
size_t sm_line_end(const struct sm_source_file *source,
                   size_t at); /* of the newline, or the size */
uint32_t sm_line_of(const struct sm_source_file *source, size_t at); /* from 1 */
/* The blanks that the line begins with, to be freed. */
char *sm_line_indent(const struct sm_source_file *source, size_t at);

#endif
