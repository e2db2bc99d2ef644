/*
 * openmp.c - see openmp.h.
 */
#define _GNU_SOURCE
#include "core/openmp/openmp.h"

#include <link.h>
#include <string.h>

#include "base/sys.h"
#include "core/libc/real.h"
#include "core/openmp/ompt.h"

uintptr_t sm_openmp_code, sm_openmp_code_size;

static sm_ompt_get_task_info get_task_info;
static sm_ompt_get_task_memory get_task_memory;

/* ---- objects ---- */

/* Clocks of an object. Those of a doacross loop follow the last. */
enum omp_clock {
    OMP_START,
    OMP_CHILDREN,
    OMP_ALL_LAST,
    OMP_ALL_NEXT,
    OMP_PHASE,
    OMP_PHASE_NEXT,
    OMP_READS,
    OMP_WRITES,
    OMP_SETS,
    OMP_ITERATION
};

/* Iterations of a doacross loop that share a clock are not distinguished. */
enum { OMP_ITERATIONS = 1024 };

struct omp_team {
    uint32_t refs; /* the region, and each implicit task */
    const void *region;
};

struct omp_group {
    uint32_t tasks; /* that have not ended */
    struct omp_group *outer;
};

/* A variable that tasks of one parent depend on. */
struct omp_variable {
    uint64_t address;
    struct omp_variable *next;
};

enum { OMP_BUCKETS = 64 };
struct omp_variables {
    struct omp_variable *buckets[OMP_BUCKETS];
};

struct omp_dependence {
    struct omp_variable *variable; /* NULL: all memory */
    int type;
};

/* Changed by the thread that executes it, except `refs`. */
struct omp_task {
    uint32_t refs;         /* itself, and each child that has not ended */
    uint8_t phase;         /* of an implicit task: the team's clock for the next barrier */
    bool started, counted; /* counted: among its parent's children */
    uint32_t children;     /* that have not ended */
    struct omp_team *team;
    uint32_t number, size;   /* of an implicit task: thread number of size; size 0: in no region */
    struct omp_task *parent; /* NULL: implicit */
    struct omp_task *implicit; /* of the thread that executes it */
    struct omp_group *group;
    struct omp_variables *variables; /* its children's */
    struct omp_dependence *dependences;
    uint32_t n_dependences;
    struct omp_task *dependent, *next; /* in controlled execution: children with dependences that
                                          have not ended, and the next of them */
};

static struct omp_team *team_of(const union sm_ompt_data *data)
{
    return data ? data->ptr : NULL;
}

static struct omp_task *task_of(const union sm_ompt_data *data)
{
    return data ? data->ptr : NULL;
}

/* acq_rel: freeing happens after all that other threads did to it */
static bool is_last(uint32_t *refs)
{
    return __atomic_sub_fetch(refs, 1, __ATOMIC_ACQ_REL) == 0;
}

static void drop_team(struct omp_team *team)
{
    if (!team || !is_last(&team->refs))
        return;
    sm_openmp_forget(team);
    sm_openmp_free(team, sizeof *team);
}

static void free_variables(struct omp_variables *variables)
{
    for (uint32_t i = 0; variables && i < OMP_BUCKETS; i++) {
        for (struct omp_variable *at = variables->buckets[i], *next; at; at = next) {
            next = at->next;
            sm_openmp_forget(at);
            sm_openmp_free(at, sizeof *at);
        }
    }
    if (variables)
        sm_openmp_free(variables, sizeof *variables);
}

static void drop_task(struct omp_task *task)
{
    while (task && is_last(&task->refs)) {
        struct omp_task *parent = task->parent;
        free_variables(task->variables);
        if (task->dependences)
            sm_openmp_free(task->dependences, task->n_dependences * sizeof *task->dependences);
        if (!parent)
            drop_team(task->team);
        sm_openmp_forget(task);
        sm_openmp_free(task, sizeof *task);
        task = parent;
    }
}

/* ---- parallel regions ---- */

static struct omp_team *new_team(const void *pc)
{
    struct omp_team *team = sm_openmp_alloc(sizeof *team);
    *team = (struct omp_team){.refs = 1, .region = sm_openmp_region(pc)};
    return team;
}

static void parallel_begin(union sm_ompt_data *parent, const void *frame,
                           union sm_ompt_data *parallel, unsigned requested, int flags,
                           const void *pc)
{
    (void)parent, (void)frame, (void)requested, (void)flags;
    struct omp_team *team = new_team(pc);
    parallel->ptr = team;
    sm_openmp_release(team, OMP_START, pc);
}

static void enter(const struct omp_task *implicit)
{
    const void *region = implicit->team ? implicit->team->region : NULL;
    sm_openmp_member(region, implicit->number, implicit->size);
}

static void parallel_end(union sm_ompt_data *parallel, union sm_ompt_data *parent, int flags,
                         const void *pc)
{
    (void)flags;
    struct omp_team *team = team_of(parallel);
    struct omp_task *task = task_of(parent);
    sm_openmp_acquire(team, OMP_PHASE, pc);
    sm_openmp_acquire(team, OMP_PHASE_NEXT, pc);
    if (task)
        enter(task->implicit);
    drop_team(team);
}

static struct omp_task *begin_implicit(struct omp_team *team, union sm_ompt_data *data)
{
    struct omp_task *task = sm_openmp_alloc(sizeof *task);
    *task = (struct omp_task){.refs = 1, .team = team, .started = true, .implicit = task};
    __atomic_add_fetch(&team->refs, 1, __ATOMIC_RELAXED); /* the creator holds a reference */
    data->ptr = task;
    sm_openmp_acquire(team, OMP_START, NULL);
    return task;
}

static void begin_initial(union sm_ompt_data *data)
{
    struct omp_team *team = new_team(NULL);
    begin_implicit(team, data);
    drop_team(team); /* only the task holds a reference */
}

static void begin_member(struct omp_team *team, union sm_ompt_data *data, uint32_t number,
                         uint32_t size)
{
    struct omp_task *task = begin_implicit(team, data);
    task->number = number;
    task->size = size;
    enter(task);
}

static void implicit_task(int endpoint, union sm_ompt_data *parallel, union sm_ompt_data *data,
                          unsigned size, unsigned number, int flags)
{
    if (endpoint != SM_OMPT_BEGIN) {
        drop_task(task_of(data));
        data->ptr = NULL;
    } else if (flags & SM_OMPT_TASK_INITIAL) {
        begin_initial(data);
    } else {
        begin_member(team_of(parallel), data, number, size);
    }
}

/* ---- barriers, taskwait, taskgroup ---- */

static uint32_t phase_of(const struct omp_task *task)
{
    return OMP_PHASE + task->implicit->phase;
}

static void begin_sync(int kind, struct omp_task *task, const void *pc)
{
    if (kind == SM_OMPT_TASKGROUP) {
        struct omp_group *group = sm_openmp_alloc(sizeof *group);
        group->outer = task->group;
        task->group = group;
    } else if (kind != SM_OMPT_TASKWAIT) {
        sm_openmp_release(task->team, phase_of(task), pc);
    }
}

static void end_group(struct omp_task *task, const void *pc)
{
    struct omp_group *group = task->group;
    sm_openmp_acquire(group, OMP_START, pc);
    task->group = group->outer;
    sm_openmp_forget(group);
    sm_openmp_free(group, sizeof *group);
}

static void end_sync(int kind, struct omp_task *task, const void *pc)
{
    if (kind == SM_OMPT_TASKGROUP) {
        end_group(task, pc);
    } else if (kind == SM_OMPT_TASKWAIT) {
        sm_openmp_acquire(task, OMP_CHILDREN, pc);
    } else {
        sm_openmp_acquire(task->team, phase_of(task), pc);
        task->implicit->phase ^= 1;
    }
}

static void sync_region(int kind, int endpoint, union sm_ompt_data *parallel,
                        union sm_ompt_data *data, const void *pc)
{
    (void)parallel;
    struct omp_task *task = task_of(data);
    if (!task || kind == SM_OMPT_REDUCES)
        return;
    if (endpoint & SM_OMPT_BEGIN) {
        sm_openmp_point(pc);
        begin_sync(kind, task, pc);
    }
    if (endpoint & SM_OMPT_END)
        end_sync(kind, task, pc);
}
_Static_assert(SM_OMPT_BEGIN_END == (SM_OMPT_BEGIN | SM_OMPT_END), "both ends at once");

/* Reductions of a taskgroup are combined after its tasks have ended, and before it ends. */
static void sync_region_wait(int kind, int endpoint, union sm_ompt_data *parallel,
                             union sm_ompt_data *data, const void *pc)
{
    (void)parallel;
    const struct omp_task *task = task_of(data);
    if (task && task->group && kind == SM_OMPT_TASKGROUP && (endpoint & SM_OMPT_END))
        sm_openmp_acquire(task->group, OMP_START, pc);
}

/* libomp calls the program's function that combines two partial results, inside a barrier that both
   threads have reached. */
static void reduction(int kind, int endpoint, union sm_ompt_data *parallel,
                      union sm_ompt_data *data, const void *pc)
{
    (void)kind, (void)parallel;
    struct omp_task *task = task_of(data);
    if (task && endpoint == SM_OMPT_BEGIN)
        sm_openmp_acquire(task->team, phase_of(task), pc);
    else if (task && endpoint == SM_OMPT_END)
        sm_openmp_release(task->team, phase_of(task), pc);
}

/* ---- tasks ---- */

/* relaxed: read only where one thread runs at a time */
static void count(struct omp_task *task)
{
    task->counted = true;
    __atomic_add_fetch(&task->parent->children, 1, __ATOMIC_RELAXED);
    if (task->group)
        __atomic_add_fetch(&task->group->tasks, 1, __ATOMIC_RELAXED);
}

static void remove_dependent(struct omp_task *task)
{
    struct omp_task **at = &task->parent->dependent;
    while (*at && *at != task)
        at = &(*at)->next;
    if (*at)
        *at = task->next;
}

static void uncount(struct omp_task *task)
{
    if (sm_openmp_is_scheduled())
        remove_dependent(task);
    if (!task->counted)
        return;
    task->counted = false;
    __atomic_sub_fetch(&task->parent->children, 1, __ATOMIC_RELAXED);
    if (task->group)
        __atomic_sub_fetch(&task->group->tasks, 1, __ATOMIC_RELAXED);
}

static void task_create(union sm_ompt_data *parent, const void *frame, union sm_ompt_data *data,
                        int flags, int has_dependences, const void *pc)
{
    (void)frame, (void)has_dependences;
    struct omp_task *creator = task_of(parent);
    if (!creator)
        return;
    struct omp_task *task = sm_openmp_alloc(sizeof *task);
    *task = (struct omp_task){.refs = 1,
                              .team = creator->team,
                              .parent = creator,
                              .implicit = creator->implicit,
                              .group = creator->group};
    __atomic_add_fetch(&creator->refs, 1, __ATOMIC_RELAXED); /* the creator executes it */
    data->ptr = task;
    if (!(flags & SM_OMPT_TASK_TASKWAIT))
        count(task);
    sm_openmp_point(pc);
    sm_openmp_release(task, OMP_START, pc);
    sm_openmp_progress();
}

/* Acquires the ends of the tasks that a dependence of this type waits for. */
static void begin_dependence(const struct omp_dependence *dependence)
{
    const struct omp_variable *variable = dependence->variable;
    if (!variable)
        return;
    sm_openmp_acquire(variable, OMP_WRITES, NULL);
    if (dependence->type != SM_OMPT_IN)
        sm_openmp_acquire(variable, OMP_READS, NULL);
    if (dependence->type != SM_OMPT_INOUTSET)
        sm_openmp_acquire(variable, OMP_SETS, NULL);
}

static void end_dependence(const struct omp_dependence *dependence)
{
    const struct omp_variable *variable = dependence->variable;
    if (!variable)
        return;
    bool set = dependence->type == SM_OMPT_INOUTSET || dependence->type == SM_OMPT_MUTEXINOUTSET;
    sm_openmp_release(variable,
                      dependence->type == SM_OMPT_IN ? OMP_READS
                      : set                          ? OMP_SETS
                                                     : OMP_WRITES,
                      NULL);
}

static bool takes_all(const struct omp_task *task)
{
    for (uint32_t i = 0; i < task->n_dependences; i++)
        if (!task->dependences[i].variable)
            return true;
    return false;
}

/* A dependence on all memory is ordered after all earlier ones, and before all later ones. */
static void begin_dependences(const struct omp_task *task)
{
    if (!task->n_dependences)
        return;
    sm_openmp_acquire(task->parent, takes_all(task) ? OMP_ALL_NEXT : OMP_ALL_LAST, NULL);
    for (uint32_t i = 0; i < task->n_dependences; i++)
        begin_dependence(&task->dependences[i]);
}

static void end_dependences(const struct omp_task *task)
{
    if (!task->n_dependences)
        return;
    if (takes_all(task))
        sm_openmp_release(task->parent, OMP_ALL_LAST, NULL);
    sm_openmp_release(task->parent, OMP_ALL_NEXT, NULL);
    for (uint32_t i = 0; i < task->n_dependences; i++)
        end_dependence(&task->dependences[i]);
}

static void start(struct omp_task *task)
{
    if (!task || !task->parent)
        return;
    sm_openmp_acquire(task, OMP_START, NULL);
    if (!task->started)
        begin_dependences(task);
    task->started = true;
}

static void complete(struct omp_task *task)
{
    if (!task || !task->parent)
        return;
    sm_openmp_acquire(task, OMP_START, NULL); /* from the thread that fulfilled its event */
    sm_openmp_release(task->team, phase_of(task), NULL);
    sm_openmp_release(task->parent, OMP_CHILDREN, NULL);
    if (task->group)
        sm_openmp_release(task->group, OMP_START, NULL);
    end_dependences(task);
    uncount(task);
    sm_openmp_progress();
}

/* libomp reuses the memory of a task's variables for other tasks. */
static void renew_memory(const struct omp_task *task)
{
    void *addr = NULL;
    uint64_t size = 0;
    if (!task || !task->parent || !get_task_memory)
        return;
    get_task_memory(&addr, &size, 0);
    if (addr && size)
        sm_openmp_new_memory(addr, size, NULL);
}

static void suspend(const struct omp_task *task)
{
    if (task && task->parent)
        sm_openmp_release(task, OMP_START, NULL);
}

static void switch_to(const struct omp_task *from, struct omp_task *to)
{
    if (from && to && to->parent)
        to->implicit = from->implicit;
    start(to);
}

static void end_taskwait(struct omp_task *task)
{
    if (!task)
        return;
    begin_dependences(task);
    uncount(task);
    drop_task(task);
}

static void task_schedule(union sm_ompt_data *prior, int status, union sm_ompt_data *next)
{
    struct omp_task *from = task_of(prior), *to = task_of(next);
    switch (status) {
    case SM_OMPT_EARLY_FULFIL:
        suspend(from);
        return;
    case SM_OMPT_TASKWAIT_COMPLETE:
        end_taskwait(from);
        return;
    case SM_OMPT_COMPLETE:
    case SM_OMPT_CANCEL:
        renew_memory(from);
        complete(from);
        switch_to(from, to);
        break;
    case SM_OMPT_LATE_FULFIL:
        complete(from);
        break;
    default:
        suspend(from);
        switch_to(from, to);
        return;
    }
    if (from && from->parent)
        drop_task(from);
}

/* ---- dependences ---- */

static struct omp_variable *variable_of(struct omp_task *parent, uint64_t address)
{
    if (!parent->variables)
        parent->variables = sm_openmp_alloc(sizeof *parent->variables);
    struct omp_variable **bucket = &parent->variables->buckets[address * 0x9e3779b97f4a7c15u >> 58];
    for (struct omp_variable *at = *bucket; at; at = at->next)
        if (at->address == address)
            return at;
    struct omp_variable *variable = sm_openmp_alloc(sizeof *variable);
    *variable = (struct omp_variable){address, *bucket};
    *bucket = variable;
    return variable;
}
_Static_assert(OMP_BUCKETS == 1 << (64 - 58), "six bits of the product");

/* Iterations are numbered in loop order, dimension by dimension. */
static void cross(const struct omp_task *task, const struct sm_ompt_dependence *dependences, int n)
{
    uint64_t hash = 0;
    for (int i = 0; i < n; i++)
        hash = hash * 31 + dependences[i].variable.value;
    if (dependences[0].type == SM_OMPT_SOURCE)
        sm_openmp_release(task->team, OMP_ITERATION + hash % OMP_ITERATIONS, NULL);
    else
        sm_openmp_acquire(task->team, OMP_ITERATION + hash % OMP_ITERATIONS, NULL);
}

static bool is_all(int type)
{
    return type == SM_OMPT_OUT_ALL || type == SM_OMPT_INOUT_ALL;
}

static void dependences(union sm_ompt_data *data, const struct sm_ompt_dependence *given, int n)
{
    struct omp_task *task = task_of(data);
    if (!task || n <= 0)
        return;
    if (given[0].type == SM_OMPT_SOURCE || given[0].type == SM_OMPT_SINK) {
        cross(task, given, n);
        return;
    }
    if (!task->parent || task->n_dependences)
        return;
    task->dependences = sm_openmp_alloc((size_t)n * sizeof *task->dependences);
    task->n_dependences = (uint32_t)n;
    for (int i = 0; i < n; i++)
        task->dependences[i] = (struct omp_dependence){
            is_all(given[i].type) ? NULL : variable_of(task->parent, given[i].variable.value),
            given[i].type};
    if (sm_openmp_is_scheduled()) {
        task->next = task->parent->dependent;
        task->parent->dependent = task;
    }
}

/* ---- what a task would wait for ---- */

static struct omp_task *running_task(void)
{
    union sm_ompt_data *data = NULL;
    if (get_task_info)
        get_task_info(0, NULL, &data, NULL, NULL, NULL);
    return task_of(data);
}

bool sm_openmp_has_children(void)
{
    const struct omp_task *task = running_task();
    return task && task->children;
}

bool sm_openmp_has_group(void)
{
    const struct omp_task *task = running_task();
    return task && task->group && task->group->tasks;
}

static bool follows(const struct omp_dependence *earlier, const struct sm_openmp_dependence *later)
{
    bool all = !earlier->variable || is_all(later->type);
    bool alike = earlier->type == later->type &&
                 (later->type == SM_OMPT_IN || later->type == SM_OMPT_INOUTSET);
    return (all || earlier->variable->address == later->address) && !alike;
}

static bool follows_task(const struct omp_task *earlier, const struct sm_openmp_dependence *later)
{
    for (uint32_t i = 0; i < earlier->n_dependences; i++)
        if (follows(&earlier->dependences[i], later))
            return true;
    return false;
}

bool sm_openmp_has_predecessor(const struct sm_openmp_dependence *dependence)
{
    const struct omp_task *task = running_task(), *child = task ? task->dependent : NULL;
    while (child && !follows_task(child, dependence))
        child = child->next;
    return child;
}

/* ---- locks ---- */

/* libomp reports the release of a lock when another thread may already have acquired it. The owner
   is our own: set when its acquisition is reported, NULL when its release is. */
struct omp_lock {
    uint64_t id;
    const void *owner;
    struct omp_lock *next;
};

enum { OMP_LOCK_BUCKETS = 1024 };
static struct omp_lock
    *locks[OMP_LOCK_BUCKETS] SM_SELDOM; /* entries are never removed: ids are reused */
static __thread char self __attribute__((tls_model("initial-exec")));

static struct omp_lock *find_lock(struct omp_lock *from, uint64_t id)
{
    while (from && from->id != id)
        from = from->next;
    return from;
}

static struct omp_lock *lock_of(uint64_t id)
{
    struct omp_lock **bucket = &locks[id * 0x9e3779b97f4a7c15u >> 54];
    struct omp_lock *head =
        __atomic_load_n(bucket, __ATOMIC_ACQUIRE); /* pairs with its insertion */
    struct omp_lock *lock = find_lock(head, id);
    if (lock)
        return lock;
    struct omp_lock *fresh = sm_openmp_alloc(sizeof *fresh);
    *fresh = (struct omp_lock){.id = id, .next = head};
    sm_seldom_touch(bucket, sizeof(struct omp_lock *));
    /* release: readers see it complete */
    while (!__atomic_compare_exchange_n(bucket, &fresh->next, fresh, false, __ATOMIC_RELEASE,
                                        __ATOMIC_ACQUIRE)) {
        lock = find_lock(fresh->next, id);
        if (lock) {
            sm_openmp_free(fresh, sizeof *fresh);
            return lock;
        }
    }
    return fresh;
}
_Static_assert(OMP_LOCK_BUCKETS == 1 << (64 - 54), "ten bits of the product");

static const void *owner_of(const struct omp_lock *lock)
{
    return __atomic_load_n(&lock->owner, __ATOMIC_ACQUIRE); /* pairs with mutex_released */
}

static void mutex_acquire(int kind, unsigned hint, unsigned how, uint64_t id, const void *pc)
{
    (void)hint, (void)how;
    if (!sm_openmp_is_scheduled())
        return;
    sm_openmp_point(pc);
    struct omp_lock *lock = lock_of(id);
    bool nests = kind == SM_OMPT_NEST_LOCK && owner_of(lock) == &self;
    bool waits = kind == SM_OMPT_LOCK || kind == SM_OMPT_NEST_LOCK || kind == SM_OMPT_CRITICAL;
    while (waits && !nests && owner_of(lock))
        sm_openmp_await(&lock->owner, pc);
}

static void mutex_acquired(int kind, uint64_t id, const void *pc)
{
    (void)kind;
    struct omp_lock *lock = lock_of(id);
    const void *nobody = NULL;
    /* acquire: pairs with mutex_released */
    while (!__atomic_compare_exchange_n(&lock->owner, &nobody, &self, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        sm_openmp_await(&lock->owner, pc);
        nobody = NULL;
    }
    sm_openmp_locked((const void *)(uintptr_t)id, pc);
}

static void mutex_released(int kind, uint64_t id, const void *pc)
{
    (void)kind;
    struct omp_lock *lock = lock_of(id);
    sm_openmp_unlocked((const void *)(uintptr_t)id, pc);
    /* release: the next owner's acquisition is reported after this */
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELEASE);
    sm_openmp_unowned(&lock->owner);
}

static void lock_destroy(int kind, uint64_t id, const void *pc)
{
    (void)kind, (void)pc;
    __atomic_store_n(&lock_of(id)->owner, NULL, __ATOMIC_RELAXED); /* no other thread uses it now */
    sm_openmp_forget((const void *)(uintptr_t)id);
}

static void lock_init(int kind, unsigned hint, unsigned how, uint64_t id, const void *pc)
{
    (void)hint, (void)how;
    lock_destroy(kind, id, pc);
}

static void flush(union sm_ompt_data *thread, const void *pc)
{
    (void)thread;
    sm_openmp_fence(pc);
}

/* ---- libomp starts ---- */

static bool is_unwanted(const char *setting)
{
    /* Reductions with a lock are reported before the lock is acquired. */
    static const char *const unwanted[] = {"OMP_TOOL=disabled", "KMP_FORCE_REDUCTION=critical"};
    for (size_t i = 0; i < SM_ARRAY_SIZE(unwanted); i++)
        if (strcmp(setting, unwanted[i]) == 0)
            return true;
    return false;
}

void sm_openmp_prepare(char **environment)
{
    char **to = environment;
    for (char **at = environment; *at; at++)
        if (!is_unwanted(*at))
            *to++ = *at;
    *to = NULL;
}

static int initialize(sm_ompt_lookup lookup, int device, union sm_ompt_data *tool)
{
    (void)device, (void)tool;
    static const struct {
        int event;
        sm_ompt_function callback;
    } callbacks[] = {
        {SM_OMPT_PARALLEL_BEGIN, (sm_ompt_function)parallel_begin},
        {SM_OMPT_PARALLEL_END, (sm_ompt_function)parallel_end},
        {SM_OMPT_IMPLICIT_TASK, (sm_ompt_function)implicit_task},
        {SM_OMPT_SYNC_REGION, (sm_ompt_function)sync_region},
        {SM_OMPT_SYNC_REGION_WAIT, (sm_ompt_function)sync_region_wait},
        {SM_OMPT_REDUCTION, (sm_ompt_function)reduction},
        {SM_OMPT_TASK_CREATE, (sm_ompt_function)task_create},
        {SM_OMPT_TASK_SCHEDULE, (sm_ompt_function)task_schedule},
        {SM_OMPT_DEPENDENCES, (sm_ompt_function)dependences},
        {SM_OMPT_MUTEX_ACQUIRE, (sm_ompt_function)mutex_acquire},
        {SM_OMPT_MUTEX_ACQUIRED, (sm_ompt_function)mutex_acquired},
        {SM_OMPT_MUTEX_RELEASED, (sm_ompt_function)mutex_released},
        {SM_OMPT_LOCK_INIT, (sm_ompt_function)lock_init},
        {SM_OMPT_LOCK_DESTROY, (sm_ompt_function)lock_destroy},
        {SM_OMPT_FLUSH, (sm_ompt_function)flush},
    };
    sm_ompt_set_callback set = (sm_ompt_set_callback)lookup("ompt_set_callback");
    get_task_info = (sm_ompt_get_task_info)lookup("ompt_get_task_info");
    get_task_memory = (sm_ompt_get_task_memory)lookup("ompt_get_task_memory");
    for (size_t i = 0; i < SM_ARRAY_SIZE(callbacks); i++)
        set(callbacks[i].event, callbacks[i].callback);
    return 1; /* 0: no tool */
}

static void finalize(union sm_ompt_data *tool)
{
    (void)tool;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *pc)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || (uintptr_t)pc - start >= segment->p_memsz)
            continue;
        sm_openmp_code = start;
        sm_openmp_code_size = segment->p_memsz;
        return 1;
    }
    return 0;
}

/* libomp looks for this name before any other tool. */
SM_EXPORT struct sm_ompt_start *ompt_start_tool(unsigned version, const char *runtime);
SM_EXPORT struct sm_ompt_start *ompt_start_tool(unsigned version, const char *runtime)
{
    (void)version, (void)runtime;
    static struct sm_ompt_start tool = {initialize, finalize, {0}};
    if (!sm_openmp_start())
        return NULL;
    dl_iterate_phdr(find_code, SM_CALLER());
    return &tool;
}
