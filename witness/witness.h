/*
 * witness.h - the file that holds one execution.
 *
 * A witness has all that is needed to replay an execution (program, arguments, input,
 * environment, options, choices) and to check it without running anything (events, and
 * the site rows they refer to). The format is in docs/trace-format.md; reader and writer
 * are both here, so that they agree.
 *
 * This header and its library `smwitness` do not depend on the rest of the driver: the
 * checker links them too. Files are written under another name and then renamed, so a
 * file with the final name is complete. Readers verify checksums and lengths before they
 * use any data.
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

/* A file mapped into the program's memory: the program itself, then its libraries. */
struct sm_mapped_file {
    char *path;
    char *build_id; /* "" when the file has none and could not be read */
    uint64_t base, start, end;
};

/* The call in the user's code that led to an event. */
struct sm_user_call {
    struct sm_place place; /* the innermost frame outside of system headers */
    char *callee;          /* the library function that it called; NULL: none */
};

/* Memory, by its name in the user's source. */
struct sm_named_memory {
    uint64_t addr; /* normalised, as in the records */
    char *name;    /* "ring[3]", "g_config" */
    char *type;    /* of a variable of a library type: "std::shared_ptr<Config>"; else NULL */
};

/* Initial bytes of memory that are not as in the program's file: target/initial.h. */
struct sm_initial {
    uint64_t addr, value, size;
};

struct sm_witness {
    /* texts and numbers: listed in witness.def */
#define SM_WITNESS_TEXT(name) char *name;
#define SM_WITNESS_NUMBER(name) uint64_t name;
#include "witness/witness.def"
    struct sm_options options; /* as requested: `schedule` is the policy that found it */
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
    struct sm_sites sites; /* in a file: only those of its records and certificates */
};

/* Both return false and the reason, as a message for the user without the file's name. */
bool sm_witness_read(const char *path, struct sm_witness *witness, char why[SM_WHY_SIZE]);
bool sm_witness_write(const char *path, const struct sm_witness *witness, char why[SM_WHY_SIZE]);
void sm_witness_free(struct sm_witness *witness);

/* The file that a hunt writes beside a witness: the same schedule with the newest values
   (hunt/newest.h). The caller frees it. */
char *sm_witness_newest(const char *path);

/* A hash of records, choices, what was run and how it ended. Computed when the execution is
   recorded, not when the file is written: a part that was changed since, or is from another
   witness, no longer fits, even if its checksum is right. Without the model and the schedule: hunt
   determines them later. */
uint64_t sm_witness_seal(const struct sm_witness *witness);
/* Counts records other than PART, which belong to a read, and EXTERNAL, which are no events. */
uint64_t sm_witness_count_events(const struct sm_witness *witness);
/* False, and why, if the parts are not of one execution. To be called before using a witness from
   an untrusted source. */
bool sm_witness_is_whole(const struct sm_witness *witness, char why[SM_WHY_SIZE]);

#endif
