/* place.h - a place in the source, as reports show it. Strings are owned by the holder. */
#ifndef SM_WITNESS_PLACE_H
#define SM_WITNESS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct sm_place {
    char *file;            /* NULL: unknown */
    char *function;        /* NULL: unknown */
    uint32_t line, column; /* 0: unknown */
    char *module;          /* the library that the code is in; NULL: the program, or unknown */
};

struct sm_stack {
    struct sm_place *frames; /* innermost first */
    uint32_t n;
};

struct sm_place sm_place_copy(const struct sm_place *place);
void sm_place_free(struct sm_place *place);
/* Takes over the strings of the frame. */
void sm_stack_add(struct sm_stack *stack, struct sm_place frame);
void sm_stack_free(struct sm_stack *stack);

#endif
