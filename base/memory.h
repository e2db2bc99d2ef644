/*
 * memory.h - memory, growing buffers and lists of strings for the driver.
 *
 * The driver is a short-lived process that can do nothing useful without memory, so these functions
 * exit (status 70, with a message) instead of failing: callers have no error path. Sizes that come
 * from a file are checked before they get here.
 */
#ifndef SM_BASE_MEMORY_H
#define SM_BASE_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

void *sm_new(size_t size);                 /* zeroed */
void *sm_resize(void *block, size_t size); /* as realloc */
void *sm_copy_bytes(const void *bytes, size_t size);
char *sm_copy_text(const char *text); /* NULL gives NULL */
char *sm_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct sm_buffer {
    char *data; /* NUL-terminated after `size` bytes once something was added; NULL before */
    size_t size, room;
};
void sm_buffer_add(struct sm_buffer *buffer, const void *bytes, size_t size);
void sm_buffer_text(struct sm_buffer *buffer, const char *text);
void sm_buffer_print(struct sm_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sm_buffer_free(struct sm_buffer *buffer);

struct sm_list {
    char **items; /* owned; items[n] is NULL; NULL until something was added */
    size_t n;
};
void sm_list_add(struct sm_list *list, const char *text);
bool sm_list_has(const struct sm_list *list, const char *text);
void sm_list_free(struct sm_list *list);

#endif
