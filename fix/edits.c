/*
 * edits.c - see edits.h. No search for common lines is needed: they are the lines that no edit
 * touches. Each edit touches whole lines; touched lines with their new text are a change.
 */
#include "fix/edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 }; /* lines around a change, as diff -u shows them */

/* ---- sources ---- */

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "r");
    struct sm_buffer text = {0};
    char block[1 << 14];
    size_t n;
    if (!file)
        return NULL;
    while ((n = fread(block, 1, sizeof(block), file)))
        sm_buffer_add(&text, block, n);
    fclose(file);
    *size = text.size;
    return text.data ? text.data : sm_copy_text("");
}

struct sm_source_file *sm_sources_at(struct sm_source_files *sources, const char *path)
{
    struct sm_source_file new = {0};
    for (size_t i = 0; i < sources->n; i++)
        if (strcmp(sources->items[i]->path, path) == 0)
            return sources->items[i];
    new.text = read_file(path, &new.size);
    if (!new.text)
        return NULL;
    new.path = sm_copy_text(path);
    sources->items = sm_resize(sources->items, (sources->n + 1) * sizeof(*sources->items));
    return sources->items[sources->n++] = sm_copy_bytes(&new, sizeof(new));
}

void sm_sources_free(struct sm_source_files *sources)
{
    for (size_t i = 0; i < sources->n; i++) {
        struct sm_source_file *source = sources->items[i];
        for (size_t j = 0; j < source->n; j++)
            free(source->edits[j].text);
        free(source->edits);
        free(source->path);
        free(source->text);
        free(source);
    }
    free(sources->items);
    *sources = (struct sm_source_files){0};
}

bool sm_sources_changed(const struct sm_source_files *sources)
{
    for (size_t i = 0; i < sources->n; i++)
        if (sources->items[i]->n)
            return true;
    return false;
}

/* ---- edits ---- */

static void add(struct sm_source_file *source, struct sm_edit edit)
{
    bool same = strlen(edit.text) == edit.length &&
                memcmp(source->text + edit.at, edit.text, edit.length) == 0;
    if (same) /* also if nothing is inserted */
        return;
    for (size_t i = 0; i < source->n; i++) {
        const struct sm_edit *old = &source->edits[i];
        if (old->at == edit.at && old->length == edit.length && old->rank == edit.rank &&
            strcmp(old->text, edit.text) == 0)
            return;
    }
    edit.text = sm_copy_text(edit.text);
    source->edits = sm_resize(source->edits, (source->n + 1) * sizeof(*source->edits));
    source->edits[source->n++] = edit;
}

void sm_edit_replace(struct sm_source_file *source, size_t at, size_t length, const char *text)
{
    add(source, (struct sm_edit){.at = at, .length = length, .text = (char *)text});
}

void sm_edit_insert(struct sm_source_file *source, size_t at, int64_t rank, const char *text)
{
    add(source, (struct sm_edit){.at = at, .rank = rank, .text = (char *)text});
}

void sm_edit_wrap(struct sm_source_file *source, size_t start, size_t end, const char *before,
                  const char *after)
{
    int64_t width = (int64_t)(end - start);
    sm_edit_insert(source, start, -width, before);
    sm_edit_insert(source, end, width, after);
}

static int by_place(const void *a, const void *b)
{
    const struct sm_edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (!x->length != !y->length) /* insertions come before replacements */
        return x->length ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static bool sort(struct sm_source_file *source)
{
    if (source->n)
        qsort(source->edits, source->n, sizeof(*source->edits), by_place);
    for (size_t i = 1; i < source->n; i++)
        if (source->edits[i - 1].at + source->edits[i - 1].length > source->edits[i].at)
            return false;
    return true;
}

/* [start, end) with edits [first, last) in it. */
static void apply_within(const struct sm_source_file *source, size_t first, size_t last,
                         size_t start, size_t end, struct sm_buffer *to)
{
    for (size_t i = first; i < last; i++) {
        const struct sm_edit *edit = &source->edits[i];
        sm_buffer_add(to, source->text + start, edit->at - start);
        sm_buffer_text(to, edit->text);
        start = edit->at + edit->length;
    }
    sm_buffer_add(to, source->text + start, end - start);
}

char *sm_edits_apply(struct sm_source_file *source)
{
    struct sm_buffer text = {0};
    if (!sort(source))
        return NULL;
    apply_within(source, 0, source->n, 0, source->size, &text);
    return text.data ? text.data : sm_copy_text("");
}

/* ---- lines ---- */

size_t sm_line_start(const struct sm_source_file *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n')
        at--;
    return at;
}

size_t sm_line_end(const struct sm_source_file *source, size_t at)
{
    while (at < source->size && source->text[at] != '\n')
        at++;
    return at;
}

uint32_t sm_line_of(const struct sm_source_file *source, size_t at)
{
    uint32_t line = 1;
    for (size_t i = 0; i < at && i < source->size; i++)
        line += source->text[i] == '\n';
    return line;
}

char *sm_line_indent(const struct sm_source_file *source, size_t at)
{
    const char *start = source->text + sm_line_start(source, at);
    return sm_print("%.*s", (int)strspn(start, " \t"), start);
}

/* ---- the diff ---- */

struct change {
    size_t start, end;  /* of whole lines of the original */
    size_t first, last; /* edits */
};

static bool inserts_lines(const struct sm_source_file *source, const struct sm_edit *edit)
{
    size_t n = strlen(edit->text);
    return !edit->length && n && edit->text[n - 1] == '\n' &&
           sm_line_start(source, edit->at) == edit->at;
}

static struct change change_of(const struct sm_source_file *source, size_t i)
{
    const struct sm_edit *edit = &source->edits[i];
    struct change change = {.start = sm_line_start(source, edit->at), .first = i, .last = i + 1};
    size_t end = sm_line_end(source, edit->at + edit->length);
    change.end = end < source->size ? end + 1 : end;
    if (inserts_lines(source, edit))
        change.end = change.start;
    return change;
}

static size_t changes_of(const struct sm_source_file *source, struct change *changes)
{
    size_t n = 0;
    for (size_t i = 0; i < source->n; i++) {
        struct change change = change_of(source, i);
        if (n && change.start <= changes[n - 1].end) {
            changes[n - 1].last = change.last;
            if (change.end > changes[n - 1].end)
                changes[n - 1].end = change.end;
        } else {
            changes[n++] = change;
        }
    }
    return n;
}

static size_t count_lines(const char *text, size_t size)
{
    size_t n = size && text[size - 1] != '\n';
    for (size_t i = 0; i < size; i++)
        n += text[i] == '\n';
    return n;
}

static void put_lines(char mark, const char *text, size_t size, struct sm_buffer *to)
{
    while (size) {
        const char *newline = memchr(text, '\n', size);
        size_t n = newline ? (size_t)(newline - text) + 1 : size;
        sm_buffer_add(to, &mark, 1);
        sm_buffer_add(to, text, n);
        if (!newline)
            sm_buffer_text(to, "\n\\ No newline at end of file\n");
        text += n;
        size -= n;
    }
}

static size_t line_length(const char *text, size_t size)
{
    const char *newline = memchr(text, '\n', size);
    return newline ? (size_t)(newline - text) + 1 : size;
}

/* The next line of `text` from `at` on that is equal to the given one, or `size`. */
static size_t find_line(const char *text, size_t size, size_t at, const char *line, size_t n)
{
    for (; at < size; at += line_length(text + at, size - at))
        if (line_length(text + at, size - at) == n && memcmp(text + at, line, n) == 0)
            return at;
    return size;
}

struct hunk {
    struct sm_buffer body;
    size_t old_start, old_end; /* offsets */
    size_t added;              /* lines, less those removed */
    size_t removed;
};

static size_t back(const struct sm_source_file *source, size_t at, unsigned lines)
{
    while (lines-- && at)
        at = sm_line_start(source, at - 1);
    return at;
}

static size_t ahead(const struct sm_source_file *source, size_t at, unsigned lines)
{
    while (lines-- && at < source->size) {
        at = sm_line_end(source, at);
        at += at < source->size;
    }
    return at;
}

static void put_marked(struct hunk *hunk, char mark, const char *text, size_t size)
{
    size_t n = count_lines(text, size);
    put_lines(mark, text, size, &hunk->body);
    hunk->added += mark == '+' ? n : 0;
    hunk->removed += mark == '-' ? n : 0;
}

/* Edits never reorder lines, so an old line that remains is the next equal line of the new text. */
static void put_change(const struct sm_source_file *source, const struct change *change,
                       struct hunk *hunk)
{
    struct sm_buffer new = {0};
    const char *old = source->text + change->start;
    size_t n = change->end - change->start, gone = 0, done = 0;
    apply_within(source, change->first, change->last, change->start, change->end, &new);
    for (size_t at = 0, k; at < n; at += k) {
        k = line_length(old + at, n - at);
        size_t found = find_line(new.data, new.size, done, old + at, k);
        if (found == new.size)
            continue;
        put_marked(hunk, '-', old + gone, at - gone);
        put_marked(hunk, '+', new.data + done, found - done);
        put_marked(hunk, ' ', old + at, k);
        gone = at + k;
        done = found + k;
    }
    put_marked(hunk, '-', old + gone, n - gone);
    put_marked(hunk, '+', new.data + done, new.size - done);
    sm_buffer_free(&new);
}

/* Unchanged first lines of an edit are context, too; patch assumes that a hunk with more context
   before than after is at the end of the file. */
static void trim(const struct sm_source_file *source, struct hunk *hunk)
{
    size_t leading = 0, at = 0;
    while (at < hunk->body.size && hunk->body.data[at] == ' ') {
        at += line_length(hunk->body.data + at, hunk->body.size - at);
        leading++;
    }
    for (; leading > CONTEXT; leading--) {
        size_t n = line_length(hunk->body.data, hunk->body.size);
        hunk->body.size -= n;
        memmove(hunk->body.data, hunk->body.data + n, hunk->body.size + 1);
        hunk->old_start = ahead(source, hunk->old_start, 1);
    }
}

static void put_hunk(const struct sm_source_file *source, const struct hunk *hunk, size_t *shift,
                     struct sm_buffer *to)
{
    size_t old = count_lines(source->text + hunk->old_start, hunk->old_end - hunk->old_start);
    size_t line = count_lines(source->text, hunk->old_start) + 1;
    size_t new = old + hunk->added - hunk->removed;
    sm_buffer_print(to, "@@ -%zu,%zu +%zu,%zu @@\n", old ? line : line - 1, old,
                    new ? line + *shift : line + *shift - 1, new);
    sm_buffer_add(to, hunk->body.data, hunk->body.size);
    *shift += hunk->added - hunk->removed;
}

static size_t last_line(const struct sm_buffer *text)
{
    size_t at = text->size - 1;
    while (at && text->data[at - 1] != '\n')
        at--;
    return at;
}

static void trim_end(const struct sm_source_file *source, struct hunk *hunk)
{
    struct sm_buffer rest = hunk->body;
    size_t trailing = 0;
    for (size_t at; rest.size && rest.data[at = last_line(&rest)] == ' '; rest.size = at)
        trailing++;
    for (; trailing > CONTEXT; trailing--) {
        hunk->body.size = last_line(&hunk->body);
        hunk->body.data[hunk->body.size] = '\0';
        hunk->old_end = back(source, hunk->old_end, 1);
    }
}

/* Joins the changes from `i` on whose contexts touch; returns the first that is not included. */
static size_t fill_hunk(const struct sm_source_file *source, const struct change *changes, size_t n,
                        size_t i, struct hunk *hunk)
{
    size_t at = hunk->old_start = back(source, changes[i].start, CONTEXT);
    for (;; i++) {
        put_lines(' ', source->text + at, changes[i].start - at, &hunk->body);
        put_change(source, &changes[i], hunk);
        at = changes[i].end;
        if (i + 1 == n || ahead(source, at, 2 * CONTEXT) < changes[i + 1].start)
            break;
    }
    hunk->old_end = ahead(source, at, CONTEXT);
    put_lines(' ', source->text + at, hunk->old_end - at, &hunk->body);
    trim_end(source, hunk);
    return i + 1;
}

void sm_edits_diff(struct sm_source_file *source, const char *name, struct sm_buffer *to)
{
    size_t shift = 0;
    if (!source->n || !sort(source))
        return;
    struct change *changes = sm_new(source->n * sizeof(*changes));
    size_t n = changes_of(source, changes);
    sm_buffer_print(to, "--- a/%s\n+++ b/%s\n", name, name);
    for (size_t i = 0; i < n;) {
        struct hunk hunk = {0};
        i = fill_hunk(source, changes, n, i, &hunk);
        trim(source, &hunk);
        put_hunk(source, &hunk, &shift, to);
        sm_buffer_free(&hunk.body);
    }
    free(changes);
}
