/*
 * initial.h - the initial contents of memory, without running the program.
 *
 * Static data begins with the contents of the program's file. Other memory (relocated pointers,
 * heap and stacks, variables that code outside the recording has written before) is declared in the
 * witness, range by range, when it is recorded. A read of an initial value that is neither in the
 * file nor declared was not recorded: `check` refuses it. Declared values are trusted, and counted.
 */
#ifndef SM_TARGET_INITIAL_H
#define SM_TARGET_INITIAL_H

#include "witness/witness.h"

struct sm_initial_memory {
    const struct sm_witness *witness;
    struct sm_initial_segment *segments; /* of the program's file */
    size_t n_segments;
    bool has_file;      /* it exists, and is the same build */
    uint64_t trusted;   /* ranges that were declared */
    uint64_t unchecked; /* of static data, if there is no file */
};

void sm_initial_open(struct sm_initial_memory *memory, const struct sm_witness *witness);
void sm_initial_close(struct sm_initial_memory *memory);
/* For sm_check_options: may the bytes at the normalised address have this initial value? */
bool sm_initial_begins(void *memory, uint64_t addr, unsigned size, uint64_t value);

/* Fills in the witness's declarations from its records and certificates. */
void sm_initial_declare(struct sm_witness *witness);

#endif
