#include "runtime/assume.h"

#include <string.h>
#include <sys/mman.h>

#include "abi/repair.h"
#include "base/module.h"
#include "base/random.h"
#include "base/repair.h"
#include "base/sys.h"
#include "base/table.h"
#include "core/order.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/engine.h"
#include "runtime/step.h"
#include "runtime/sync/sync.h"

bool sm_assuming;

static struct sm_repair repairs[SM_MAX_REPAIRS] SM_SELDOM;
static int n_repairs;
static pthread_mutex_t *locks[SM_MAX_REPAIRS];    /* of each LOCK, once known */
static pthread_mutex_t new_locks[SM_MAX_REPAIRS]; /* by the first repair that names it */
static struct sm_table by_site, by_function;      /* struct assumed; see sm_assume_traces */

enum { NO_FENCE = SM_ORDER_RELAXED };

/* What is assumed at a site in addition to its row. Sets of repairs are bit masks by number. */
struct assumed {
    const struct sm_function *function;
    uint64_t inside;       /* LOCK, MERGE: whose lines contain the site */
    uint64_t of_function;  /* those of the whole function; 0: the position of the thread is not
                              tracked */
    uint64_t around;       /* LOCK of a variable */
    uint64_t merged;       /* MERGE: it is the load or the store */
    uint64_t ordered;      /* ORDER: to report that it was executed */
    uint8_t before, after; /* fences */
};

static struct assumed *assumed_at(const struct sm_site *site)
{
    return sm_table_get(&by_site, (uintptr_t)site);
}

/* ---- the rows of a module ---- */

static void read_repairs(void)
{
    struct sm_repair_error error;
    sm_seldom_touch(repairs, sizeof repairs);
    n_repairs = sm_repairs_parse(sm_control->repairs, repairs, &error);
    if (n_repairs < 0)
        sm_refuse("the repairs to assume cannot be read: line %u: %s", error.line, error.why);
    sm_assuming = n_repairs > 0;
}

static bool is_read(uint8_t kind)
{
    return kind == SM_SITE_LOAD || kind == SM_SITE_ATOMIC_LOAD;
}

static bool is_write(uint8_t kind)
{
    return kind == SM_SITE_STORE || kind == SM_SITE_ATOMIC_STORE;
}

static bool is_rmw(uint8_t kind)
{
    return kind == SM_SITE_RMW || kind == SM_SITE_CAS;
}

static bool is_access(uint8_t kind)
{
    return is_read(kind) || is_write(kind) || is_rmw(kind);
}

/* The repair names the place, or the variable, of the site. */
static bool means(const struct sm_repair *repair, const struct sm_site *site)
{
    if (repair->variable[0] && strcmp(repair->variable, SM_SITE_TEXT(site, variable)) != 0)
        return false;
    return !repair->line ||
           sm_repair_is_at(repair, SM_SITE_TEXT(site, file), site->line, site->column);
}

static bool can_be_atomic(const struct sm_site *site)
{
    return site->size && site->size <= 16 && !(site->size & (site->size - 1)) &&
           !(site->flags & SM_SITE_BITFIELD);
}

/* The table is read-only after relocation; the first write to a page makes a private copy. */
static void write_row(const struct sm_site *site, const struct sm_site *row)
{
    uintptr_t from = (uintptr_t)site / 4096 * 4096, to = (uintptr_t)(site + 1);
    long error =
        sm_syscall(SYS_mprotect, from, (to - from + 4095) / 4096 * 4096, PROT_READ | PROT_WRITE);
    if (error)
        sm_refuse("cannot change the site table for the repairs to assume (error %ld)", -error);
    memcpy((struct sm_site *)site, row, sizeof *row);
}

static struct assumed *add_assumed(const struct sm_module *module, const struct sm_site *site)
{
    void **place = sm_table_at(&by_site, (uintptr_t)site);
    if (!*place) {
        struct assumed *assumed = sm_alloc(sizeof *assumed);
        *assumed = (struct assumed){.function = &module->functions[site->function_index],
                                    .before = NO_FENCE,
                                    .after = NO_FENCE};
        *place = assumed;
        struct sm_site row = *site;
        row.flags |= SM_SITE_ASSUMED;
        write_row(site, &row);
    }
    return *place;
}

static bool order_applies(const struct sm_repair *repair, uint8_t kind)
{
    switch (repair->access) {
    case SM_REPAIR_READ:
        return is_read(kind);
    case SM_REPAIR_WRITE:
        return is_write(kind);
    case SM_REPAIR_RMW:
        return is_rmw(kind);
    default:
        return is_access(kind) || kind == SM_SITE_FENCE;
    }
}

static bool set_order(const struct sm_repair *repair, const struct sm_module *module,
                      const struct sm_site *site, uint64_t bit)
{
    struct sm_site row = *site;
    bool reads = !is_write(site->kind), writes = !is_read(site->kind);
    bool plain = repair->order == SM_ORDER_PLAIN;
    if (!order_applies(repair, site->kind) || (plain && reads && writes) ||
        (!plain && site->kind != SM_SITE_FENCE && !can_be_atomic(site)))
        return false;
    row.order = sm_order_for(repair->order, reads, writes);
    row.flags |= SM_SITE_ASSUMED;
    if (is_read(site->kind))
        row.kind = plain ? SM_SITE_LOAD : SM_SITE_ATOMIC_LOAD;
    if (is_write(site->kind))
        row.kind = plain ? SM_SITE_STORE : SM_SITE_ATOMIC_STORE;
    if (site->kind == SM_SITE_CAS)
        row.order_fail = sm_order_for(repair->order, true, false);
    if (!plain)
        row.flags &= (uint8_t)~SM_SITE_KEPT;
    write_row(site, &row);
    add_assumed(module, site)->ordered |= bit;
    return true;
}

static bool set_merged(const struct sm_repair *repair, const struct sm_module *module,
                       const struct sm_site *site, uint64_t bit)
{
    struct sm_site row = *site;
    bool reads = is_read(site->kind), writes = is_write(site->kind);
    if ((!reads && !writes) || !can_be_atomic(site) || site->size > 8)
        return false;
    row.kind = reads ? SM_SITE_ATOMIC_LOAD : SM_SITE_RMW;
    row.order = sm_order_for(repair->order, true, writes);
    row.order_fail = sm_order_for(repair->order, true, false);
    row.op = SM_RMW_XCHG;
    row.flags &= (uint8_t)~SM_SITE_KEPT;
    write_row(site, &row);
    add_assumed(module, site)->merged |= bit;
    return writes;
}

/* Copies and library calls have an additional site of kind LINE. */
static bool tells_line(const struct sm_site *site)
{
    return site->kind != SM_SITE_COPY && site->kind != SM_SITE_FILL && site->kind != SM_SITE_CALL;
}

/* The access of a line, in one function, to which a fence is attached: the first or the last. If a
   line has none: its first call. */
static const struct sm_site *fenced_site(const struct sm_repair *repair,
                                         const struct sm_module *module,
                                         const struct sm_function *function)
{
    const struct sm_site *found = NULL, *call = NULL;
    for (uint32_t i = 0; i < function->n_sites; i++) {
        const struct sm_site *site = &module->sites[function->first_site + i];
        if (!tells_line(site) || !means(repair, site))
            continue;
        if (site->kind == SM_SITE_LINE)
            call = call ? call : site;
        else if (!found || repair->after)
            found = site;
    }
    return found || repair->after ? found : call;
}

static bool set_fence(const struct sm_repair *repair, const struct sm_module *module,
                      const struct sm_function *function)
{
    const struct sm_site *site = fenced_site(repair, module, function);
    if (!site)
        return false;
    struct assumed *assumed = add_assumed(module, site);
    *(repair->after ? &assumed->after : &assumed->before) = repair->order;
    return true;
}

/* All sites of the function must report the position of the thread. */
static void trace_function(const struct sm_module *module, const struct sm_function *function,
                           uint64_t bit)
{
    void **place = sm_table_at(&by_function, (uintptr_t)function);
    if (!*place)
        *place = (void *)function;
    for (uint32_t i = 0; i < function->n_sites; i++) {
        const struct sm_site *site = &module->sites[function->first_site + i];
        if (tells_line(site))
            add_assumed(module, site)->of_function |= bit;
    }
}

/* A LOCK over lines, or a MERGE. */
static bool set_stretch(const struct sm_repair *repair, const struct sm_module *module,
                        const struct sm_function *function, uint64_t bit)
{
    bool merges = repair->kind == SM_REPAIR_MERGE, found = false;
    for (uint32_t i = 0; i < function->n_sites; i++) {
        const struct sm_site *site = &module->sites[function->first_site + i];
        if (!tells_line(site) || !sm_repair_is_at(repair, SM_SITE_TEXT(site, file), site->line, 0))
            continue;
        add_assumed(module, site)->inside |= bit;
        if (!merges || means(repair, site))
            found |= merges ? set_merged(repair, module, site, bit) : true;
    }
    if (found)
        trace_function(module, function, bit);
    return found;
}

static bool set_around(const struct sm_module *module, const struct sm_site *site, uint64_t bit)
{
    if (!is_access(site->kind))
        return false;
    add_assumed(module, site)->around |= bit;
    return true;
}

/* True: the repair applies somewhere in this function. */
static bool apply(int number, const struct sm_module *module, const struct sm_function *function)
{
    const struct sm_repair *repair = &repairs[number];
    uint64_t bit = 1ul << number;
    if (repair->kind == SM_REPAIR_FENCE)
        return set_fence(repair, module, function);
    if (repair->kind == SM_REPAIR_MERGE || (repair->kind == SM_REPAIR_LOCK && repair->line))
        return set_stretch(repair, module, function, bit);
    bool found = false;
    for (uint32_t i = 0; i < function->n_sites; i++) {
        const struct sm_site *site = &module->sites[function->first_site + i];
        if (means(repair, site))
            found |= repair->kind == SM_REPAIR_ORDER ? set_order(repair, module, site, bit)
                                                     : set_around(module, site, bit);
    }
    return found;
}

static uint64_t found_repairs;

void sm_assume_module(const struct sm_module *module)
{
    if (!sm_control->repairs[0])
        return;
    if (!n_repairs)
        read_repairs();
    for (int i = 0; i < n_repairs; i++)
        for (uint32_t f = 0; f < module->n_functions; f++)
            if (apply(i, module, &module->functions[f]))
                found_repairs |= 1ul << i;
}

bool sm_assume_traces(const struct sm_function *function)
{
    return sm_assuming && sm_table_get(&by_function, (uintptr_t)function);
}

/* ---- which mutex a LOCK names ---- */

static pthread_mutex_t *global_mutex(const char *name)
{
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        for (uint64_t i = 0; i < module->n_globals; i++)
            if (strcmp(module->globals[i].name, name) == 0 &&
                module->globals[i].size == sizeof(pthread_mutex_t))
                return (pthread_mutex_t *)module->globals[i].address;
    return NULL;
}

static pthread_mutex_t *new_mutex(int number)
{
    int first = 0;
    while (!repairs[first].new_lock || strcmp(repairs[first].lock, repairs[number].lock) != 0)
        first++;
    return &new_locks[first];
}

void sm_assume_check(void)
{
    char text[SM_DETAIL_SIZE / 2] = "";
    size_t used = 0;
    for (int i = 0; i < n_repairs; i++) {
        bool found = found_repairs >> i & 1;
        if (repairs[i].kind == SM_REPAIR_LOCK)
            locks[i] = repairs[i].new_lock ? new_mutex(i) : global_mutex(repairs[i].lock);
        if (found && (repairs[i].kind != SM_REPAIR_LOCK || locks[i]))
            continue;
        char line[SM_REPAIR_LINE];
        sm_repair_print(&repairs[i], line, sizeof line);
        used += sm_format(text + used, sizeof text - used, "\n  %s  # %s", line,
                          found ? "there is no global mutex of that name" : "means no access");
    }
    sm_control->repairs_unknown = used > 0;
    if (used)
        sm_refuse("of the repairs to assume, these do not fit the program:%s", text);
}

/* ---- position of a thread ---- */

/* An active call of a function in which locks are assumed over lines. */
struct activation {
    uintptr_t frame;
    const struct sm_function *function;
    uint64_t held; /* repairs whose lines contain the thread */
};

/* The load of a merged pair, until its store. */
struct merged_load {
    uintptr_t addr; /* 0: none */
    uint64_t value;
};

/* Of a thread; NULL in struct sm_thread until it reaches an assumed repair. */
struct sm_assumed_state {
    struct activation *calls; /* the innermost last */
    uint32_t n, room;
    struct merged_load merged[SM_MAX_REPAIRS];
    uint64_t result; /* of the access whose unlock or fence is in progress */
};

static struct sm_assumed_state *state_of(struct sm_thread *self)
{
    if (!self->assumed)
        self->assumed = sm_alloc(sizeof(struct sm_assumed_state));
    return self->assumed;
}

/* Sampling: policies make the choices, and no other thread runs between a merged load and store. */
static bool is_sampling(void)
{
    return !sm_engine->answer;
}

static void forget_load(struct sm_thread *self, struct merged_load *load)
{
    if (load->addr && is_sampling() && self->no_switch)
        self->no_switch--;
    load->addr = 0;
}

static void leave_stretch(int number, void *pc)
{
    struct sm_thread *self = sm_self();
    if (repairs[number].kind == SM_REPAIR_MERGE)
        forget_load(self, &state_of(self)->merged[number]);
    else
        sm_mutex_unlock(locks[number], pc);
}

/* Those of the call that are not in `stay`. */
static void leave_stretches(uint32_t index, uint64_t stay, void *pc)
{
    for (int i = 0; i < n_repairs; i++) {
        struct activation *call = &state_of(sm_self())->calls[index];
        if (!(call->held & ~stay & 1ul << i))
            continue;
        call->held &= ~(1ul << i);
        leave_stretch(i, pc);
    }
}

static void enter_stretches(uint32_t index, uint64_t wanted, void *pc)
{
    for (int i = 0; i < n_repairs; i++) {
        if (!(wanted & ~state_of(sm_self())->calls[index].held & 1ul << i))
            continue;
        if (repairs[i].kind == SM_REPAIR_LOCK)
            sm_mutex_lock(locks[i], SM_FOREVER, pc);
        state_of(sm_self())->calls[index].held |= 1ul << i;
    }
}

/* Calls with frames below have ended, in whatever way. */
static void pop_calls(struct sm_assumed_state *state, uintptr_t frame, void *pc)
{
    while (state->n && state->calls[state->n - 1].frame < frame) {
        leave_stretches(state->n - 1, 0, pc);
        state->n--;
    }
}

static bool is_call(const struct activation *call, uintptr_t frame,
                    const struct sm_function *function)
{
    return call->frame == frame && call->function == function;
}

/* Inlined functions share a frame. */
static uint32_t find_call(struct sm_assumed_state *state, uintptr_t frame,
                          const struct sm_function *function)
{
    for (uint32_t i = state->n; i-- > 0 && state->calls[i].frame == frame;)
        if (state->calls[i].function == function)
            return i;
    if (state->n == state->room)
        state->calls = sm_alloc_larger(state->calls, &state->room, 4, sizeof *state->calls);
    state->calls[state->n] = (struct activation){frame, function, 0};
    return state->n++;
}

void sm_assume_visit(const struct sm_site *site, uintptr_t frame, void *pc)
{
    const struct assumed *assumed = assumed_at(site);
    if (!assumed || !assumed->of_function)
        return;
    struct sm_assumed_state *state = state_of(sm_self());
    pop_calls(state, frame, pc);
    uint32_t call = find_call(state, frame, assumed->function);
    leave_stretches(call, assumed->inside, pc);
    enter_stretches(call, assumed->inside, pc);
}

void sm_assume_enter(uintptr_t frame, const struct sm_function *function, void *pc)
{
    if (!sm_assume_traces(function))
        return;
    struct sm_assumed_state *state = state_of(sm_self());
    pop_calls(state, frame, pc);
    leave_stretches(find_call(state, frame, function), 0, pc); /* an older call was unwound */
}

void sm_assume_leave(uintptr_t frame, const struct sm_function *function, void *pc)
{
    if (!sm_assume_traces(function))
        return;
    struct sm_assumed_state *state = state_of(sm_self());
    pop_calls(state, frame, pc);
    leave_stretches(find_call(state, frame, function), 0, pc);
    while (state->n && is_call(&state->calls[state->n - 1], frame, function))
        state->n--;
}

void sm_assume_thread_ends(void)
{
    if (sm_assuming)
        pop_calls(state_of(sm_running()), UINTPTR_MAX, NULL);
}

/* ---- around one access ---- */

static void fence(const struct sm_site *site, uint8_t order)
{
    struct sm_event event = {
        .kind = SM_EV_FENCE, .order = order, .thread = sm_self(), .site = site, .rf = SM_RF_NONE};
    if (order != NO_FENCE)
        sm_step(&event);
}

static bool holds(const struct sm_thread *self, const pthread_mutex_t *lock)
{
    for (uint32_t i = 0; i < self->n_taken && i < SM_ARRAY_SIZE(self->taken); i++)
        if (self->taken[i].lock == (uintptr_t)lock)
            return true;
    return false;
}

/* A thread that already holds the lock does not take it again. */
static uint64_t lock_around(uint64_t wanted, void *pc)
{
    uint64_t locked = 0;
    for (int i = 0; wanted && i < n_repairs; i++) {
        if (!(wanted >> i & 1) || holds(sm_self(), locks[i]))
            continue;
        sm_mutex_lock(locks[i], SM_FOREVER, pc);
        locked |= 1ul << i;
    }
    return locked;
}

uint64_t sm_assume_before(const struct sm_site *site, uintptr_t frame, void *pc)
{
    const struct assumed *assumed = assumed_at(site);
    if (!assumed)
        return 0;
    sm_control->repairs_met |= assumed->ordered;
    sm_assume_visit(site, frame, pc);
    fence(site, assumed->before);
    return lock_around(assumed->around, pc);
}

void sm_assume_after(const struct sm_site *site, uint64_t locked, uint64_t result, void *pc)
{
    const struct assumed *assumed = assumed_at(site);
    state_of(sm_self())->result = result;
    for (int i = n_repairs; locked && i-- > 0;)
        if (locked >> i & 1)
            sm_mutex_unlock(locks[i], pc);
    if (assumed)
        fence(site, assumed->after);
    state_of(sm_self())->result = 0;
}

uint64_t sm_assume_state(const struct sm_thread *thread)
{
    const struct sm_assumed_state *state = thread->assumed;
    uint64_t hash = state ? sm_random_mix(state->result) : 0;
    for (int i = 0; state && i < n_repairs; i++)
        if (state->merged[i].addr)
            hash = sm_random_mix(hash ^ state->merged[i].value) + (uint64_t)i;
    for (uint32_t i = 0; state && i < state->n; i++)
        hash = sm_random_mix(hash ^ state->calls[i].held);
    return hash;
}

/* ---- merged pairs ---- */

bool sm_assume_merges(const struct sm_site *site)
{
    const struct assumed *assumed = assumed_at(site);
    return assumed && assumed->merged;
}

static struct merged_load *merged_load(const struct sm_event *event)
{
    return &state_of(event->thread)->merged[__builtin_ctzl(assumed_at(event->site)->merged)];
}

_Noreturn static void drop(void)
{
    sm_end(SM_END_ASSUME, 0,
           "another thread stored between a load and a store that are assumed to "
           "be one");
}

uint64_t sm_assume_merged_load(struct sm_event *event)
{
    if (is_sampling())
        sm_step_newest(event);
    else
        sm_step(event);
    struct merged_load *load = merged_load(event);
    bool again = load->addr == event->addr;
    if (again && load->value != event->value)
        drop();
    if (!again)
        forget_load(event->thread, load);
    if (!again && is_sampling())
        event->thread->no_switch++;
    *load = (struct merged_load){event->addr, event->value};
    return event->value;
}

void sm_assume_merged_store(struct sm_event *event)
{
    struct merged_load *load = merged_load(event);
    bool paired = load->addr == event->addr;
    uint64_t expected = load->value;
    event->op = paired ? SM_OP_CAS : SM_RMW_XCHG;
    event->old = expected;
    sm_step(event);
    forget_load(event->thread, load);
    if (paired && event->old != expected)
        drop();
}
