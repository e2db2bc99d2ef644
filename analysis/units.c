#include "analysis/units.h"

#include <string.h>

#include "analysis/declared.h"
#include "base/random.h"
#include "base/sys.h"
#include "base/table.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/region.h"
#include "runtime/thread.h"

enum { MAX_ARGUMENTS = 6, MAX_TAKEN = 4, MAX_LOCKS = 16, MAX_POSTED = 16, DECLARED = UINT32_MAX };

struct unit_frame {
    uintptr_t address;
    struct sm_context *context;
    struct sm_work *works; /* begun here, linked by sibling */
    uintptr_t arguments[MAX_ARGUMENTS];
    uint32_t n_arguments;
    uintptr_t taken[MAX_TAKEN]; /* option infer_units: locks taken during the call */
    uint32_t n_taken;
    bool root;
};

struct declared { /* between stalemate_unit_begin and _end */
    uintptr_t object;
    const struct sm_function *function;
    struct sm_work *works;
};

struct task { /* what a thread is doing */
    struct unit_frame *frames;
    uint32_t n, room;
    uint32_t bottom; /* the innermost frame called from uninstrumented code */
    struct declared *declared;
    uint32_t n_declared, room_declared;
    struct {
        uintptr_t lock, pc;
    } held[MAX_LOCKS];
    uint32_t n_held;
    uintptr_t posted[MAX_POSTED]; /* semaphores that it has posted itself */
    uint32_t n_posted;
    uint32_t parent, children; /* its creator; its children that have not ended */
    bool crowded;              /* it had more than one child at a time */
    uint64_t made_at;          /* sm_units_moment */
    uint64_t joined_at;        /* sm_units_moment; 0: it was not joined */
    uint32_t joined_by;
};

static bool paper;
static struct task **tasks;
static uint32_t n_tasks;
static uint64_t moment;
static struct sm_context nowhere; /* the root of the tree */
static struct sm_table locked;    /* lock -> a set that was accessed under it */
static struct sm_table starts;    /* functions that threads have started with */
static struct sm_table knows;     /* function and type -> KNOWS or KNOWS_NOT */
enum { KNOWS = 1, KNOWS_NOT };

void sm_units_start(bool paper_units)
{
    paper = paper_units;
    tasks = NULL;
    n_tasks = 0;
    moment = 0;
    nowhere = (struct sm_context){0};
    sm_table_clear(&starts);
    sm_table_clear(&knows);
    sm_table_clear(&locked);
}

static struct task *task_of(uint32_t thread)
{
    while (thread >= n_tasks)
        tasks = sm_alloc_larger(tasks, &n_tasks, 16, sizeof(struct task *));
    if (!tasks[thread])
        tasks[thread] = sm_alloc(sizeof *tasks[thread]);
    return tasks[thread];
}

/* ---- works ---- */

static void end_all(struct sm_work **works)
{
    while (*works) {
        struct sm_work *work = *works;
        *works = work->sibling;
        sm_work_end(work);
    }
}

static struct sm_work *find_work(struct sm_work *works, const struct sm_set *set)
{
    while (works && works->set != &set->works)
        works = works->sibling;
    return works;
}

static struct sm_work *begin(struct sm_work **works, struct sm_set *set, uint32_t thread,
                             const struct sm_function *function, uint32_t depth)
{
    struct sm_work *work = sm_work_begin(&set->works, thread);
    work->function = function;
    work->depth = depth;
    work->sibling = *works;
    *works = work;
    return work;
}

/* ---- calls ---- */

/* Code of ours, of libc, or of an uninstrumented library. */
static bool is_foreign(uintptr_t pc)
{
    uintptr_t low, high;
    sm_region_bounds(pc, &low, &high);
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        if ((uintptr_t)module >= low && (uintptr_t)module < high)
            return false;
    return true;
}

static struct sm_context *enter_context(struct sm_context *caller,
                                        const struct sm_function *function, uintptr_t pc)
{
    for (struct sm_context *callee = caller->callees; callee; callee = callee->next)
        if (callee->function == function && callee->pc == pc)
            return callee;
    struct sm_context *context = sm_alloc(sizeof *context);
    *context = (struct sm_context){.caller = caller,
                                   .next = caller->callees,
                                   .function = function,
                                   .pc = pc,
                                   .called_back = is_foreign(pc)};
    caller->callees = context;
    return context;
}

static void find_bottom(struct task *task)
{
    task->bottom = task->n;
    while (task->bottom && !task->frames[task->bottom - 1].context->called_back)
        task->bottom--;
    if (task->bottom)
        task->bottom--;
}

static void pop(struct task *task)
{
    struct unit_frame *frame = &task->frames[--task->n];
    end_all(&frame->works);
    if (frame->context->called_back)
        find_bottom(task);
}

/* Functions of the library's headers that only call the thread's actual routine. (Those of the
   program have `wraps`: a thread whose start routine does nothing but call one function that waits
   for others does all of its work there.) */
static bool is_trampoline(const struct sm_function *function)
{
    return strncmp(function->file, "/usr/", 5) == 0;
}

/* A start routine is a unit only if it is declared as one; then all of it is. */
static void end_undeclared(struct unit_frame *frame)
{
    _Static_assert(offsetof(struct sm_set, works) == 0, "the works of a set lead to it");
    for (struct sm_work **at = &frame->works; *at;) {
        struct sm_work *work = *at;
        if (sm_declared_unit(frame->context->function, (const struct sm_set *)work->set)) {
            at = &work->sibling;
            continue;
        }
        *at = work->sibling;
        sm_work_end(work);
    }
}

static bool is_start(const struct sm_function *function)
{
    return sm_table_get(&starts, (uintptr_t)function);
}

static bool is_root(const struct task *task, const struct sm_function *function)
{
    const struct unit_frame *caller = task->n ? &task->frames[task->n - 1] : NULL;
    return !caller || (caller->root && (is_trampoline(caller->context->function) ||
                                        caller->context->function->wraps || is_start(function)));
}

/* A thread starts with this function. A direct call of it, as by main to do its share, is not a
   unit either. */
static void note_start(const struct sm_function *function)
{
    *sm_table_at(&starts, (uintptr_t)function) = (void *)function;
    for (uint32_t thread = 0; thread < n_tasks; thread++) {
        struct task *task = tasks[thread];
        for (uint32_t i = 1; task && i < task->n && task->frames[i - 1].root; i++) {
            if (task->frames[i].context->function != function)
                continue;
            task->frames[i].root = true;
            end_undeclared(&task->frames[i]);
        }
    }
}

/* Frames at or below the new one were left by longjmp or an exception. */
static void enter(struct task *task, const struct sm_event *event)
{
    uintptr_t address = event->old;
    while (task->n && task->frames[task->n - 1].address <= address)
        pop(task);
    if (task->n == task->room)
        task->frames = sm_alloc_larger(task->frames, &task->room, 16, sizeof *task->frames);
    const struct sm_function *function = (const struct sm_function *)event->addr;
    struct sm_context *caller = task->n ? task->frames[task->n - 1].context : &nowhere;
    bool root = is_root(task, function);
    if (root && !is_start(function))
        note_start(function);
    struct unit_frame *frame = &task->frames[task->n++];
    *frame = (struct unit_frame){
        .address = address,
        .context = enter_context(caller, function, ((const uintptr_t *)address)[1]),
        .root = root};
    if (frame->context->called_back)
        task->bottom = task->n - 1;
}

static void leave(struct task *task, uintptr_t address)
{
    while (task->n && task->frames[task->n - 1].address < address)
        pop(task);
    if (task->n && task->frames[task->n - 1].address == address)
        pop(task);
}

static void add_argument(struct task *task, uintptr_t object)
{
    struct unit_frame *frame = task->n ? &task->frames[task->n - 1] : NULL;
    if (frame && object && frame->n_arguments < MAX_ARGUMENTS)
        frame->arguments[frame->n_arguments++] = object;
}

/* ---- declared units ---- */

static void begin_declared(struct task *task, uintptr_t object)
{
    if (task->n_declared == task->room_declared)
        task->declared =
            sm_alloc_larger(task->declared, &task->room_declared, 4, sizeof *task->declared);
    task->declared[task->n_declared++] = (struct declared){
        .object = object, .function = task->n ? task->frames[task->n - 1].context->function : NULL};
}

static void end_declared(struct task *task, uintptr_t object)
{
    for (uint32_t i = task->n_declared; i-- > 0;) {
        if (task->declared[i].object != object)
            continue;
        end_all(&task->declared[i].works);
        memmove(&task->declared[i], &task->declared[i + 1],
                (task->n_declared - i - 1) * sizeof *task->declared);
        task->n_declared--;
        return;
    }
}

static struct sm_work *declared_unit(struct task *task, uint32_t thread, struct sm_set *set)
{
    for (uint32_t i = 0; i < task->n_declared; i++) {
        struct declared *declared = &task->declared[i];
        struct sm_work *work = find_work(declared->works, set);
        if (work)
            return work;
        if (!declared->object || sm_set_covers(set, declared->object))
            return begin(&declared->works, set, thread, declared->function, DECLARED);
    }
    return NULL;
}

/* ---- units of sets ---- */

static const struct sm_module *module_of(const struct sm_function *function)
{
    const struct sm_module *module = sm_modules;
    while (module &&
           (function < module->functions || function >= module->functions + module->n_functions))
        module = module->next;
    return module;
}

static bool has_site_of(const struct sm_function *function, const char *type)
{
    const struct sm_module *module = module_of(function);
    for (uint32_t i = 0; module && i < function->n_sites; i++) {
        const struct sm_site *site = &module->sites[function->first_site + i];
        const char *object = SM_SITE_TEXT(site, object);
        if (object && (!type || strcmp(object, type) == 0))
            return true;
    }
    return false;
}

/* Does the code of the function access structs of this type? NULL: of any. */
static bool accesses(const struct sm_function *function, const char *type)
{
    uint64_t key = sm_random_mix((uintptr_t)function ^ sm_random_mix((uintptr_t)type));
    void **place = sm_table_at(&knows, key | 1);
    if (!*place)
        *place = (void *)(uintptr_t)(has_site_of(function, type) ? KNOWS : KNOWS_NOT);
    return *place == (void *)KNOWS;
}

static bool is_given(const struct unit_frame *frame, const struct sm_set *set)
{
    const struct sm_function *function = frame->context->function;
    if (set->module)
        return function->external && !frame->n_arguments && module_of(function) == set->module;
    if (set->type && accesses(function, set->type))
        return true;
    if (paper && frame->n_arguments > 1 && accesses(function, NULL))
        return false;
    for (uint32_t i = 0; i < frame->n_arguments; i++)
        if (sm_set_covers(set, frame->arguments[i]))
            return true;
    return false;
}

static struct sm_work *begin_at(struct task *task, uint32_t depth, uint32_t thread,
                                struct sm_set *set)
{
    struct unit_frame *frame = &task->frames[depth];
    struct sm_work *work = find_work(frame->works, set);
    return work ? work : begin(&frame->works, set, thread, frame->context->function, depth);
}

/* The outermost frame that is a unit for the set; n if none is. */
static uint32_t outermost(const struct task *task, const struct sm_set *set)
{
    for (uint32_t i = task->bottom; i < task->n; i++) {
        const struct unit_frame *frame = &task->frames[i];
        if (sm_declared_unit(frame->context->function, set))
            return i;
        if (frame->root && !paper)
            continue;
        if (find_work(frame->works, set) || is_given(frame, set))
            return i;
    }
    return task->n;
}

/* The unit of the thread that only waits for this one. */
static struct sm_work *unit_of_joiner(const struct sm_thread *thread, struct sm_set *set)
{
    struct task *task = thread->joiner ? task_of(thread->joiner->id) : NULL;
    if (paper || !task || task->crowded || task_of(thread->id)->parent != thread->joiner->id)
        return NULL;
    uint32_t depth = outermost(task, set);
    return depth < task->n ? begin_at(task, depth, thread->joiner->id, set) : NULL;
}

static struct sm_work *search(struct task *task, const struct sm_thread *thread, struct sm_set *set)
{
    struct sm_work *work = declared_unit(task, thread->id, set);
    if (!work)
        work = unit_of_joiner(thread, set);
    if (work)
        return work;
    uint32_t depth = outermost(task, set);
    return begin_at(task, depth < task->n ? depth : task->n - 1, thread->id, set);
}

/* Restarts a unit that has started a thread and continues without waiting for it. */
static struct sm_work *renew(struct task *task, struct sm_work *work,
                             const struct sm_thread *thread, struct sm_set *set)
{
    if (!work->stale || work->thread != thread->id || work->depth == DECLARED)
        return work;
    struct sm_work **at = &task->frames[work->depth].works;
    uint32_t depth = work->depth;
    while (*at != work)
        at = &(*at)->sibling;
    *at = work->sibling;
    sm_work_end(work);
    return begin_at(task, depth, thread->id, set);
}

struct sm_work *sm_unit_of(const struct sm_thread *thread, struct sm_set *set)
{
    struct task *task = task_of(thread->id);
    if (!task->n)
        return NULL;
    struct sm_work *last = (struct sm_work *)set->works.last;
    if (last && last->thread == thread->id && !last->ended && !last->stale &&
        last->depth >= task->bottom && !thread->joiner &&
        !(last->depth < task->n - 1 && task->frames[last->depth].root))
        return last;
    return renew(task, search(task, thread, set), thread, set);
}

const struct sm_context *sm_unit_context(uint32_t thread)
{
    const struct task *task = task_of(thread);
    return task->n ? task->frames[task->n - 1].context : &nowhere;
}

/* ---- synchronisation ---- */

static void cut_roots(struct task *task)
{
    for (uint32_t i = 0; !paper && i < task->n && task->frames[i].root; i++)
        end_undeclared(&task->frames[i]);
}

static void cut(struct task *task)
{
    for (uint32_t i = 0; i < task->n; i++)
        end_all(&task->frames[i].works);
}

static void make_stale(struct task *task)
{
    cut_roots(task); /* no thread works for these */
    for (uint32_t i = 0; i < task->n; i++)
        for (struct sm_work *work = task->frames[i].works; work; work = work->sibling)
            work->stale = true;
}

/* A call that takes a lock twice has let others in between. */
static void note_taking(struct unit_frame *frame, uintptr_t lock)
{
    for (uint32_t i = 0; i < frame->n_taken; i++) {
        if (frame->taken[i] != lock)
            continue;
        const struct sm_set *set = sm_table_get(&locked, lock);
        if (set)
            sm_infer_unit(frame->context->function, set);
        return;
    }
    if (frame->n_taken < MAX_TAKEN)
        frame->taken[frame->n_taken++] = lock;
}

static void note_takings(struct task *task, uintptr_t lock)
{
    for (uint32_t i = task->bottom; i < task->n; i++)
        if (!task->frames[i].root)
            note_taking(&task->frames[i], lock);
}

void sm_units_guard(uintptr_t lock, struct sm_set *set)
{
    void **place = sm_table_at(&locked, lock);
    if (!*place)
        *place = set;
}

static void take_lock(struct task *task, const struct sm_event *event)
{
    if (task->n_held < MAX_LOCKS) {
        task->held[task->n_held].lock = event->addr;
        task->held[task->n_held++].pc = event->pc;
    }
    if (task->n_held == 1)
        cut_roots(task);
    if (sm_option(infer_units))
        note_takings(task, event->addr);
}

static void give_lock(struct task *task, uintptr_t lock)
{
    for (uint32_t i = task->n_held; i-- > 0;) {
        if (task->held[i].lock != lock)
            continue;
        memmove(&task->held[i], &task->held[i + 1], (task->n_held - i - 1) * sizeof task->held[0]);
        task->n_held--;
        break;
    }
    if (!task->n_held)
        cut_roots(task);
}

static bool has_posted(const struct task *task, uintptr_t semaphore)
{
    for (uint32_t i = 0; i < task->n_posted; i++)
        if (task->posted[i] == semaphore)
            return true;
    return false;
}

/* A thread that posts a semaphore and then waits for it uses it as a lock; one that waits for the
   posts of others waits for them. */
static void wait_semaphore(struct task *task, uintptr_t semaphore)
{
    if (has_posted(task, semaphore))
        cut_roots(task);
    else
        cut(task);
}

static void post_semaphore(struct task *task, uintptr_t semaphore)
{
    if (!has_posted(task, semaphore) && task->n_posted < MAX_POSTED)
        task->posted[task->n_posted++] = semaphore;
    cut_roots(task);
}

static void synchronise(struct task *task, const struct sm_event *event)
{
    if (paper)
        return;
    switch (event->kind) {
    case SM_EV_WAIT:
    case SM_EV_ARRIVE:
    case SM_EV_JOIN:
        cut(task);
        break;
    case SM_EV_SPAWN:
        make_stale(task);
        break;
    case SM_EV_ATOMIC_LOAD:
    case SM_EV_ATOMIC_STORE:
    case SM_EV_RMW: /* perhaps a lock implemented by the program */
        if (!task->n_held)
            cut_roots(task);
        break;
    case SM_EV_SEM_WAIT:
        wait_semaphore(task, event->addr);
        break;
    case SM_EV_SEM_POST:
        post_semaphore(task, event->addr);
        break;
    default:
        break;
    }
}

static void lock_or_unlock(struct task *task, const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOCK:
    case SM_EV_READ_LOCK:
    case SM_EV_WRITE_LOCK:
        take_lock(task, event);
        break;
    case SM_EV_UNLOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_UNLOCK:
        give_lock(task, event->addr);
        break;
    default:
        break;
    }
}

static void count_child(struct task *task, uint32_t parent, uint32_t child)
{
    task->crowded = task->children++ > 0;
    task_of(child)->parent = parent;
    task_of(child)->made_at = ++moment;
}

static void note_join(uint32_t thread, uint32_t joined)
{
    task_of(joined)->joined_at = ++moment;
    task_of(joined)->joined_by = thread;
}

static void end_task(struct task *task)
{
    task_of(task->parent)->children--;
    while (task->n)
        pop(task);
    while (task->n_declared)
        end_declared(task, task->declared[0].object);
}

void sm_units_event(const struct sm_event *event)
{
    struct task *task = task_of(event->thread->id);
    switch (event->kind) {
    case SM_EV_ENTER:
        enter(task, event);
        break;
    case SM_EV_LEAVE:
        leave(task, event->old);
        break;
    case SM_EV_ARGUMENT:
        add_argument(task, event->addr);
        break;
    case SM_EV_UNIT_BEGIN:
        begin_declared(task, event->addr);
        break;
    case SM_EV_UNIT_END:
        end_declared(task, event->addr);
        break;
    case SM_EV_END:
        end_task(task);
        break;
    case SM_EV_SPAWN:
        count_child(task, event->thread->id, (uint32_t)event->old);
        synchronise(task, event);
        break;
    case SM_EV_JOIN:
        note_join(event->thread->id, (uint32_t)event->old);
        synchronise(task, event);
        break;
    default:
        lock_or_unlock(task, event);
        synchronise(task, event);
    }
}

uintptr_t sm_unit_lock(uint32_t thread, uintptr_t *pc)
{
    const struct task *task = task_of(thread);
    *pc = task->n_held ? task->held[task->n_held - 1].pc : 0;
    return task->n_held ? task->held[task->n_held - 1].lock : 0;
}

/* ---- for the schedule ---- */

uint64_t sm_units_moment(void)
{
    return moment;
}

/* Everything that `owner` did until then comes before anything that `thread` does, by creation
   alone. */
static bool is_made_after(uint32_t owner, uint64_t when, uint32_t thread)
{
    while (thread && thread != owner) {
        const struct task *task = task_of(thread);
        if (task->parent == owner)
            return when < task->made_at;
        thread = task->parent;
    }
    return false;
}

bool sm_units_ordered(uint32_t owner, uint64_t when, uint32_t thread)
{
    const struct task *task = task_of(owner);
    if (is_made_after(owner, when, thread))
        return true;
    return task->joined_at &&
           (task->joined_by == thread || is_made_after(task->joined_by, task->joined_at, thread));
}

static bool is_alone(const struct sm_work *work)
{
    for (const struct sm_work *other = work->set->works; other; other = other->next)
        if (other->thread != work->thread && !other->ended && other->n_touches)
            return false;
    return true;
}

static enum sm_progress_of_units progress_of(const struct sm_work *work)
{
    if (!work->n_touches || !work->wanted)
        return SM_UNITS_NONE;
    const struct sm_work *last = work->set->last;
    if (last == work)
        return is_alone(work) ? SM_UNITS_HALF : SM_UNITS_AHEAD;
    return last && !last->ended ? SM_UNITS_MET : SM_UNITS_OVERTAKEN;
}

static void look(const struct sm_work *works, enum sm_progress_of_units *most)
{
    for (; works; works = works->sibling)
        if (progress_of(works) > *most)
            *most = progress_of(works);
}

enum sm_progress_of_units sm_units_progress(uint32_t thread)
{
    const struct task *task = thread < n_tasks ? tasks[thread] : NULL;
    enum sm_progress_of_units most = SM_UNITS_NONE;
    if (!task)
        return most;
    for (uint32_t i = 0; i < task->n; i++)
        look(task->frames[i].works, &most);
    for (uint32_t i = 0; i < task->n_declared; i++)
        look(task->declared[i].works, &most);
    return most;
}

uint32_t sm_units_locks(uint32_t thread)
{
    return thread < n_tasks && tasks[thread] ? tasks[thread]->n_held : 0;
}
