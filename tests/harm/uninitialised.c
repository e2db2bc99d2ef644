/* Reads of heap memory that nobody wrote, and twins that read what was written, or only copy. */
#define _GNU_SOURCE
#include "harm.h"

struct box {
    int kind, value;
    char name[8];
};
static struct box *box;
static _Atomic(struct box *) published;
static char *text;
static int seen;

static void *read_published(void *arg)
{
    struct box *mine = atomic_load(&published);
    if (mine)
        seen = mine->value;
    return arg;
}

static void *publish_first(void *arg)
{
    struct box *mine = malloc(sizeof *mine);
    atomic_store(&published, mine);
    mine->value = 1;
    return arg;
}

static void *publish_last(void *arg)
{
    struct box *mine = malloc(sizeof *mine);
    mine->value = 1;
    atomic_store(&published, mine);
    return arg;
}

CASE(published_before_written, uninitialised)
{
    start(read_published);
    start(publish_first);
    join_all();
}

CASE(published_after_written, none)
{
    start(read_published);
    start(publish_last);
    join_all();
}

CASE(other_field_written, uninitialised)
{
    box = malloc(sizeof *box);
    box->kind = 1;
    seen = box->value;
}

CASE(field_written, none)
{
    box = malloc(sizeof *box);
    box->value = 1;
    seen = box->value;
}

struct bits {
    unsigned low : 3, middle : 7, high : 9;
    int other;
};
static struct bits *bits;

/* A store to a bit-field loads the bits around it. */
CASE(bits_written, none)
{
    bits = malloc(sizeof *bits);
    bits->middle = 5;
    bits->high = 3;
    bits->low = 1;
    seen = bits->low + bits->middle + bits->high;
}

CASE(bit_field_not_written, uninitialised)
{
    bits = malloc(sizeof *bits);
    bits->other = 1;
    seen = bits->middle;
}

/* It keeps its own value, too. */
CASE(bit_field_added_to, uninitialised)
{
    bits = malloc(sizeof *bits);
    bits->middle += 2;
}

CASE(grown_and_read, uninitialised)
{
    text = realloc(calloc(1, 16), 400);
    seen = text[300];
}

CASE(grown_and_read_below, none)
{
    text = realloc(calloc(1, 16), 400);
    seen = text[15];
}

CASE(written_by_libc, none)
{
    box = malloc(sizeof *box);
    text = malloc(100);
    snprintf(text, 100, "%d %d", 1, 2);
    sscanf(text, "%d %d", &box->kind, &box->value);
    seen = box->kind + box->value + text[2];
}

CASE(copied, none)
{
    box = malloc(sizeof *box);
    struct box *other = malloc(sizeof *other);
    box->kind = 1;
    *other = *box;
    memcpy(box, other, sizeof *other);
    seen = box->kind;
    free(other);
}

CASE(zeroed, none)
{
    box = calloc(1, sizeof *box);
    seen = box->value + box->name[3];
}
