/*
 * idle.h - threads that wait in loops which only read.
 *
 * A step that closes an iteration which only read atomics (await.h) is not taken. What the thread
 * can do afterwards it could do without the iteration, too: its reads only added to what it knows,
 * which leaves it, and those that synchronise with it, fewer writes to read. So the states after it
 * show nothing new: no outcome, no failure, no race, no write that another thread may foresee (four
 * threads that wait for a test-and-set lock have 93,000 states in place of 1.4 million).
 *
 * What is lost is that such a thread may wait for ever, so this is looked for here: where each
 * thread is blocked, or would repeat its iteration with the newest values, nothing happens any
 * more. Every such execution has a state in which each waiting thread is at the last read of an
 * iteration that saw the newest values, and that state is reached.
 *
 * Iterations with plain reads are explored: these change no state, and any of several values may be
 * read for ever.
 */
#ifndef SM_VERIFY_STATES_IDLE_H
#define SM_VERIFY_STATES_IDLE_H

#include "verify/states/machine.h"

enum sm_stays {
    SM_STAYS,
    SM_GOES_ON,
    SM_STAYS_UNSURE, /* it reads plainly, and several writes are the newest */
};

/* A step from one node of a thread to another closes an iteration that only read atomics. */
bool sm_idle_closes(uint32_t from, uint32_t to);
/* The thread reads, or has made an idle iteration (SM_LOCAL_IDLE): does it wait for ever if it
   reads the newest values from now on? */
enum sm_stays sm_idle_stays(const struct sm_machine *machine, uint32_t thread);

#endif
