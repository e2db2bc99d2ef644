/*
 * seqcst.h - the order of seq_cst accesses, where it need not be the order of execution.
 *
 * Usually the machine takes the order of execution for it, which is complete: each other order is
 * that of some other execution order. A plain read of a racing write restricts the execution
 * order, because it must execute after the write without happening after it:
 *
 *     r = x; y = 1 (seq_cst)  ||  y = 2 (seq_cst); x = 1       r == 1, and y is 2 in the end
 *
 * Then a state keeps the seq_cst accesses, and for each those that must precede it: by
 * happens-before, modification order and from-read. An access that closes a cycle is forbidden. If
 * seq_cst locations have no weaker atomic accesses, and there is no seq_cst fence, that is RC11's
 * psc: each happens-before path between two seq_cst accesses is in psc.
 */
#ifndef SM_VERIFY_STATES_SEQCST_H
#define SM_VERIFY_STATES_SEQCST_H

#include <stdbool.h>
#include <stdint.h>

enum { SM_SEQ_CST_ACCESSES = 40 };

struct sm_seq_cst_access {
    uint64_t before; /* a bit for each access that precedes it */
    uint16_t loc, time;
    uint16_t read_nth, write_nth; /* the write it reads, and its own */
    uint8_t thread;
    uint8_t read_thread; /* SM_NOBODY: the initial value */
    bool reads, writes;
};

/* Sorted by thread; those of one thread in program order. */
struct sm_seq_cst {
    uint64_t n;
    struct sm_seq_cst_access at[SM_SEQ_CST_ACCESSES];
};

struct sm_machine;

void sm_seq_cst_start(void); /* once */
/* The order of execution is not complete. */
void sm_seq_cst_want(void);
void sm_seq_cst_note_fence(void);
/* Tracking was turned on or off: everything must restart. True only once. */
bool sm_seq_cst_grew(void);
bool sm_seq_cst_is_tracked(void);
/* Not tracked because of a seq_cst fence: the exploration is incomplete. */
bool sm_seq_cst_is_cut(void);

/* The thread has just read from the write at position `read` (0: the initial value, UINT16_MAX:
   none), and made the one at `written` (0: none), both in modification order from 1. False: no
   order of seq_cst accesses allows it. */
bool sm_seq_cst_add(struct sm_machine *machine, uint32_t thread, uint16_t loc, uint16_t read,
                    uint16_t written);
/* Drops accesses that can no longer be part of a cycle. */
void sm_seq_cst_tidy(struct sm_machine *machine);

#endif
