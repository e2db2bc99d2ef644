#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *block)
{
    if (block)
        return block;
    fputs("stalemate: out of memory\n", stderr);
    exit(70);
}

void *sm_new(size_t size)
{
    return checked(calloc(1, size ? size : 1));
}

void *sm_resize(void *block, size_t size)
{
    return checked(realloc(block, size ? size : 1));
}

void *sm_copy_bytes(const void *bytes, size_t size)
{
    void *copy = sm_new(size);
    return size ? memcpy(copy, bytes, size) : copy;
}

char *sm_copy_text(const char *text)
{
    return text ? sm_copy_bytes(text, strlen(text) + 1) : NULL;
}

char *sm_print(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return checked(length < 0 ? NULL : text);
}

void sm_buffer_add(struct sm_buffer *buffer, const void *bytes, size_t size)
{
    if (buffer->size + size + 1 > buffer->room) {
        buffer->room = (buffer->size + size + 1) * 2;
        buffer->data = sm_resize(buffer->data, buffer->room);
    }
    if (size)
        memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    buffer->data[buffer->size] = 0;
}

void sm_buffer_text(struct sm_buffer *buffer, const char *text)
{
    sm_buffer_add(buffer, text, strlen(text));
}

void sm_buffer_print(struct sm_buffer *buffer, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    checked(length < 0 ? NULL : text);
    sm_buffer_add(buffer, text, (size_t)length);
    free(text);
}

void sm_buffer_free(struct sm_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct sm_buffer){0};
}

void sm_list_add(struct sm_list *list, const char *text)
{
    list->items = sm_resize(list->items, (list->n + 2) * sizeof *list->items);
    list->items[list->n++] = sm_copy_text(text);
    list->items[list->n] = NULL;
}

bool sm_list_has(const struct sm_list *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

void sm_list_free(struct sm_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct sm_list){0};
}
