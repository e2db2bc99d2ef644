/*
 * detect_ranges.h - checks that one check before a loop can replace.
 *
 * The analyses this needs (loops, scalar evolution) have no C API, so detect_ranges.cpp and
 * detect_before.cpp query them; detect_skip.c decides what to do.
 */
#ifndef SM_PLUGIN_DETECT_RANGES_H
#define SM_PLUGIN_DETECT_RANGES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The analyses of one function, and the ranges found in it so far. */
struct sm_loops;
typedef bool sm_synchronises(LLVMValueRef instruction);
struct sm_loops *sm_loops_new(LLVMValueRef function, sm_synchronises *synchronises);
void sm_loops_free(struct sm_loops *loops);

struct sm_loop_access {
    LLVMValueRef instruction, address;
    uint64_t size;
    bool write;
    bool word; /* a whole granule */
    uint32_t row;
};

/* First all plain accesses of the function are added, in the order of their rows. Then: is there
 * one that is always executed before this one, without synchronisation in between, that covers all
 * its bytes and is at least as strong (a write for a read)? */
void sm_loops_made(struct sm_loops *loops, const struct sm_loop_access *access);
bool sm_loops_made_before(struct sm_loops *loops, const struct sm_loop_access *access);

/* True if nothing in the access's loop synchronises, and it is either executed in the first
 * iteration, at a loop-invariant address, or in each iteration, at addresses a fixed step apart,
 * with an iteration count known before the loop. It is then part of a range. */
bool sm_loops_add(struct sm_loops *loops, const struct sm_loop_access *access);

struct sm_range {
    uint32_t row; /* of one of its accesses */
    bool write;
    LLVMValueRef before; /* where to check: an instruction */
    LLVMValueRef start;  /* lowest address, as an i64 */
    LLVMValueRef count;  /* accesses, an i64, at least 1 */
    uint64_t step;       /* bytes from one to the next; 0: there is only one */
};

/* Emits code that computes each range, and passes it to `show`. No access may be added after
   this. */
void sm_loops_each(struct sm_loops *loops, void (*show)(void *context, const struct sm_range *),
                   void *context);

/* Neighbouring words that a loop accesses in each iteration, with too large a step for a range:
 * fields of the elements of an array. */
#define SM_STRIPES_MAX 8
struct sm_stripes {
    uint32_t rows[SM_STRIPES_MAX]; /* in order of address */
    unsigned n;                    /* at least 2 */
    bool write;
    LLVMValueRef before, start, count;
    uint64_t step;
};
void sm_loops_each_stripes(struct sm_loops *loops,
                           void (*show)(void *context, const struct sm_stripes *), void *context);

/* The distance from the address `from` to `to`, if it is constant; else false. */
bool sm_loops_distance(struct sm_loops *loops, LLVMValueRef from, LLVMValueRef to,
                       int64_t *distance);

#ifdef __cplusplus
}
#endif

#endif
