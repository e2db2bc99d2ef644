/*
 * race.h - a data race with all that is known about it, ready to be shown.
 *
 * Both flavours use it: the native runtime fills the struct inside the program (its strings and
 * arrays are then the runtime's own and nothing is freed), the command from what a controlled
 * execution left in shared memory, or from the JSON of the native runtime. race_text.c and
 * race_json.c print it and are compiled into both; so they allocate nothing and use only pure
 * string functions of libc. Everything else is for the command only.
 */
#ifndef SM_FINDINGS_RACE_H
#define SM_FINDINGS_RACE_H

#include <stdarg.h>
#include <stddef.h>

#include "findings/advice.h"
#include "witness/place.h"

struct sm_held_lock {
    uint64_t address;
    char *name;            /* NULL: unknown */
    struct sm_stack taken; /* empty: unknown */
};

/* What OpenMP calls a thread: number `number` of the `size` of a parallel region. */
struct sm_team_member {
    uint32_t number, size;  /* size 0: in none */
    struct sm_stack region; /* where it begins; empty: unknown */
};

struct sm_access {
    struct sm_place place; /* file and function "?": no longer known */
    const char *kind;      /* "read", "atomic-write", "free", ...: a word that is not freed */
    uint32_t thread,
        parent; /* parent: created the thread; SM_UNKNOWN_THREAD: unknown, or the main thread */
    struct sm_stack stack;
    bool has_value;
    uint64_t value; /* read or written */
    struct sm_held_lock *locks;
    uint32_t n_locks;
    struct sm_stack created; /* where the thread was created */
    struct sm_team_member member;
};

struct sm_race_heap {
    uint64_t size; /* 0: the memory is not on the heap */
    uint64_t offset;
    struct sm_stack allocated; /* empty: unknown */
    uint32_t thread;           /* that allocated it */
};

struct sm_data_race {
    uint64_t id, count; /* id from 1 */
    char *variable;
    int64_t element;                /* in place of the first "[]" of the variable; -1: unknown */
    uint32_t size;                  /* bytes in common; 0: unknown */
    struct sm_access first, second; /* in the order in which they happened */
    bool has_memory;
    uint64_t memory; /* what the bytes held when the race was found */
    struct sm_race_heap block;
    char *advice; /* or NULL */
};

/* ---- printing ---- */

/* The output of a printer. Formats are those of base/sys.h's sm_format. */
struct sm_sink {
    void (*print)(struct sm_sink *sink, const char *format, va_list arguments);
};
void sm_sink_print(struct sm_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The heading comes before "data race on". */
/* The function that its thread started in, as far as the stack shows: the outermost of the user's;
   NULL: unknown. */
const char *sm_access_start(const struct sm_access *access);
/* "reads", of the kind "read". */
const char *sm_access_verb(const char *kind);
void sm_race_print_text(const struct sm_data_race *race, const char *heading, struct sm_sink *sink);
/* One object in one line; docs/detect.md has the keys. */
void sm_race_print_json(const struct sm_data_race *race, struct sm_sink *sink);
/* Detailed: with value, locks and creation. */
void sm_access_print_json(const struct sm_access *access, bool detailed, struct sm_sink *sink);
/* null if nothing is known */
void sm_place_print_json(const struct sm_place *place, struct sm_sink *sink);
void sm_stack_print_json(const struct sm_stack *stack, struct sm_sink *sink);
/* Quoted and escaped; bytes that are not UTF-8 become U+FFFD. NULL gives null. */
void sm_string_print_json(const char *text, struct sm_sink *sink);

/* ---- of the command ---- */

struct sm_races_found {
    struct sm_data_race *items;
    size_t n;
};
/* Takes ownership of the race: it is merged with an equal one, or gets an id. */
void sm_races_found_add(struct sm_races_found *races, struct sm_data_race *race);
void sm_races_found_free(struct sm_races_found *races);
/* The same variable at the same two places. */
bool sm_race_is_same(const struct sm_data_race *a, const struct sm_data_race *b);
void sm_data_race_free(struct sm_data_race *race);
void sm_access_free(struct sm_access *access);

#endif
