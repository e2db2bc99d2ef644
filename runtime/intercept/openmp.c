/*
 * openmp.c - OpenMP under control: core/openmp/openmp.h in events, and libomp's settings.
 *
 * libomp's threads are threads of the program, and its mutexes, conditions and yields go through
 * our interceptors, so it is scheduled like any other library. It is configured to wait by
 * yielding (a sleeping thread would not see tasks created later), which sm_openmp_idle makes
 * cheap, and not to depend on the machine it runs on.
 */
#define _GNU_SOURCE
#include "core/openmp/openmp.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/sys.h"
#include "core/openmp/ompt.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/heap.h"
#include "runtime/intercept/names.h"
#include "runtime/intercept/openmp.h"
#include "runtime/intercept/real.h"
#include "runtime/policy/policy.h"
#include "runtime/sched/sched.h"
#include "runtime/step.h"
#include "runtime/thread.h"

/* `always`: required, whatever the user has set. */
static void set(const char *name, const char *value, bool always)
{
    setenv(name, value, always);
}

static void set_up(void)
{
    set("OMP_NUM_THREADS", "4", false); /* independent of the number of processors */
    set("KMP_BLOCKTIME", "infinite", true);
    set("KMP_LIBRARY", "throughput", true);
    set("KMP_AFFINITY", "disabled", true);
}

bool sm_openmp_start(void)
{
    struct sm_thread *self = sm_self();
    if (!sm_control)
        return false;
    if (self)
        sm_engine_require(SM_FEATURE_OPENMP);
    if (self)
        self->in_runtime = true; /* setenv allocates */
    set_up();
    if (self)
        self->in_runtime = false;
    return true;
}

/* libomp records in shared memory, under its process id, that it is loaded. All controlled
   processes have one id, and would find each other's record: this one is in a file without a name.
   At a high descriptor, so that the program's own are as without libomp. */
static int note = -1;
enum { NOTE_FROM = 200 };

static int make_note(void)
{
    int fd = memfd_create("libomp", MFD_CLOEXEC);
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, NOTE_FROM);
    if (high < 0)
        return fd;
    sm_syscall(SYS_close, (long)fd);
    return high;
}

static bool is_note(const void *pc)
{
    return sm_self() && sm_openmp_calls(pc);
}

SM_EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
    if (!is_note(SM_CALLER())) {
        sm_name_used(name);
        return SM_REAL(shm_open)(name, flags, mode);
    }
    if (note < 0)
        note = make_note();
    return (int)sm_syscall(SYS_dup, (long)note);
}

SM_EXPORT int shm_unlink(const char *name)
{
    if (!is_note(SM_CALLER())) {
        sm_name_used(name);
        return SM_REAL(shm_unlink)(name);
    }
    sm_syscall(SYS_close, (long)note);
    note = -1;
    return 0;
}

/* Events that libomp reports are the program's, whatever call address it gives. */
static struct sm_event event_of(int kind, const void *object, uint64_t aux, const void *pc)
{
    const void *place = sm_openmp_calls(pc) ? NULL : pc;
    return sm_sync_event(kind, object, aux, (void *)(uintptr_t)place);
}

/* ---- waiting inside libomp ---- */

static const char progress;  /* its address is the queue of threads that wait for any progress */
static uint32_t idle_rounds; /* wake-ups by timeout while no other thread could run */

void sm_openmp_progress(void)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    self->polls = 0;
    idle_rounds = 0;
    sm_wake_all(&progress);
}

static bool others_run(void)
{
    for (const struct sm_thread *thread = sm_thread_by_id(0); thread; thread = thread->next)
        if (thread->state == SM_THREAD_RUNNABLE && !thread->polls && thread != sm_self())
            return true;
    return false;
}

/* A barrier of n threads is a tree: it needs fewer rounds than this. */
enum { OMP_ROUNDS = 1000 };

/* The longer a thread has waited the longer it lets the others run: 10 to 1,000 points. The periods
   differ between threads, so that no schedule runs in lockstep with them. */
static uint64_t idle_until(const struct sm_thread *self)
{
    enum { OMP_PERIOD = 10000, OMP_PERIODS = 100 }; /* a point takes 1,000 virtual nanoseconds */
    if (idle_rounds >= OMP_ROUNDS)
        return SM_NO_DEADLINE;
    uint64_t periods = self->polls < OMP_PERIODS ? self->polls : OMP_PERIODS;
    return sm_deadline_in(periods * OMP_PERIOD + self->id * (OMP_PERIOD / 7));
}

void sm_openmp_idle(void *pc)
{
    struct sm_thread *self = sm_self();
    self->polls++;
    if (sm_schedule && sm_schedule->yielded)
        sm_schedule->yielded(self);
    if (others_run())
        idle_rounds = 0;
    struct sm_event event = sm_sync_event(SM_EV_YIELD, &progress, 0, pc);
    struct sm_wait wait = {
        .queue = &progress, .what = "OpenMP construct", .deadline = idle_until(self)};
    if (sm_block(&wait, &event) == SM_TIMED_OUT)
        idle_rounds++;
}

static void emit(int kind, const void *object, uint64_t aux, const void *pc)
{
    if (!sm_self())
        return;
    sm_openmp_progress();
    struct sm_event event = event_of(kind, object, aux, pc);
    sm_sync(&event);
}

void sm_openmp_release(const void *object, uint32_t key, const void *pc)
{
    emit(SM_EV_HAPPENS_BEFORE, object, key, pc);
}

void sm_openmp_acquire(const void *object, uint32_t key, const void *pc)
{
    emit(SM_EV_HAPPENS_AFTER, object, key, pc);
}

void sm_openmp_forget(const void *object)
{
    emit(SM_EV_INIT, object, 0, NULL);
}

void *sm_openmp_alloc(size_t size)
{
    const struct sm_thread *self = sm_self();
    return self ? sm_heap_alloc_zeroed(self->id, size) : sm_alloc(size);
}

void sm_openmp_free(void *object, size_t size)
{
    if (!sm_heap_owns(object))
        sm_free(object, size);
    else if (sm_self())
        sm_heap_free(object);
}

void sm_openmp_locked(const void *lock, const void *pc)
{
    emit(SM_EV_LOCK, lock, 0, pc);
}

void sm_openmp_unlocked(const void *lock, const void *pc)
{
    emit(SM_EV_UNLOCK, lock, 0, pc);
}

void sm_openmp_await(const void *const *owner, const void *pc)
{
    if (!sm_self())
        return;
    struct sm_event event = event_of(SM_EV_LOCK, owner, 0, pc);
    struct sm_wait wait = {.queue = owner, .what = "OpenMP lock", .deadline = SM_NO_DEADLINE};
    sm_block(&wait, &event);
}

void sm_openmp_unowned(const void *const *owner)
{
    if (sm_self())
        sm_wake_all(owner);
}

bool sm_openmp_is_scheduled(void)
{
    return sm_self() != NULL;
}

void sm_openmp_point(const void *pc)
{
    if (!sm_self())
        return;
    struct sm_event event = event_of(SM_EV_YIELD, NULL, 0, pc);
    sm_point(&event);
}

void sm_openmp_fence(const void *pc)
{
    if (!sm_self())
        return;
    struct sm_event event = event_of(SM_EV_FENCE, NULL, 0, pc);
    event.order = SM_ORDER_SEQ_CST;
    sm_step(&event);
}

void sm_openmp_new_memory(void *addr, size_t size, const void *pc)
{
    emit(SM_EV_FREE, addr, size, pc);
    emit(SM_EV_ALLOC, addr, size, pc);
}

const void *sm_openmp_region(const void *pc)
{
    return pc;
}

/* Each region and thread number is stored once. Those beyond the limit are not reported. */
enum { OMP_MEMBERS = 512 };
static struct sm_team_thread members[OMP_MEMBERS] SM_SELDOM;
static uint32_t n_members = 1;

const struct sm_team_thread *sm_openmp_member_at(uint32_t index)
{
    return &members[index];
}

static uint32_t index_of(struct sm_team_thread member)
{
    for (uint32_t i = 1; i < n_members; i++)
        if (members[i].region == member.region && members[i].number == member.number &&
            members[i].size == member.size)
            return i;
    if (n_members == OMP_MEMBERS)
        return 0;
    sm_seldom_touch(&members[n_members], sizeof *members);
    members[n_members] = member;
    return n_members++;
}

/* An address inside the call that returns there. */
static uintptr_t call_at(const void *pc)
{
    return pc ? (uintptr_t)pc - 1 : 0;
}

void sm_openmp_member(const void *region, uint32_t number, uint32_t size)
{
    struct sm_thread *self = sm_self();
    if (self)
        self->member = size ? index_of((struct sm_team_thread){call_at(region), number, size}) : 0;
}

/* ---- the end ---- */

static bool is_worker(const struct sm_thread *thread)
{
    return thread->state != SM_THREAD_ENDED &&
           sm_openmp_calls((const void *)(uintptr_t)thread->start);
}

static void restart_polls(void)
{
    for (struct sm_thread *thread = sm_thread_by_id(0); thread; thread = thread->next)
        if (is_worker(thread))
            thread->polls = 0;
    sm_openmp_progress();
}

/* A worker that waits for the next region polls again and again. */
static bool has_busy_worker(void)
{
    enum { OMP_LOOKS = 3 };
    for (const struct sm_thread *thread = sm_thread_by_id(0); thread; thread = thread->next)
        if (is_worker(thread) && thread->polls < OMP_LOOKS)
            return true;
    return false;
}

void sm_openmp_settle(void *pc)
{
    enum { OMP_YIELDS = 10000 }; /* a worker may be in an endless loop of the program */
    restart_polls();
    for (unsigned i = 0; i < OMP_YIELDS && has_busy_worker(); i++)
        sm_yield(pc);
}

/* ---- waiting for tasks ----
 * libomp waits for tasks in a loop that executes others and never yields if there are none. So the
 * thread waits here, until libomp has nothing to wait for. */

struct ident; /* libomp's: the place of the construct */
typedef void task_copy(void *to, void *from, int last);

int __kmpc_omp_taskyield(struct ident *place, int thread, int part);
SM_EXPORT int __kmpc_omp_taskwait(struct ident *place, int thread);
SM_EXPORT void __kmpc_end_taskgroup(struct ident *place, int thread);

void __kmpc_taskgroup(struct ident *place, int thread);
SM_EXPORT void __kmpc_taskloop(struct ident *place, int thread, void *task, int condition,
                               uint64_t *low, uint64_t *high, int64_t step, int no_group, int kind,
                               uint64_t grain, task_copy *copy);
SM_EXPORT void __kmpc_taskloop_5(struct ident *place, int thread, void *task, int condition,
                                 uint64_t *low, uint64_t *high, int64_t step, int no_group,
                                 int kind, uint64_t grain, int modifier, task_copy *copy);

struct clause {
    intptr_t address;
    size_t size;
    uint8_t flags;
};
SM_EXPORT void __kmpc_omp_wait_deps(struct ident *place, int thread, int n,
                                    const struct clause *clauses, int n_distinct,
                                    const struct clause *distinct);
SM_EXPORT void __kmpc_omp_taskwait_deps_51(struct ident *place, int thread, int n,
                                           const struct clause *clauses, int n_distinct,
                                           const struct clause *distinct, int no_wait);

static void help(struct ident *place, int thread)
{
    SM_REAL(__kmpc_omp_taskyield)(place, thread, 0);
}

#define HELP_WHILE(condition)                                                                      \
    do {                                                                                           \
        while (sm_self() && (condition)) {                                                         \
            help(place, thread);                                                                   \
            if (condition)                                                                         \
                sm_openmp_idle(SM_CALLER());                                                       \
        }                                                                                          \
    } while (0)

SM_EXPORT int __kmpc_omp_taskwait(struct ident *place, int thread)
{
    HELP_WHILE(sm_openmp_has_children());
    return SM_REAL(__kmpc_omp_taskwait)(place, thread);
}

SM_EXPORT void __kmpc_end_taskgroup(struct ident *place, int thread)
{
    HELP_WHILE(sm_openmp_has_group());
    SM_REAL(__kmpc_end_taskgroup)(place, thread);
}

/* libomp would wait for the group of a taskloop internally. */
SM_EXPORT void __kmpc_taskloop(struct ident *place, int thread, void *task, int condition,
                               uint64_t *low, uint64_t *high, int64_t step, int no_group, int kind,
                               uint64_t grain, task_copy *copy)
{
    if (!no_group)
        SM_REAL(__kmpc_taskgroup)(place, thread);
    SM_REAL(__kmpc_taskloop)
    (place, thread, task, condition, low, high, step, 1, kind, grain, copy);
    if (!no_group)
        __kmpc_end_taskgroup(place, thread);
}

SM_EXPORT void __kmpc_taskloop_5(struct ident *place, int thread, void *task, int condition,
                                 uint64_t *low, uint64_t *high, int64_t step, int no_group,
                                 int kind, uint64_t grain, int modifier, task_copy *copy)
{
    if (!no_group)
        SM_REAL(__kmpc_taskgroup)(place, thread);
    SM_REAL(__kmpc_taskloop_5)
    (place, thread, task, condition, low, high, step, 1, kind, grain, modifier, copy);
    if (!no_group)
        __kmpc_end_taskgroup(place, thread);
}

static int type_of(const struct clause *clause)
{
    enum { IN = 1, OUT = 2, MUTEX = 4, SET = 8, ALL = 0x80 };
    if (clause->flags & ALL)
        return SM_OMPT_INOUT_ALL;
    if (clause->flags & MUTEX)
        return SM_OMPT_MUTEXINOUTSET;
    if (clause->flags & SET)
        return SM_OMPT_INOUTSET;
    return clause->flags & OUT ? SM_OMPT_INOUT : SM_OMPT_IN;
}

static bool has_predecessors(const struct clause *clauses, int n)
{
    for (int i = 0; i < n; i++) {
        struct sm_openmp_dependence one = {(uint64_t)clauses[i].address, type_of(&clauses[i])};
        if (sm_openmp_has_predecessor(&one))
            return true;
    }
    return false;
}

SM_EXPORT void __kmpc_omp_wait_deps(struct ident *place, int thread, int n,
                                    const struct clause *clauses, int n_distinct,
                                    const struct clause *distinct)
{
    HELP_WHILE(has_predecessors(clauses, n) || has_predecessors(distinct, n_distinct));
    SM_REAL(__kmpc_omp_wait_deps)(place, thread, n, clauses, n_distinct, distinct);
}

SM_EXPORT void __kmpc_omp_taskwait_deps_51(struct ident *place, int thread, int n,
                                           const struct clause *clauses, int n_distinct,
                                           const struct clause *distinct, int no_wait)
{
    if (!no_wait)
        HELP_WHILE(has_predecessors(clauses, n) || has_predecessors(distinct, n_distinct));
    SM_REAL(__kmpc_omp_taskwait_deps_51)
    (place, thread, n, clauses, n_distinct, distinct, no_wait);
}
