/*
 * options.h - the options that the user gave.
 *
 * Options have one table (options.def), one parser and three sources: the file stalemate.conf
 * beside the program, the variable STALEMATE_OPTIONS, the command line. Later ones in this list
 * override earlier ones; a list given in one source replaces that of an earlier source. Errors name
 * the source, down to the line of the file.
 */
#ifndef SM_BASE_OPTIONS_H
#define SM_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/control.h"
#include "base/memory.h"
#include "base/status.h"

#define SM_OPTIONS_ENV "STALEMATE_OPTIONS"
#define SM_OPTIONS_FILE "stalemate.conf"

/* The commands that share the option table. */
enum sm_command_bit {
    SM_COMMAND_RUN = 1 << 0,
    SM_COMMAND_REPLAY = 1 << 1,
    SM_COMMAND_HUNT = 1 << 2,
    SM_COMMAND_CHECK = 1 << 3,
    SM_COMMAND_VERIFY = 1 << 4,
    SM_COMMAND_DETECT = 1 << 5,
    SM_COMMAND_REPORT = 1 << 6,
    SM_COMMAND_ATOMICITY = 1 << 7,
    SM_COMMAND_MERGE = 1 << 8,
    SM_COMMAND_CAMPAIGN = 1 << 9,
    SM_COMMAND_FIX = 1 << 10, /* takes what hunt takes */
    SM_COMMAND_HARNESS = 1 << 11,
};

enum sm_color { SM_COLOR_AUTO, SM_COLOR_ALWAYS, SM_COLOR_NEVER };
/* What runs the executions: this process, Slurm, GNU parallel; or nothing, and the commands are
   only printed. */
enum sm_on_id { SM_ON_HERE, SM_ON_SLURM, SM_ON_PARALLEL, SM_ON_SCRIPT };
/* Findings of a hunt that make its exit status 1: races that break the program, all that are not
   proved benign, all. A failure without a race always does. DESTRUCTIVE and VIOLATION: races alone
   do not. */
enum sm_fail_on { SM_FAIL_ON_DESTRUCTIVE, SM_FAIL_ON_RACE, SM_FAIL_ON_ANY, SM_FAIL_ON_VIOLATION };
static inline bool sm_fails_on_races(uint64_t fail_on)
{
    return fail_on == SM_FAIL_ON_RACE || fail_on == SM_FAIL_ON_ANY;
}

#define SM_NO_EXPECTATION UINT64_MAX
#define SM_OUT_DEFAULT ".stalemate"

/* Slice `index` (from 1) of `of`; of 0: all there is. */
struct sm_slice {
    uint64_t index, of;
};

struct sm_gathered;

struct sm_settings {
    struct sm_options options; /* for the runtime; run, hunt: schedule SM_SCHEDULES, heuristic
                                  SM_HEURISTICS when not given */
    struct sm_list watch;      /* "all", "none" or names of variables */
    double timeout;            /* seconds; 0: none */
    uint64_t memory;           /* MiB; 0: the default */
    uint64_t expect_exit;      /* or SM_NO_EXPECTATION */
    uint64_t trials, jobs;     /* jobs 0: as many as there are cores */
    double time;               /* seconds; 0: no limit */
    struct sm_slice shard;     /* of the planned executions */
    const struct sm_gathered *gathered; /* merge: made by shards (campaign/shards.h); else NULL */
    struct sm_list variables;           /* the only ones to lie about; empty: all */
    uint64_t together;
    uint64_t prescient, no_prescient, no_symmetry, no_exact, no_thin_air, prove;
    uint64_t conflict;          /* atomicity: all memory is one set */
    uint64_t infer_units;       /* atomicity: functions that lock a set twice are units */
    struct sm_list units, sets; /* atomicity: "F:T", "NAME=VARIABLE,VARIABLE" */
    uint64_t until_failure;     /* run --trials: stop at the first failure */
    uint64_t first;             /* verify: stop at the first violation */
    uint64_t examples;          /* verify: number of outputs for which a witness is kept */
    char *expect;               /* verify: file of outcomes */
    uint64_t on;                /* enum sm_on_id */
    uint64_t tasks;             /* of --on; 0: the default */
    uint64_t copy;              /* of --on: nodes do not share our file system */
    char *parcels;              /* verify: directory that workers share */
    double lease;               /* verify: seconds */
    char *oracle, *record, *json;
    char *assume_fix; /* file of repairs */
    char *program;    /* replay: where it is now */
    char *suppressions, *baseline;
    uint64_t fail_on;    /* enum sm_fail_on */
    uint64_t fix, apply; /* hunt: look for repairs; write them */
    uint64_t weaken;     /* fix: the other way round */
    char *build;         /* fix: the command that builds the program */
    /* harness: */
    uint64_t threads, calls, combinations, size, list;
    struct sm_list include, exclude, needs, waits, may_fail;
    char *output, *object, *init, *destroy;
    char *html, *sarif, *junit, *trace, *dot; /* report: files to write */
    char *annotations, *badge;                /* the same */
    char *out;                                /* NULL: SM_OUT_DEFAULT */
    uint64_t gdb, quiet, verbose;
    uint64_t color; /* enum sm_color */
    bool help;      /* --help was given: all else is ignored */
    struct sm_list operands;
};

/*
 * Parses argv[1..] for one command. If `program`, the first argument that is not an option names
 * the program, the following ones are its arguments, and a stalemate.conf beside it is read.
 * Otherwise options and operands may be mixed. After "--" all are operands.
 */
bool sm_settings_parse(struct sm_settings *settings, enum sm_command_bit command, bool program,
                       char **argv, struct sm_error *error);
void sm_settings_free(struct sm_settings *settings);

/* The options that repeat the same execution: all that are not the default, and the seed. Each is
   preceded by a blank. */
void sm_settings_repeat(const struct sm_settings *settings, struct sm_buffer *to);
/* The options of the command that determine which executions are planned and how they are judged:
   equal for all shards of one campaign. Each is preceded by a blank. */
void sm_settings_plan(const struct sm_settings *settings, enum sm_command_bit command,
                      struct sm_buffer *to);
/* Parses what sm_settings_plan wrote, and nothing else: no file, no variable. */
bool sm_settings_parse_plan(struct sm_settings *settings, enum sm_command_bit command,
                            const char *text, struct sm_error *error);
/* Appends a word, in quotes if a shell needs them. */
void sm_quote_word(const char *word, struct sm_buffer *to);

/* Should text on this descriptor be colored? Not if NO_COLOR is set (no-color.org), unless the
   option says so. */
bool sm_settings_color(const struct sm_settings *settings, int fd);

/* The lines of --help for the options of a command. */
void sm_settings_help(enum sm_command_bit command, FILE *to);

/* Splits as a shell would: blanks, '…', "…" and \. False when a quote does not end. */
bool sm_split_words(const char *text, struct sm_list *words);

#endif
