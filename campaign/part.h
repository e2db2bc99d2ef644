/*
 * part.h - the result of a part of an exploration, in memory and in a file.
 *
 * A file is a head, with its hash, followed by the parcels that were left over. The head says where
 * each begins and has its hash: adding up results reads only heads, and when all parcels of a file
 * are done the file can be truncated after its head.
 */
#ifndef SM_CAMPAIGN_PART_H
#define SM_CAMPAIGN_PART_H

#include "abi/control.h"
#include "base/memory.h"
#include "base/status.h"

enum { SM_PARCEL_NAME_SIZE = 40 };

/* Sums, except what belongs to hb. */
struct sm_part {
    uint64_t executions, blocked, stands_for;
    uint64_t iterations, states, writes;
    uint32_t cut, weak, sampled, unseen;
    uint32_t n_races, n_outcomes;
    struct sm_race *races;
    struct sm_part_outcome {
        char *text; /* ends in NUL */
        uint64_t size, count;
    } *outcomes;
};
/* The results of a control block, with so many executions; outcomes are in memory. */
void sm_part_take(struct sm_part *part, const struct sm_control *control,
                  const struct sm_explored_saved *counted, const char *outcomes, const char *end);
void sm_part_add(struct sm_part *to, const struct sm_part *part);
/* Subtracts the earlier results. */
void sm_part_subtract(struct sm_part *from, const struct sm_part *before);
void sm_part_free(struct sm_part *part);

/* A parcel that is left over. */
struct sm_left_over {
    char name[SM_PARCEL_NAME_SIZE];
    double left; /* executions, estimated; 0: unknown */
    uint64_t size, offset, hash;
    const void *bytes; /* not in a file that was read */
};

struct sm_part_file {
    struct sm_part part;
    struct sm_left_over *rest;
    uint64_t n_rest;
    uint64_t head_size;
};
void sm_part_file_write(struct sm_part_file *file, struct sm_buffer *to); /* fills in the rest */
/* False without an error: there is none. */
bool sm_part_file_read(struct sm_part_file *file, const char *path, struct sm_error *error);
void sm_part_file_free(struct sm_part_file *file);
/* The bytes of a parcel; false: the file is truncated, or damaged. */
bool sm_part_file_parcel(const struct sm_left_over *parcel, const char *path,
                         struct sm_buffer *bytes);

#endif
