/*
 * openmp.h - OpenMP's constructs as happens-before, once for both flavours.
 *
 * libomp is not instrumented. It reports by OMPT (ompt.h) what the program's threads do, and each
 * construct becomes releases and acquires on an object that represents a parallel region (a team),
 * a task, a taskgroup, a variable that tasks depend on, or a lock:
 *
 *   parallel region   its beginning to each implicit task; all of them, by the last barrier, to
 *                     what follows the region
 *   barrier           each arrival to each departure; two clocks in turn, as nobody is two phases
 *                     late. Explicit tasks end before a barrier of their team does
 *   task              creation to its first step; its end to taskwait, taskgroup and barrier
 *   depend            ends of earlier tasks to the beginning of later ones, by type
 *   doacross          source to the sinks that name its iteration
 *   critical, ordered, locks
 *                     release to the next acquisition
 *   reduction         what libomp combines inside a barrier: arrivals so far to the combination,
 *                     and its result to the next one
 *   flush             a seq_cst fence
 *
 * Program order is that of threads: two tasks that one thread executes are ordered, because a
 * program may rely on that (`sum[omp_get_thread_num()] += x` in a task).
 *
 * The pthread calls of libomp itself are not synchronisation of the program: waking a sleeping
 * worker orders nothing. sm_openmp_calls recognises such calls.
 *
 * Each runtime defines the functions under "port". They are called by the thread of the event, from
 * inside libomp.
 */
#ifndef SM_CORE_OPENMP_OPENMP_H
#define SM_CORE_OPENMP_OPENMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code of libomp; size 0 until it starts. */
extern uintptr_t sm_openmp_code, sm_openmp_code_size;

static inline bool sm_openmp_calls(const void *pc)
{
    return (uintptr_t)pc - sm_openmp_code < sm_openmp_code_size;
}

/* Before the program starts: removes settings with which libomp would report less. */
void sm_openmp_prepare(char **environment);

/* What the running task would wait for: children, tasks of its innermost taskgroup, children that a
   task or taskwait with this dependence follows. In controlled execution. */
struct sm_openmp_dependence {
    uint64_t address;
    int type; /* enum sm_ompt_dependence_type */
};
bool sm_openmp_has_children(void);
bool sm_openmp_has_group(void);
bool sm_openmp_has_predecessor(const struct sm_openmp_dependence *dependence);

/* ---- port ---- */

/* libomp starts, and has not read its environment yet. False: do not register as its tool. */
bool sm_openmp_start(void);
/* Releases to, and acquires from, the clock `key` of the object. */
void sm_openmp_release(const void *object, uint32_t key, const void *pc);
void sm_openmp_acquire(const void *object, uint32_t key, const void *pc);
/* The object is destroyed; another may get its address. */
void sm_openmp_forget(const void *object);
/* Memory for objects, zeroed. Under control their addresses occur in events, and so must depend on
   the execution alone. */
void *sm_openmp_alloc(size_t size);
void sm_openmp_free(void *object, size_t size);
/* A lock, or what works like one, has been acquired, is being released. */
void sm_openmp_locked(const void *lock, const void *pc);
void sm_openmp_unlocked(const void *lock, const void *pc);
/* Waits, or yields, until the owner may have become NULL; it has become NULL. */
void sm_openmp_await(const void *const *owner, const void *pc);
void sm_openmp_unowned(const void *const *owner);
/* One thread runs at a time, so waiting inside libomp must be avoided. */
bool sm_openmp_is_scheduled(void);
/* The thread is about to synchronise: another one may run first. */
void sm_openmp_point(const void *pc);
/* A task has been created, or has ended. */
void sm_openmp_progress(void);
void sm_openmp_fence(const void *pc);
/* Newly allocated: nothing has happened there yet. */
void sm_openmp_new_memory(void *addr, size_t size, const void *pc);
/* The start of the region that the thread is about to enter, for sm_openmp_member. */
const void *sm_openmp_region(const void *pc);
/* The thread is number `member` of `size` in a region; size 0: it has left its region. */
void sm_openmp_member(const void *region, uint32_t member, uint32_t size);

#endif
