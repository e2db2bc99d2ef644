/*
 * witness.h - the file that holds one execution.
 *
 * A witness is all that is needed to run an execution again (program, arguments,
 * input, environment, options, choices) and to judge it without running anything
 * (events, the site rows they name). The format is in docs/trace-format.md; reader
 * and writer are here together, so that they cannot drift apart.
 *
 * This header and the library `smwitness` behind it know nothing of the rest of the
 * driver: the checker links them too. Files are written whole under another name and
 * then renamed: what carries the name is complete. Readers verify checksums and
 * lengths before they believe a byte.
 */
#ifndef SM_WITNESS_WITNESS_H
#define SM_WITNESS_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/control.h"
#include "base/memory.h"
#include "witness/certificate.h"
#include "witness/place.h"
#include "witness/sites.h"

#define SM_WITNESS_VERSION 3u
#define SM_WHY_SIZE 1024 /* room for the reason when reading or writing fails */

/* A file that was mapped into the program: the program itself, then its libraries. */
struct sm_mapped_file {
    char *path;
    char *build_id; /* "" when the file has none and could not be read */
    uint64_t base, start, end;
};

/* Where the user's code called what made an event, and what it called there. */
struct sm_user_call {
    struct sm_place place; /* the innermost frame that is in no header of the system's */
    char *callee;          /* the library's function that it called; NULL: none */
};

/* Memory as the user's source calls it. */
struct sm_named_memory {
    uint64_t addr; /* normalised, as in the records */
    char *name;    /* "ring[3]", "g_config" */
    char *type; /* of a variable whose type is the library's: "std::shared_ptr<Config>"; or NULL */
};

/* Bytes of memory that do not begin with what the program's file holds: target/initial.h. */
struct sm_initial {
    uint64_t addr, value, size;
};

struct sm_witness {
    /* texts and numbers: listed in witness.def */
#define SM_WITNESS_TEXT(name) char *name;
#define SM_WITNESS_NUMBER(name) uint64_t name;
#include "witness/witness.def"
    struct sm_options options; /* as asked for: `schedule` is the policy that found it */
    struct sm_place place;     /* of the failure */
    struct sm_stack stack;     /* of the failure */
    struct sm_mapped_file *objects;
    size_t n_objects;
    struct sm_user_call *calls; /* sm_record.stack counts from 1 */
    size_t n_calls;
    struct sm_named_memory *names; /* by addr */
    size_t n_names;
    struct sm_list threads; /* by number: the start function, "" if unknown */

    struct sm_list arguments; /* from argv[0] on */
    struct sm_list environment;
    struct sm_buffer input;
    uint32_t *watched; /* numbers of the watched sites, when watch_mode is SM_WATCH_LIST */
    size_t n_watched;
    uint32_t *lied; /* numbers of the sites lied about, when lie_mode is SM_LIE_LIST */
    size_t n_lied;
    uint64_t *sampled; /* elements of arrays that raced, when options.sample is set */
    size_t n_sampled;
    struct sm_choice *choices;
    size_t n_choices;
    struct sm_record *records;
    size_t n_records;
    struct sm_certificates certificates; /* of future values, hb */
    struct sm_initial *initial;          /* in the order of memcmp */
    size_t n_initial;
    struct sm_sites sites; /* only those that a record or the failure names */
};

/* Both return false and say why, in words fit for the user, without the file's name. */
bool sm_witness_read(const char *path, struct sm_witness *witness, char why[SM_WHY_SIZE]);
bool sm_witness_write(const char *path, const struct sm_witness *witness, char why[SM_WHY_SIZE]);
void sm_witness_free(struct sm_witness *witness);

/* The file that a hunt writes beside a witness: the same schedule with the newest values
   (hunt/newest.h). The caller frees it. */
char *sm_witness_newest(const char *path);

/* What ties the parts together: records, choices, what was run and how it ended. Taken when the
   execution is recorded, not when the file is written: a part that was changed since then, or taken
   from another witness, no longer fits, whatever its checksum says. The model and the schedule are
   left out: hunt finds them later. */
uint64_t sm_witness_seal(const struct sm_witness *witness);
/* Of its records: PART ones belong to a read, EXTERNAL ones to no event. */
uint64_t sm_witness_count_events(const struct sm_witness *witness);
/* False, and why: the parts are not of one execution. Who reads a witness that somebody else may
   have written asks this before using it. */
bool sm_witness_is_whole(const struct sm_witness *witness, char why[SM_WHY_SIZE]);

#endif
