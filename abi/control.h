/*
 * control.h - the memory that the driver and the runtime share.
 *
 * The driver creates four memory files and passes their descriptors to the program in the
 * environment variable SM_CONTROL_ENV ("control,choices,trace,sites"). The runtime maps them before
 * main, removes the variable, and marks the descriptors close-on-exec, so that programs started by
 * the program run natively. A program started without the variable runs as if it had not been
 * instrumented.
 *
 *   control   struct sm_control: orders in, results out
 *   choices   in: the answers to give (replay); out: the answers given
 *   trace     out: struct sm_record[], then see sm_control.trace_records
 *   sites     out: the site table, see sitefile.h
 *
 * The files are sparse and mapped whole; only pages that are used cost memory.
 * What the runtime writes survives the death of the program, however it dies:
 * every result is written before the event it describes can kill the process.
 *
 * Fork server: if `serve` is set the program stops just before main, and for each
 * byte read from the descriptor `server_fd` forks a child that runs one execution
 * with the options then in this block. When the child is dead, the server writes
 * its wait status to server_fd as an int, and waits for the next byte; end of file
 * ends it. The first int it writes, before any byte is read, is SM_SERVER_READY.
 */
#ifndef SM_ABI_CONTROL_H
#define SM_ABI_CONTROL_H

#include <stdint.h>

#include "abi/atomicity.h"
#include "abi/choice.h"
#include "abi/coverage.h"
#include "abi/foreseen.h"
#include "abi/harm.h"
#include "abi/race.h"
#include "abi/record.h"
#include "abi/repair.h"
#include "abi/site.h"

#define SM_CONTROL_ENV "STALEMATE_CONTROL"
#define SM_CONTROL_MAGIC 0x31544d53u /* "SMT1" */
/* In its place: the program's runtime does not know this layout, and has detached. */
#define SM_CONTROL_OTHER_VERSION 0x3f544d53u
/* Covers what the lists do not show (sm_control_version, below): increment it when the meaning or
   the order of the fields of struct sm_control changes. */
#define SM_CONTROL_EDITION 5u
#define SM_SERVER_READY 0x534d5244

/* How users spell these: base/words.h. */
enum sm_model_id {
#define SM_MODEL(name, word, needs) SM_MODEL_##name,
#include "abi/models.def"
    SM_MODELS
};
enum sm_schedule_id {
#define SM_SCHEDULE(name, word, about) SM_SCHEDULE_##name,
#include "abi/schedules.def"
    SM_SCHEDULES
};
enum sm_heuristic_id {
#define SM_HEURISTIC(name, word, about) SM_HEURISTIC_##name,
#include "abi/heuristics.def"
    SM_HEURISTICS
};
enum sm_failure_kind {
    SM_FAILURE_NONE,
#define SM_FAILURE(name, word, severity, family, about, advice) SM_FAILURE_##name,
#include "abi/failures.def"
    SM_FAILURES
};

/* No thread can run; the kind says why (runtime/sched/progress.c). */
static inline int sm_failure_is_stall(enum sm_failure_kind kind)
{
    return kind == SM_FAILURE_DEADLOCK || kind == SM_FAILURE_LOST_WAKEUP ||
           kind == SM_FAILURE_LIVELOCK;
}
enum sm_carrier_id { SM_CARRIER_THREAD, SM_CARRIER_FIBER, SM_CARRIERS };
enum sm_atomicity_id { SM_ATOMICITY_OFF, SM_ATOMICITY_SETS, SM_ATOMICITY_CONFLICT };
enum sm_leaks_id { SM_LEAKS_IGNORED, SM_LEAKS_FAIL, SM_LEAKS_TOLD };
enum sm_volatile_id { SM_VOLATILE_PLAIN, SM_VOLATILE_RELAXED, SM_VOLATILE_SEQ_CST, SM_VOLATILES };

/* Every option is a uint64_t, whatever its meaning, so that the layout has no padding. */
#define SM_DEFAULT_BOUND 10000
struct sm_options {
#define SM_OPTION(type, name, default_value, help) uint64_t name;
#include "abi/options.def"
};

/* Which sites are watched: see watch[] in site.h. */
enum sm_watch_mode {
    SM_WATCH_NONE, /* atomics and synchronisation only */
    SM_WATCH_ALL,
    SM_WATCH_LIST, /* the sites whose bit is set in sm_control.watch_bits */
};
#define SM_WATCH_BITS (1u << 20)
#define SM_MAX_SAMPLED 2048

/* The accesses about which the memory model may lie; the others are sequentially consistent. In an
   execution that is sequentially consistent throughout, they are the accesses to interleave. */
enum sm_lie_mode {
    SM_LIE_ALL,  /* every watched access and every atomic */
    SM_LIE_LIST, /* the sites whose bit is set in sm_control.lie_bits */
};

/* Scheduling points without an effect after which a livelock is looked for. */
#define SM_LIVELOCK_POINTS (1u << 15)

/* How the execution ended, as far as the runtime noticed. */
enum sm_end {
    SM_END_NONE,        /* still running, or killed from outside */
    SM_END_EXIT,        /* exit, _exit or return from main: `status` is the exit status */
    SM_END_SIGNAL,      /* fatal signal `status` */
    SM_END_ASSERT,      /* failed assertion: text in `detail` */
    SM_END_DEADLOCK,    /* no thread can run: who waits for what in `detail`; status: the kind */
    SM_END_HANG,        /* the step budget is spent */
    SM_END_ASSUME,      /* stalemate_assume(false): not an execution of the program */
    SM_END_DIVERGED,    /* replay departed from its recording: where and why in `detail` */
    SM_END_ERROR,       /* an internal error of the runtime: text in `detail` */
    SM_END_REFUSED,     /* the program does what this command cannot handle: `detail` says what */
    SM_END_UNVALIDATED, /* a load saw a value that was never stored: not an execution */
    SM_END_HARM,        /* `status` is a kind of failures.def that the runtime noticed: `harm` */
};

/* Where a thread of a deadlock waits. For a cycle its threads; without one, all threads that wait
   for more than the end of another. */
#define SM_MAX_WAITS 32
#define SM_WAIT_DEPTH 6
struct sm_wait_place {
    uint64_t pc;   /* within the call; 0: unknown */
    uint32_t site; /* or SM_NO_SITE */
    uint32_t thread;
    uint32_t depth;                /* of the stack; 0: unknown */
    uint64_t stack[SM_WAIT_DEPTH]; /* pc and what called it: the call may be a library's */
};

/* Option record: a call stack that sm_record.stack names, from 1 on. Only events outside the user's
   code have one: those of libc, and of the C++ library's headers. */
#define SM_CALL_DEPTH 24
#define SM_MAX_CALLS 1024
struct sm_call_stack {
    uint64_t depth;
    uint64_t pc[SM_CALL_DEPTH]; /* innermost first */
};
#define SM_MAX_STARTS 256

/* Why the runtime called sm_debug_stop, where gdb has its breakpoint. */
enum sm_debug_reason { SM_DEBUG_RUNS, SM_DEBUG_AT_EVENT, SM_DEBUG_AT_END };

#define SM_DETAIL_SIZE 4096
#define SM_STACK_DEPTH 64
#define SM_MAX_MODULES 64
#define SM_MAX_UNKNOWN_ASM 63

/* Where the loader put an object, so that the driver can turn addresses into lines. */
/* A translation unit of a library loaded after main began, with the numbers of its sites. They are
   assigned once for a target and kept between executions, in whatever order an execution loads its
   libraries. */
#define SM_MAX_LATE 1024
struct sm_late_unit {
    uint64_t identity; /* a hash of its name and of its sites */
    uint32_t first_site, n_sites;
};

struct sm_mapping {
    uint64_t base; /* load bias */
    uint64_t start, end;
    char path[256];
};

/* Counters of the runtime: one for each rule, so that tests can see which applied. */
enum sm_counter {
#define SM_COUNTER(name, word) SM_COUNT_##name,
#include "abi/counters.def"
    SM_COUNTERS
};

/* Option explore: the runtime explores all executions by itself. At a new violation it runs the
   execution again with a trace, sets VIOLATION, and waits (futex) until the driver has read this
   block and the files and sets RUNNING. */
#define SM_ANY_PREEMPTIONS UINT32_MAX                          /* of option preemptions: no bound */
enum { SM_EXPLORE_EVERYTHING = 1, SM_EXPLORE_BY_CHOICES = 3 }; /* of option explore */
/* As bits: why an exploration is not complete. */
enum sm_cut {
#define SM_CUT(id, word, text) SM_CUT_##id,
#include "abi/cuts.def"
    SM_CUTS
};
#define SM_CUT_BIT(id) (1u << SM_CUT_##id)

enum sm_explored_state {
    SM_EXPLORED_RUNNING,
    SM_EXPLORED_VIOLATION,
    SM_EXPLORED_DONE,
    SM_EXPLORED_GREW, /* done: the counts of all processes are void (verify/results/parcel.h) */
};
/* Parts for other processes (verify/results/parcel.h): one is in the memory of the trace, to begin
   with, or READY for the driver to fetch. SAVE and SPLIT ask for a checkpoint: struct
   sm_explored_saved. */
enum sm_parcel_state {
    SM_PARCEL_NONE,
    SM_PARCEL_BEGIN,
    SM_PARCEL_WANTED,
    SM_PARCEL_SAVE,
    SM_PARCEL_SPLIT,
    SM_PARCEL_READY
};
/* A checkpoint: the counts so far; in the memory of the trace: for SPLIT the part that is given
   away (given_size) and is no longer pending here, all that is pending (parcel_size), then, at a
   multiple of 8 bytes, the outcomes. Races are in the control block. */
struct sm_explored_saved {
    uint64_t executions, blocked, stands_for, given_size;
    double processor; /* seconds, of this process */
};
/* What to estimate the size of: nothing; the whole; each part separately. */
enum sm_watched { SM_WATCHED_NOT, SM_WATCHED_WHOLE, SM_WATCHED_PART };
enum { SM_MAX_EXPECTED = 256 };
#define SM_MOST_STOOD_FOR ((uint64_t)INT64_MAX) /* or more */
struct sm_explored {
    /* In: option --expect. Hashes (sm_outcome_hash) of the allowed outcomes, if any, in which case
       all others are forbidden; then of the forbidden ones. */
    uint32_t n_allowed, n_forbidden;
    uint64_t expected[SM_MAX_EXPECTED];
    uint32_t state;
    uint32_t stop;        /* in: 1: end after the current execution */
    uint32_t first_race;  /* in: 1: end after the first execution with a data race */
    uint32_t examples;    /* in: outputs for which an execution is shown, like a violation */
    uint64_t most;        /* in: events of graphs, or half as many states, to explore; 0: all */
    uint64_t spent;       /* of `most` */
    double seconds;       /* in: of processor time, to explore; 0: no limit */
    uint32_t cut;         /* why the exploration is incomplete: a bit for each of enum sm_cut */
    uint32_t proved;      /* option preemptions: every execution with fewer was explored */
    uint32_t assumed;     /* 1: an assumption failed: some threads ran that are in no execution */
    uint32_t most_events; /* that a thread had in a graph before another one, */
    uint32_t most_events_site; /* which was that of this site */
    uint32_t weak;             /* 1: there are atomic accesses of other orders than seq_cst */
    uint32_t iterations;       /* hb: iterations until the write set was a fixed point */
    uint32_t n_outcomes;
    uint64_t states;     /* hb: in the last iteration */
    uint64_t writes;     /* hb: in the write set */
    uint64_t blocked;    /* blocked executions */
    uint64_t stands_for; /* executions that the explored ones stand for: verify/graph/symmetry.h */
    uint64_t outcomes_lost;
    uint32_t timed;   /* 1: the program reads the time, sleeps, or waits with a time limit */
    uint32_t unseen;  /* row of unseen.def, from 1, that the program calls; 0: none */
    uint32_t watched; /* in: enum sm_watched */
    double estimate;  /* estimated number of executions; 0: none yet */
    uint32_t
        sampled;     /* 1: of some input (__VERIFIER_nondet_...) a few values were tried, not all */
    uint32_t parcel; /* in and out: enum sm_parcel_state */
    uint64_t parcel_size;
    struct sm_explored_saved saved;
};
/* When DONE the trace file holds n_outcomes of these, each followed by its text and padded
   to 8 bytes. */
struct sm_explored_outcome {
    uint64_t count, size;
};
/* Prefix of `detail` in the execution that is the example of an output; its sm_outcome_hash
   follows. */
#define SM_EXAMPLE "example of outcome "

/* Hash of an execution's output without trailing newlines. */
static inline uint64_t sm_outcome_hash(const char *text, uint64_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    while (size && text[size - 1] == '\n')
        size--;
    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3u;
    return hash;
}

static inline int sm_outcome_is_forbidden(const struct sm_explored *explored, uint64_t hash)
{
    uint32_t n = explored->n_allowed + explored->n_forbidden, i = 0;
    while (i < n && explored->expected[i] != hash)
        i++;
    return i < n ? i >= explored->n_allowed : explored->n_allowed > 0;
}

/* Fields that each execution writes come first, close together; the arrays, which it uses little,
   come last: with the number of entries beside each array an execution touched a page for each of
   them, 11 of its 85 page faults. */
struct sm_control {
    uint32_t magic;
    uint32_t version; /* sm_control_version of the driver */
    /* --- in: written by the driver before an execution --- */
    struct sm_options options;
    uint32_t serve; /* 1: be a fork server */
    int32_t server_fd;
    uint32_t watch_mode;     /* enum sm_watch_mode */
    uint32_t lie_mode;       /* enum sm_lie_mode */
    uint32_t want_sites;     /* 1: dump the site table to the fourth descriptor */
    uint32_t want_choices;   /* 1: fill the choices file; as option record does */
    uint32_t stopped;        /* enum sm_debug_reason; out */
    uint64_t stop_at;        /* replay: sm_debug_stop is called after this many records */
    uint64_t choices_in;     /* number of entries in the choices file to answer from */
    uint64_t choices_limit;  /* capacity of the choices file, in entries */
    uint64_t trace_limit;    /* capacity of the trace file, in records */
    uint64_t replay_records; /* compare events with this many records already in the trace file */
    uint64_t n_sampled;      /* option sample: entries of sampled */
    uint64_t n_predictions;  /* option prescient: entries of predictions */
    /* --- out: written by the runtime --- */
    uint32_t attached; /* 1 as soon as the runtime has mapped this block */
    uint32_t queued;   /* 1: waits for another execution to end: runtime/intercept/names.h */
    uint32_t end;      /* enum sm_end */
    int32_t status;
    uint32_t end_thread;
    uint32_t end_site;  /* site of the failing event, or SM_NO_SITE */
    uint32_t end_depth; /* entries of end_stack */
    uint64_t fault_addr;
    uint64_t repairs_met;     /* bits: of ORDER repairs, whose site was executed; never cleared */
    uint32_t repairs_unknown; /* 1: refused, because a repair does not fit the program */
    uint32_t n_waits;         /* a deadlock's: entries of waits */
    uint32_t n_warnings, warnings_lost;
    uint64_t choices_out;   /* entries now in the choices file */
    uint64_t choices_made;  /* choices of n > 1, those answered 0 included */
    uint64_t trace_records; /* records now in the trace file */
    uint64_t trace_lost;    /* records that did not fit */
    uint64_t trace_hash;    /* of the records, kept whether or not they are stored */
    uint64_t events;
    uint64_t executions;  /* made in this process (options repeat and explore) */
    uint64_t n_sites;     /* of all modules; never cleared */
    uint64_t sites_bytes; /* of whole tables in the site file; never cleared */
    uint32_t n_late;      /* entries of late; never cleared */
    uint32_t n_threads;
    uint32_t n_mappings;
    uint32_t n_unknown_asm; /* entries of unknown_asm; never cleared */
    uint32_t n_races;       /* entries of races */
    uint32_t races_lost;    /* further pairs of sites that did not fit */
    uint32_t n_foreseen;    /* option profile: entries of foreseen */
    uint32_t foreseen_lost;
    uint32_t n_covered;       /* option coverage: entries of covered */
    uint32_t covered_lost;    /* further keys that did not fit */
    uint32_t n_violations;    /* entries of violations */
    uint32_t violations_lost; /* further ones that did not fit */
    uint64_t unvalidated;     /* loads that saw a value that has not been stored so far */
    uint64_t n_calls;         /* entries of calls */
    uint64_t outcome_bytes;   /* text added by stalemate_outcome */
    uint64_t counters[SM_COUNTERS];
    char detail[SM_DETAIL_SIZE];
    uint64_t end_stack[SM_STACK_DEPTH]; /* program counters, innermost first */
    struct sm_explored explored;        /* in and out */
    uint64_t starts[SM_MAX_STARTS];     /* by thread: its start routine, 0 if unknown */
    struct sm_wait_place waits[SM_MAX_WAITS];
    struct sm_harm harm;                      /* of SM_END_HARM */
    struct sm_harm warnings[SM_MAX_WARNINGS]; /* each kind and place once */
    struct sm_mapping mappings[SM_MAX_MODULES];
    struct sm_late_unit late[SM_MAX_LATE];
    uint32_t unknown_asm[SM_MAX_UNKNOWN_ASM]; /* sites of unknown assembly that was executed */
    struct sm_race races[SM_MAX_RACES];
    struct sm_foreseen foreseen[SM_MAX_FORESEEN];
    uint32_t covered[SM_MAX_COVERED];
    uint8_t shared_bits[SM_WATCH_BITS / 8]; /* option atomicity: sites that share a set */
    char inferred[SM_DECLARATIONS];         /* option infer_units: see atomicity.h */
    struct sm_undeclared undeclared; /* of `declarations`: a name that the program does not have */
    struct sm_violation violations[SM_MAX_VIOLATIONS];
    struct sm_call_stack calls[SM_MAX_CALLS];
    char outcome[65536];
    /* --- in, again --- */
    char declarations[SM_DECLARATIONS]; /* see atomicity.h */
    char repairs[SM_REPAIR_TEXT];       /* to assume: see repair.h */
    uint8_t watch_bits[SM_WATCH_BITS / 8];
    uint8_t lie_bits[SM_WATCH_BITS / 8];
    uint64_t sampled[SM_MAX_SAMPLED]; /* elements that raced, normalised (region.h) */
    struct sm_foreseen predictions[SM_MAX_FORESEEN]; /* values to serve, at most one per load */
};

/* A hash of what driver and runtime must agree on: the names and order of everything that the lists
   number, and the size of the block. The driver writes its own, the runtime compares. */
static inline uint32_t sm_control_version(void)
{
    static const char names[] =
#define SM_OPTION(type, name, default_value, help) #name " "
#include "abi/options.def"
#define SM_COUNTER(name, word) #name " "
#include "abi/counters.def"
#define SM_EVENT(name, word, hb) #name " "
#include "abi/events.def"
#define SM_PURPOSE(name, word) #name " "
#include "abi/purposes.def"
#define SM_MODEL(name, word, needs) #name " "
#include "abi/models.def"
#define SM_SCHEDULE(name, word, about) #name " "
#include "abi/schedules.def"
#define SM_HEURISTIC(name, word, about) #name " "
#include "abi/heuristics.def"
#define SM_FAILURE(name, word, severity, family, about, advice) #name " "
#include "abi/failures.def"
#define SM_ROLE(name, word) #name " "
#include "abi/roles.def"
        ;
    uint64_t hash = sm_outcome_hash(names, sizeof names - 1);
    hash = (hash ^ sizeof(struct sm_control)) * 0x100000001b3u ^ SM_CONTROL_EDITION;
    return (uint32_t)(hash ^ hash >> 32);
}

#endif
