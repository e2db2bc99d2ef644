/*
 * window.h - the reuse of short epochs, once the marks that have them are removed.
 *
 * A mark has 23 bits of its epoch (cell.h). Epochs are handed out in increasing order (epoch.c), so
 * while all marks are of the last 2^23 epochs, the window, a short epoch stands for one epoch. When
 * the window is used up it moves by half its length, and the marks of that half are removed from
 * the shadow. So a race may be missed if at least 2^22 releases of the program lie between its two
 * accesses. (Records keep whole epochs and lose none. What else can lose a mark: marks.h, claim.h.)
 *
 * A thread that has not released for so long has a current epoch before the window: it begins a new
 * one before it marks anything (sm_epoch_renew). `marking` ensures that no thread is between this
 * test and its mark while marks are removed: the thread sets it, tests, marks and resets it, all
 * with ordinary stores. The thread that moves the window changes the limit that is tested, orders
 * that with the stores of all threads by membarrier, and waits for each thread that is marking.
 */
#ifndef SM_NATIVE_WINDOW_H
#define SM_NATIVE_WINDOW_H

#include "native/epoch.h"
#include "native/paths.h"

extern uint32_t sm_marks_from; /* no mark may have an epoch before this */

void sm_window_init(void);
/* Makes room for epochs below `end`. False if that is impossible (counted). */
bool sm_window_reach(uint32_t end);

/* Between these two calls the running thread may set marks of its current epoch, if the first
   returns true. A signal handler may run in between. */
static inline bool sm_marking_begin(struct sm_detect_thread *thread, bool *outer)
{
    *outer = thread->marking;
    __atomic_store_n(&thread->marking, true, __ATOMIC_RELAXED);
    __asm__ volatile("" ::: "memory"); /* membarrier does the rest */
    return sm_own.epoch >= __atomic_load_n(&sm_marks_from, __ATOMIC_RELAXED);
}

static inline void sm_marking_end(struct sm_detect_thread *thread, bool outer)
{
    __atomic_store_n(&thread->marking, outer, __ATOMIC_RELEASE); /* after the marks */
}

/* Before sm_marking_begin, which returns false if the epoch is too old. False if no epochs are
   left. */
static inline bool sm_marking_renew(struct sm_detect_thread *thread)
{
    if (sm_own.epoch >= __atomic_load_n(&sm_marks_from, __ATOMIC_RELAXED) || thread->marking)
        return true;
    return sm_epoch_renew(thread);
}

#endif
