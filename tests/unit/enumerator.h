/*
 * enumerator.h - the checker's brute-force twin.
 *
 * It writes down every candidate trace of a tiny straight-line program, and judges a tiny
 * trace by the textbook axioms, coded as the textbooks print them: relations as matrices,
 * modification orders as permutations, no vector clocks and nothing clever. It shares no
 * code with the checker; where the two disagree, one of them is wrong.
 *
 * For tests only: at most EN_EVENTS events, accesses of 4 bytes or of 8.
 */
#ifndef SM_ENUMERATOR_H
#define SM_ENUMERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "../../checker/check.h"

enum { EN_FAILED = 50 }; /* is added to what a failed compare-exchange has read */
enum { EN_THREADS = 4, EN_LENGTH = 6, EN_LOCATIONS = 3, EN_EVENTS = 64, EN_RECORDS = 64 };

struct en_instruction {
    char op; /* W R U F L M, as in tests/litmus/litmus.def; C: weak compare-exchange of 0 */
    bool is_volatile;
    uint8_t order; /* enum sm_order */
    uint8_t location;
    uint8_t value;
};

struct en_program {
    uint32_t n_threads;
    uint32_t length[EN_THREADS];
    struct en_instruction code[EN_THREADS][EN_LENGTH];
    bool final[EN_LOCATIONS]; /* does the initial thread read it in the end? */
};

struct en_outcome {
    uint32_t n;
    uint64_t read[EN_THREADS * EN_LENGTH]; /* by R, U and C as they stand in the program */
    uint64_t final[EN_LOCATIONS];
};

/* Both abort on text that is no litmus test. en_parse_outcome also sets program->final. */
void en_parse(const char *text, struct en_program *program);
void en_parse_outcome(const char *text, struct en_program *program, struct en_outcome *outcome);

struct en_trace {
    struct sm_record records[EN_RECORDS];
    uint32_t n;
    struct en_outcome outcome;
};

struct en_request {
    const struct en_program *program;
    struct sm_check_options options;
    bool forced;    /* sc, tso, pso: reads return what memory order says, not just anything */
    bool plausible; /* without those that lock what is held, land a store before an older one of its
                       buffer, or update or lock with stores in it: none is legal, and they are most
                     */
    const struct en_outcome *wanted; /* only traces with this outcome, unless NULL */
    void (*visit)(const struct en_trace *trace, void *context);
    void *context;
};

/* Visits every candidate trace: interleavings, reads-from (stores that stand later in the
   trace only with prescience), for tso and pso also which stores are delayed and when they
   land. Returns how many there were. */
uint64_t en_traces(const struct en_request *request);

/* The location of a record: 0 is x; -1: it is of none. */
int en_location(const struct sm_record *record);

/* Is the trace legal, by the textbook? */
bool en_legal(const struct sm_record *records, uint32_t n, const struct sm_check_options *options);

/* tso and pso once more, without memory order: is this execution (reads-from, and the order
   in which stores land) allowed by the axioms over program order, as herd states them? */
bool en_allowed(const struct sm_record *records, uint32_t n, enum sm_model_id model);

#endif
