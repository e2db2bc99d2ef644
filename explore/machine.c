#include "machine.h"

#include <string.h>

#include "../runtime/control.h"
#include "../runtime/sys.h"
#include "graph.h"
#include "objects.h"
#include "pool.h"

static struct initials {
    uint64_t values[UINT16_MAX];
    bool full, mixed;
} *initials;

void sm_machine_start(void)
{
    initials = sm_map(NULL, sizeof *initials);
}

void sm_machine_clear(void)
{
    memset(initials, 0, sizeof *initials);
}

bool sm_machine_is_full(void)
{
    return initials->full;
}

bool sm_machine_is_mixed(void)
{
    return initials->mixed;
}

static bool has_room(const struct sm_machine *machine)
{
    bool room = machine->n_writes < SM_MACHINE_WRITES && machine->n_objects < SM_MACHINE_OBJECTS;
    initials->full |= !room;
    return room;
}

void sm_machine_initial(uint16_t loc, uint64_t value)
{
    initials->values[loc] = value;
}

/* ---- states ---- */

void sm_machine_begin(struct sm_machine *machine)
{
    memset(machine, 0, sizeof *machine);
    machine->threads[0].node = sm_local_root();
    machine->threads[0].now.hb[0] = machine->threads[0].now.co[0] = 1;
}

size_t sm_machine_size(const struct sm_machine *machine)
{
    return (size_t)((const char *)&machine->writes[machine->n_writes] - (const char *)machine);
}

/* Of objects and writes those in use. */
void sm_machine_copy(struct sm_machine *to, const struct sm_machine *from)
{
    memcpy(to, from, offsetof(struct sm_machine, objects));
    memcpy(to->objects, from->objects, from->n_objects * sizeof *from->objects);
    memcpy(to->writes, from->writes, from->n_writes * sizeof *from->writes);
}

typedef uint64_t __attribute__((may_alias)) word;

static uint64_t multiply(uint64_t x, uint64_t y)
{
    unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Two words a turn: what waits for the turn before is one multiplication. */
static void hash_words(uint64_t hash[2], const void *from, size_t size)
{
    const word *at = from, *end = at + size / sizeof *at;
    uint64_t a = hash[0], b = hash[1];
    for (; end - at >= 2; at += 2) {
        a = multiply(a ^ at[0], at[1] ^ 0xbf58476d1ce4e5b9u);
        b = multiply(b ^ at[1], at[0] ^ 0x94d049bb133111ebu);
    }
    if (at < end) {
        a = multiply(a ^ *at, 0xbf58476d1ce4e5b9u);
        b = multiply(b ^ *at, 0x94d049bb133111ebu);
    }
    hash[0] = a;
    hash[1] = b;
}

/* Threads that were not created are all zero: they may be left out. */
static size_t size_to_last_thread(const struct sm_machine *machine)
{
    uint32_t n = SM_MACHINE_THREADS;
    while (n > 1 && !machine->threads[n - 1].node)
        n--;
    size_t size = offsetof(struct sm_machine, threads) + n * sizeof *machine->threads;
    return (size + sizeof(word) - 1) & ~(sizeof(word) - 1);
}

/* Two thirds of the time were spent here when all of the state was hashed, each word by a call of
   memcpy (the runtime has no builtin functions). */
void sm_machine_hash(const struct sm_machine *machine, uint64_t hash[2])
{
    hash[0] = 0x9e3779b97f4a7c15u;
    hash[1] = 0xd1b54a32d192ed03u;
    hash_words(hash, machine, size_to_last_thread(machine));
    hash_words(hash, machine->objects, machine->n_objects * sizeof *machine->objects);
    hash_words(hash, machine->writes, machine->n_writes * sizeof *machine->writes);
}
_Static_assert(sizeof(struct sm_written) % sizeof(word) == 0 &&
                   sizeof(struct sm_object_state) % sizeof(word) == 0 &&
                   offsetof(struct sm_machine, objects) % sizeof(word) == 0 &&
                   offsetof(struct sm_machine, writes) % sizeof(word) == 0,
               "hashed by words");

/* ---- knowledge ---- */

static void learn(struct sm_known *to, const struct sm_known *from)
{
    for (unsigned i = 0; i < SM_MACHINE_THREADS; i++) {
        if (from->hb[i] > to->hb[i])
            to->hb[i] = from->hb[i];
        if (from->co[i] > to->co[i])
            to->co[i] = from->co[i];
    }
    if (from->sc > to->sc)
        to->sc = from->sc;
}

static uint16_t time_of(const struct sm_machine *machine, uint32_t thread)
{
    return machine->threads[thread].now.hb[thread];
}

/* What the thread did so far was told to somebody: what comes now was not. */
static void tick(struct sm_machine *machine, uint32_t thread)
{
    struct sm_known *now = &machine->threads[thread].now;
    now->co[thread] = ++now->hb[thread];
    SM_ASSERT(now->hb[thread] < UINT16_MAX);
}

static bool is_made(const struct sm_written *write)
{
    return !(write->flags & SM_WRITTEN_PROMISE);
}

/* The write happens before what the thread does now. */
static bool is_known(const struct sm_machine *machine, const struct sm_written *write,
                     uint32_t thread)
{
    return is_made(write) && (write->thread == thread ||
                              machine->threads[thread].now.hb[write->thread] >= write->time);
}

static bool is_before(const struct sm_written *a, const struct sm_written *b)
{
    if (a->thread == b->thread)
        return a->nth < b->nth;
    return b->by.hb[a->thread] >= a->time;
}

/* The first write of a location, and behind its last. */
static void range(const struct sm_machine *machine, uint16_t loc, uint16_t *first, uint16_t *end)
{
    uint16_t i = 0;
    while (i < machine->n_writes && machine->writes[i].loc < loc)
        i++;
    *first = i;
    while (i < machine->n_writes && machine->writes[i].loc == loc)
        i++;
    *end = i;
}

/* ---- plain reads ---- */

/* One that is later in modification order hides an atomic write as one that happens after it does:
   else the plain read of a counter would see any of the relaxed additions before the join. */
static bool hides(const struct sm_machine *machine, uint16_t later, uint16_t w)
{
    const struct sm_written *a = &machine->writes[w], *b = &machine->writes[later];
    return is_before(a, b) || (later > w && (a->flags & b->flags & SM_WRITTEN_ATOMIC));
}

static bool is_hidden(const struct sm_machine *machine, uint16_t w, uint16_t first, uint16_t end,
                      uint32_t thread)
{
    if (w != end && !is_made(&machine->writes[w]))
        return false;
    for (uint16_t i = first; i < end; i++)
        if (i != w && is_known(machine, &machine->writes[i], thread) &&
            (w == end || hides(machine, i, w)))
            return true;
    return false;
}

struct choices {
    uint32_t n;
    struct {
        uint64_t value;
        struct sm_source from;
        bool promised;
    } at[SM_MACHINE_WRITES + 1];
};

static void add_choice(struct choices *choices, uint64_t value, struct sm_source from,
                       bool promised)
{
    for (uint32_t i = 0; i < choices->n; i++)
        if (choices->at[i].value == value && !choices->at[i].promised)
            return; /* a promise would give the same, with strings attached */
    choices->at[choices->n].value = value;
    choices->at[choices->n].from = from;
    choices->at[choices->n++].promised = promised;
}

/* What a plain read may return: promises last. `mask` and `shift` pick a half. */
static void find_choices(const struct sm_machine *machine, uint32_t thread, uint16_t loc,
                         uint64_t mask, unsigned shift, struct choices *choices)
{
    uint16_t first, end;
    range(machine, loc, &first, &end);
    choices->n = 0;
    if (!is_hidden(machine, end, first, end, thread))
        add_choice(choices, initials->values[loc] >> shift & mask, (struct sm_source){SM_NOBODY, 0},
                   false);
    for (unsigned promised = 0; promised < 2; promised++)
        for (uint16_t i = first; i < end; i++) {
            const struct sm_written *write = &machine->writes[i];
            bool fits = promised ? write->thread != thread : true;
            if (is_made(write) == !promised && fits && !is_hidden(machine, i, first, end, thread))
                add_choice(choices, write->value >> shift & mask,
                           (struct sm_source){write->thread, write->nth}, promised);
        }
}

typedef void each_way(void *context, const struct sm_move *step);

static bool is_same_source(struct sm_source a, struct sm_source b)
{
    return a.thread == b.thread && a.nth == b.nth;
}

/* Of a value whose halves were chosen apart: one write that gives both, unless that is a promise
   which neither half needs. */
static void read_whole(const struct choices *whole, struct sm_move *step)
{
    for (uint32_t i = 0; i < whole->n; i++) {
        struct sm_source from = whole->at[i].from;
        bool free = !whole->at[i].promised || is_same_source(from, step->from[0]) ||
                    is_same_source(from, step->from[1]);
        if (whole->at[i].value == step->answer && free)
            step->from[0] = step->from[1] = from;
    }
}

static void halves_ways(const struct sm_machine *machine, uint32_t thread,
                        const struct sm_local *node, each_way *each, void *context)
{
    struct choices whole, low, high;
    find_choices(machine, thread, node->loc, UINT64_MAX, 0, &whole);
    find_choices(machine, thread, node->loc, UINT32_MAX, 0, &low);
    find_choices(machine, thread, node->loc, UINT32_MAX, 32, &high);
    for (uint32_t i = 0; i < low.n; i++)
        for (uint32_t k = 0; k < high.n; k++) {
            struct sm_move step = {.thread = (uint8_t)thread,
                                   .plain_read = true,
                                   .loc = node->loc,
                                   .answer = low.at[i].value | high.at[k].value << 32,
                                   .from = {low.at[i].from, high.at[k].from}};
            read_whole(&whole, &step);
            each(context, &step);
        }
}

static void plain_ways(const struct sm_machine *machine, uint32_t thread,
                       const struct sm_local *node, each_way *each, void *context)
{
    struct choices whole;
    if (node->flags & SM_LOCAL_HALVES) {
        halves_ways(machine, thread, node, each, context);
        return;
    }
    find_choices(machine, thread, node->loc, UINT64_MAX, 0, &whole);
    for (uint32_t i = 0; i < whole.n; i++) {
        struct sm_move step = {.thread = (uint8_t)thread,
                               .plain_read = true,
                               .loc = node->loc,
                               .answer = whole.at[i].value,
                               .from = {whole.at[i].from, whole.at[i].from}};
        each(context, &step);
    }
}

void sm_machine_races(const struct sm_machine *machine, uint32_t thread,
                      void (*each)(void *context, const struct sm_written *write), void *context)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    uint16_t first, end;
    if (node->kind != SM_LOCAL_READ || !sm_local_is_plain(node))
        return;
    range(machine, node->loc, &first, &end);
    for (uint16_t i = first; i < end; i++) {
        const struct sm_written *write = &machine->writes[i];
        if (write->thread != thread && is_made(write) && !is_known(machine, write, thread))
            each(context, write);
    }
}

/* ---- atomics ---- */

static bool knows_in_order(const struct sm_machine *machine, const struct sm_written *write,
                           uint32_t thread, uint8_t order)
{
    const struct sm_known *now = &machine->threads[thread].now;
    if (write->seen[thread])
        return true;
    for (unsigned u = 0; u < SM_MACHINE_THREADS; u++)
        if (write->seen[u] &&
            (now->co[u] >= write->seen[u] || (order == SM_ORDER_SEQ_CST && u == write->thread &&
                                              machine->fences.co[u] >= write->time)))
            return true;
    return write->sc && (order == SM_ORDER_SEQ_CST || write->sc <= now->sc);
}

/* The last write that the thread must not go back behind, counted from 1; 0: there is none. */
static uint16_t bound(const struct sm_machine *machine, uint16_t first, uint16_t end,
                      uint32_t thread, uint8_t order)
{
    for (uint16_t i = end; i-- > first;)
        if (is_made(&machine->writes[i]) &&
            knows_in_order(machine, &machine->writes[i], thread, order))
            return (uint16_t)(i - first + 1);
    return 0;
}

static bool is_taken(const struct sm_machine *machine, uint16_t first, uint16_t end, uint16_t place)
{
    return first + place < end && (machine->writes[first + place].flags & SM_WRITTEN_RMW);
}

/* A plain write and an atomic access of another thread race: where the write stands in modification
   order is not tried. */
static void look_for_mixture(const struct sm_machine *machine, uint16_t first, uint16_t end,
                             uint32_t thread, bool atomic)
{
    for (uint16_t i = first; i < end; i++) {
        const struct sm_written *write = &machine->writes[i];
        bool other = !(write->flags & SM_WRITTEN_ATOMIC) == atomic;
        initials->mixed |= other && is_made(write) && !is_known(machine, write, thread);
    }
}

/* `place` counts from 1; 0 is the initial value. */
static void atomic_ways(const struct sm_machine *machine, uint32_t thread,
                        const struct sm_local *node, each_way *each, void *context)
{
    uint16_t first, end;
    range(machine, node->loc, &first, &end);
    look_for_mixture(machine, first, end, thread, true);
    uint16_t low = bound(machine, first, end, thread, node->order);
    for (uint16_t place = (uint16_t)(end - first + 1); place-- > low;) {
        const struct sm_written *write = place ? &machine->writes[first + place - 1] : NULL;
        uint64_t value = write ? write->value : initials->values[node->loc], written;
        struct sm_source from = {SM_NOBODY, 0};
        if (write)
            from = (struct sm_source){write->thread, write->nth};
        if (node->kind == SM_LOCAL_WRITE && is_taken(machine, first, end, place))
            continue;
        if (node->kind == SM_LOCAL_RMW && sm_local_apply(node, value, &written) &&
            is_taken(machine, first, end, place))
            continue;
        struct sm_move step = {.thread = (uint8_t)thread,
                               .loc = node->loc,
                               .answer = node->kind == SM_LOCAL_WRITE ? 0 : value,
                               .from = {from, from},
                               .place = place};
        each(context, &step);
    }
}

/* ---- objects and the rest ---- */

static uint64_t object_state(const struct sm_machine *machine, uint16_t loc)
{
    for (uint16_t i = 0; i < machine->n_objects; i++)
        if (machine->objects[i].loc == loc)
            return machine->objects[i].state;
    return initials->values[loc];
}

static struct sm_object_state *object_of(struct sm_machine *machine, uint16_t loc)
{
    uint16_t i = 0;
    while (i < machine->n_objects && machine->objects[i].loc < loc)
        i++;
    struct sm_object_state *object = &machine->objects[i];
    if (i < machine->n_objects && object->loc == loc)
        return object;
    memmove(object + 1, object, (machine->n_objects++ - i) * sizeof *object);
    memset(object, 0, sizeof *object);
    object->loc = loc;
    object->state = initials->values[loc];
    return object;
}

bool sm_machine_in_block(const struct sm_machine *machine)
{
    for (uint16_t i = 0; i < machine->n_objects; i++)
        if (machine->objects[i].block)
            return true;
    return false;
}

static bool has_ended(const struct sm_machine *machine, uint64_t thread)
{
    uint32_t node = machine->threads[thread].node;
    return node && sm_local_at(node)->kind == SM_LOCAL_END;
}

/* The argument of the operation; `picked`: one of those that it picks from (objects.h). */
static uint64_t argument(const struct sm_local *node, uint32_t picked)
{
    return sm_object_pick((enum sm_object_op)node->op, node->value, picked);
}

static uint32_t candidates(const struct sm_local *node, uint64_t state)
{
    return sm_object_candidates((enum sm_object_op)node->op, state, node->value);
}

uint64_t sm_machine_operate(const struct sm_local *node, uint64_t state)
{
    enum sm_object_op op = (enum sm_object_op)node->op;
    uint64_t next, arg = argument(node, (uint32_t)__builtin_ffs((int)candidates(node, state)));
    enum sm_step step = sm_object_step(op, state, arg, &next);
    if (step == SM_STEP_WAITS)
        return node->flags & SM_LOCAL_TRY ? SM_STEP_FAILS : UINT64_MAX;
    return sm_object_told(op, step, state, node->value);
}

/* An answer that leads on; UINT64_MAX: none does, for now. */
static uint64_t only_answer(const struct sm_machine *machine, const struct sm_local *node)
{
    if (node->kind != SM_LOCAL_JOIN)
        return 0;
    return has_ended(machine, node->value) ? machine->threads[node->value].node : UINT64_MAX;
}

static void object_ways(const struct sm_machine *machine, uint32_t thread,
                        const struct sm_local *node, each_way *each, void *context)
{
    uint64_t state = object_state(machine, node->loc);
    uint32_t set = candidates(node, state);
    struct sm_move step = {.thread = (uint8_t)thread, .answer = sm_machine_operate(node, state)};
    if (!set && step.answer != UINT64_MAX)
        each(context, &step);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (set >> t & 1) {
            step.place = (uint16_t)(t + 1);
            each(context, &step);
        }
}

bool sm_machine_ways(const struct sm_machine *machine, uint32_t thread, each_way *each,
                     void *context)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    struct sm_move step = {.thread = (uint8_t)thread};
    if (sm_machine_has_stopped(machine, thread))
        return true;
    switch (node->kind) {
    case SM_LOCAL_UNKNOWN:
        return false;
    case SM_LOCAL_CHOICE:
        for (step.answer = 0; step.answer < node->value; step.answer++)
            each(context, &step);
        return true;
    case SM_LOCAL_OPERATE:
        object_ways(machine, thread, node, each, context);
        return true;
    case SM_LOCAL_READ:
    case SM_LOCAL_RMW:
    case SM_LOCAL_WRITE:
        if (!sm_local_is_plain(node)) {
            atomic_ways(machine, thread, node, each, context);
            return true;
        }
        if (node->kind == SM_LOCAL_READ) {
            plain_ways(machine, thread, node, each, context);
            return true;
        }
        break;
    default:
        break;
    }
    step.answer = only_answer(machine, node);
    if (step.answer != UINT64_MAX)
        each(context, &step);
    return true;
}

bool sm_machine_has_stopped(const struct sm_machine *machine, uint32_t thread)
{
    switch (sm_local_at(machine->threads[thread].node)->kind) {
    case SM_LOCAL_END:
    case SM_LOCAL_EXIT:
    case SM_LOCAL_FAIL:
    case SM_LOCAL_ASSUME:
    case SM_LOCAL_CUT:
    case SM_LOCAL_STUCK:
        return true;
    default:
        return false;
    }
}

/* A plain write only adds to what others may read, until they learn of it by synchronising; so
   whatever they could do before it, they can do after it. */
bool sm_machine_is_dull(const struct sm_machine *machine, uint32_t thread)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    switch (node->kind) {
    case SM_LOCAL_WRITE:
        return sm_local_is_plain(node);
    case SM_LOCAL_SPAWN:
        return true;
    case SM_LOCAL_JOIN:
        return has_ended(machine, node->value);
    case SM_LOCAL_RELEASE:
        return node->flags & SM_LOCAL_ANEW; /* who uses it meanwhile is in the wrong */
    case SM_LOCAL_OPERATE:
        return (node->op == SM_DO_COND_LEAVE || node->op == SM_DO_BARRIER_DEPART) &&
               sm_machine_operate(node, object_state(machine, node->loc)) != UINT64_MAX;
    default:
        return false;
    }
}

/* ---- going on ---- */

static struct sm_written *find_write(struct sm_machine *machine, uint16_t loc,
                                     struct sm_source name)
{
    uint16_t first, end;
    range(machine, loc, &first, &end);
    for (uint16_t i = first; i < end; i++)
        if (machine->writes[i].thread == name.thread && machine->writes[i].nth == name.nth)
            return &machine->writes[i];
    return NULL;
}

static void see(const struct sm_machine *machine, struct sm_written *write, uint32_t thread)
{
    if (!write->seen[thread])
        write->seen[thread] = time_of(machine, thread);
}

static struct sm_written *insert(struct sm_machine *machine, uint16_t at)
{
    memmove(&machine->writes[at + 1], &machine->writes[at],
            (machine->n_writes++ - at) * sizeof *machine->writes);
    memset(&machine->writes[at], 0, sizeof machine->writes[at]);
    return &machine->writes[at];
}

/* Nobody who read it comes before it. */
static bool may_be_made(const struct sm_machine *machine, const struct sm_written *promise,
                        uint64_t value, uint32_t thread)
{
    const struct sm_known *now = &machine->threads[thread].now;
    if (promise->value != value)
        return false;
    for (unsigned u = 0; u < SM_MACHINE_THREADS; u++)
        if (promise->seen[u] && now->hb[u] >= promise->seen[u])
            return false;
    return true;
}

static void make(const struct sm_machine *machine, struct sm_written *write,
                 const struct sm_local *node, uint32_t thread)
{
    write->loc = node->loc;
    write->nth = node->nth;
    write->thread = (uint8_t)thread;
    write->site = node->site;
    write->flags = sm_local_is_plain(node) ? 0 : SM_WRITTEN_ATOMIC;
    write->time = time_of(machine, thread);
    write->by = machine->threads[thread].now;
    see(machine, write, thread);
}

static const struct sm_known *own_head(const struct sm_machine *machine, uint16_t first,
                                       uint16_t end, uint32_t thread)
{
    const struct sm_written *last = NULL;
    for (uint16_t i = first; i < end; i++)
        if (machine->writes[i].thread == thread && (!last || machine->writes[i].nth > last->nth))
            last = &machine->writes[i];
    return last ? &last->head : NULL;
}

static bool write_plainly(struct sm_machine *machine, const struct sm_local *node, uint32_t thread)
{
    struct sm_written *write =
        find_write(machine, node->loc, (struct sm_source){(uint8_t)thread, node->nth});
    uint16_t first, end;
    if (write && !may_be_made(machine, write, node->value, thread))
        return false;
    range(machine, node->loc, &first, &end);
    look_for_mixture(machine, first, end, thread, false);
    const struct sm_known *own = own_head(machine, first, end, thread);
    struct sm_known head = own ? *own : (struct sm_known){0};
    if (!write)
        write = insert(machine, end);
    write->value = node->value;
    write->head = head;
    make(machine, write, node, thread);
    return true;
}

/* The write of a thread, behind the one at `place`; it reads that one if it is an RMW. */
static void write_atomically(struct sm_machine *machine, const struct sm_local *node,
                             uint32_t thread, uint16_t place, uint64_t value)
{
    uint16_t first, end;
    range(machine, node->loc, &first, &end);
    const struct sm_known *own = own_head(machine, first, end, thread);
    struct sm_known head = own ? *own : (struct sm_known){0}, says = {0};
    if (node->kind == SM_LOCAL_RMW && place)
        says = machine->writes[first + place - 1].says;
    if (sm_order_releases(node->order))
        learn(&head, &machine->threads[thread].now);
    learn(&head, &machine->threads[thread].released);
    learn(&says, &head);
    struct sm_written *write = insert(machine, (uint16_t)(first + place));
    make(machine, write, node, thread);
    write->flags |= node->kind == SM_LOCAL_RMW ? SM_WRITTEN_RMW : 0;
    write->value = value;
    write->head = head;
    write->says = says;
    if (node->order == SM_ORDER_SEQ_CST)
        write->sc = ++machine->sc_writes;
    if (sm_order_releases(node->order))
        tick(machine, thread);
}

static void read_atomically(struct sm_machine *machine, const struct sm_local *node,
                            uint32_t thread, uint16_t place, uint8_t order)
{
    uint16_t first, end;
    range(machine, node->loc, &first, &end);
    struct sm_mind *mind = &machine->threads[thread];
    if (!place)
        return;
    struct sm_written *write = &machine->writes[first + place - 1];
    see(machine, write, thread);
    learn(&mind->acquired, &write->says);
    if (sm_order_acquires(order))
        learn(&mind->now, &write->says);
}

static void rmw(struct sm_machine *machine, const struct sm_local *node, uint32_t thread,
                const struct sm_move *step)
{
    uint64_t written;
    bool done = sm_local_apply(node, step->answer, &written);
    read_atomically(machine, node, thread, step->place, done ? node->order : node->order_fail);
    if (done)
        write_atomically(machine, node, thread, step->place, written);
}

static void fence(struct sm_machine *machine, uint8_t order, uint32_t thread)
{
    struct sm_mind *mind = &machine->threads[thread];
    if (sm_order_acquires(order))
        learn(&mind->now, &mind->acquired);
    if (order == SM_ORDER_SEQ_CST) {
        for (unsigned i = 0; i < SM_MACHINE_THREADS; i++) {
            if (machine->fences.co[i] > mind->now.co[i])
                mind->now.co[i] = machine->fences.co[i];
            machine->fences.co[i] = mind->now.co[i];
        }
        mind->now.sc = machine->sc_writes;
    }
    if (sm_order_releases(order)) {
        mind->released = mind->now;
        tick(machine, thread);
    }
}

static void read_plainly(struct sm_machine *machine, const struct sm_move *step)
{
    for (unsigned i = 0; i < 2; i++) {
        struct sm_written *write = find_write(machine, step->loc, step->from[i]);
        if (write && !is_made(write))
            see(machine, write, step->thread);
    }
}

/* What an operation that succeeds learns from those that gave the object back. */
static void acquire(struct sm_machine *machine, const struct sm_object_state *object, uint8_t op,
                    uint32_t thread)
{
    struct sm_known *now = &machine->threads[thread].now;
    switch (op) {
    case SM_DO_WRITE_LOCK:
        learn(now, &object->readers);
        learn(now, &object->says);
        break;
    case SM_DO_LOCK:
    case SM_DO_SPIN:
    case SM_DO_BLOCK:
    case SM_DO_READ_LOCK:
    case SM_DO_SEM_WAIT:
    case SM_DO_ONCE:
        learn(now, &object->says);
        break;
    default:
        break;
    }
}

static void tell(struct sm_machine *machine, struct sm_known *to, uint32_t thread)
{
    learn(to, &machine->threads[thread].now);
    tick(machine, thread);
}

/* Those who depart from a barrier know what each knew who arrived. They do nothing before that, so
   they may know it now. */
static void meet(struct sm_machine *machine, uint32_t set)
{
    struct sm_known all = {0};
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (set >> t & 1)
            learn(&all, &machine->threads[t].now);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (set >> t & 1) {
            learn(&machine->threads[t].now, &all);
            tick(machine, t);
        }
}

static void operate(struct sm_machine *machine, const struct sm_local *node,
                    const struct sm_move *move)
{
    struct sm_object_state *object = object_of(machine, node->loc);
    uint64_t state = object->state, next = state;
    enum sm_step step =
        sm_object_step((enum sm_object_op)node->op, state, argument(node, move->place), &next);
    if (step == SM_STEP_TAKES || step == SM_STEP_PASSES)
        acquire(machine, object, node->op, move->thread);
    if (step != SM_STEP_TAKES)
        return;
    object->state = next;
    object->block = node->op == SM_DO_BLOCK;
    if (node->op == SM_DO_SEM_POST)
        tell(machine, &object->says, move->thread);
    if (node->op == SM_DO_READ_UNLOCK)
        tell(machine, &object->readers, move->thread);
    if (node->op == SM_DO_BARRIER_ARRIVE)
        meet(machine, candidates(node, state));
}

static void release(struct sm_machine *machine, const struct sm_local *node, uint32_t thread)
{
    struct sm_object_state *object = object_of(machine, node->loc);
    object->state = node->value;
    object->block = 0;
    if (node->flags & SM_LOCAL_ANEW) {
        object->says = object->readers = (struct sm_known){0};
        return;
    }
    tell(machine, &object->says, thread);
}

static void spawn(struct sm_machine *machine, uint32_t node, uint32_t thread)
{
    uint64_t child = sm_local_at(node)->value;
    SM_ASSERT(child < SM_MACHINE_THREADS); /* paths.c refuses more */
    machine->threads[child] = (struct sm_mind){.node = sm_local_child(node, SM_LOCAL_BORN),
                                               .now = machine->threads[thread].now};
    tick(machine, (uint32_t)child);
    tick(machine, thread);
}

static void join(struct sm_machine *machine, uint64_t child, uint32_t thread)
{
    struct sm_mind *ended = &machine->threads[child];
    learn(&machine->threads[thread].now, &ended->now);
    ended->joined = 1;
    ended->now = ended->acquired = ended->released = (struct sm_known){0};
}

static bool perform(struct sm_machine *machine, const struct sm_local *node,
                    const struct sm_move *step)
{
    uint32_t thread = step->thread;
    bool plain = sm_local_is_plain(node);
    switch (node->kind) {
    case SM_LOCAL_READ:
        if (plain)
            read_plainly(machine, step);
        else
            read_atomically(machine, node, thread, step->place, node->order);
        return true;
    case SM_LOCAL_WRITE:
        if (plain)
            return write_plainly(machine, node, thread);
        write_atomically(machine, node, thread, step->place, node->value);
        return true;
    case SM_LOCAL_RMW:
        rmw(machine, node, thread, step);
        return true;
    case SM_LOCAL_FENCE:
        fence(machine, node->order, thread);
        return true;
    case SM_LOCAL_OPERATE:
        operate(machine, node, step);
        return true;
    case SM_LOCAL_RELEASE:
        release(machine, node, thread);
        return true;
    case SM_LOCAL_JOIN:
        join(machine, node->value, thread);
        return true;
    default:
        return true;
    }
}

bool sm_machine_go(struct sm_machine *machine, const struct sm_move *step)
{
    if (step->promise)
        return sm_machine_promise(machine, step);
    uint32_t at = machine->threads[step->thread].node;
    struct sm_local node = *sm_local_at(at);
    if (!has_room(machine) || !perform(machine, &node, step))
        return false;
    if (node.kind == SM_LOCAL_SPAWN)
        spawn(machine, at, step->thread);
    machine->threads[step->thread].node = sm_local_child(at, step->answer);
    return true;
}

/* ---- promises ---- */

bool sm_machine_promise(struct sm_machine *machine, const struct sm_move *promise)
{
    if (find_write(machine, promise->loc,
                   (struct sm_source){promise->thread, promise->from[0].nth}) ||
        !has_room(machine))
        return false;
    uint16_t first, end;
    range(machine, promise->loc, &first, &end);
    struct sm_written *write = insert(machine, end);
    write->loc = promise->loc;
    write->nth = promise->from[0].nth;
    write->thread = promise->thread;
    write->flags = SM_WRITTEN_PROMISE;
    write->value = promise->answer;
    return true;
}

uint32_t sm_machine_owes(const struct sm_machine *machine, uint32_t thread)
{
    uint32_t n = 0;
    for (uint16_t i = 0; i < machine->n_writes; i++)
        n += !is_made(&machine->writes[i]) &&
             (thread == SM_NOBODY || machine->writes[i].thread == thread);
    return n;
}

/* ---- tidying ---- */

/* Its thread may go on with the release sequence it is in. */
static bool is_last_of_thread(const struct sm_machine *machine, uint16_t w, uint16_t first,
                              uint16_t end)
{
    const struct sm_written *write = &machine->writes[w];
    for (uint16_t i = first; i < end; i++)
        if (machine->writes[i].thread == write->thread && machine->writes[i].nth > write->nth)
            return false;
    return true;
}

static bool is_forgotten_by(const struct sm_machine *machine, uint16_t w, uint16_t first,
                            uint16_t end, uint32_t thread)
{
    bool atomic = machine->writes[w].flags & SM_WRITTEN_ATOMIC;
    return is_hidden(machine, w, first, end, thread) &&
           (!atomic || w + 1 < first + bound(machine, first, end, thread, SM_ORDER_RELAXED));
}

static bool is_forgotten(const struct sm_machine *machine, uint16_t w)
{
    const struct sm_written *write = &machine->writes[w];
    uint16_t first, end;
    range(machine, write->loc, &first, &end);
    if (!is_made(write) ||
        ((write->flags & SM_WRITTEN_ATOMIC) && is_last_of_thread(machine, w, first, end)))
        return false;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (machine->threads[t].node && !has_ended(machine, t) &&
            !is_forgotten_by(machine, w, first, end, t))
            return false;
    return true;
}

static bool is_plain_place(const struct sm_machine *machine, uint16_t loc)
{
    uint16_t first, end;
    range(machine, loc, &first, &end);
    for (uint16_t i = first; i < end; i++)
        if (machine->writes[i].flags & SM_WRITTEN_ATOMIC)
            return false;
    return true;
}

static bool is_out_of_order(const struct sm_machine *machine, uint16_t i)
{
    const struct sm_written *a = &machine->writes[i - 1], *b = &machine->writes[i];
    return a->loc == b->loc && is_plain_place(machine, a->loc) &&
           (a->thread != b->thread ? a->thread > b->thread : a->nth > b->nth);
}

static void sort(struct sm_machine *machine)
{
    for (uint16_t i = 1; i < machine->n_writes; i++)
        for (uint16_t k = i; k > 0 && is_out_of_order(machine, k); k--) {
            struct sm_written swap = machine->writes[k];
            machine->writes[k] = machine->writes[k - 1];
            machine->writes[k - 1] = swap;
        }
}

void sm_machine_tidy(struct sm_machine *machine)
{
    for (uint16_t i = machine->n_writes; i-- > 0;)
        if (is_forgotten(machine, i)) {
            memmove(&machine->writes[i], &machine->writes[i + 1],
                    (--machine->n_writes - i) * sizeof *machine->writes);
        }
    sort(machine);
}
