/* machine_go.c - the effect of a step on a state. */
#include <string.h>

#include "core/order.h"
#include "verify/graph/graph.h"
#include "verify/graph/objects.h"
#include "verify/states/machine_parts.h"

/* ---- writes ---- */

static void see(const struct sm_machine *machine, struct sm_written *write, uint32_t thread)
{
    if (!write->seen[thread] && !sm_machine_is_sc())
        write->seen[thread] = sm_machine_time(machine, thread);
}

static struct sm_written *insert(struct sm_machine *machine, uint16_t at)
{
    memmove(&machine->writes[at + 1], &machine->writes[at],
            (machine->n_writes++ - at) * sizeof *machine->writes);
    memset(&machine->writes[at], 0, sizeof machine->writes[at]);
    return &machine->writes[at];
}

/* The value is the promised one, and no read of it happens before the write. */
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
    if (sm_machine_is_sc())
        return; /* its value is all that matters */
    write->nth = node->nth;
    write->thread = (uint8_t)thread;
    write->site = node->site;
    write->flags = sm_local_is_plain(node) ? 0 : SM_WRITTEN_ATOMIC;
    write->time = sm_machine_time(machine, thread);
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

/* Fulfils the promise of this write, if there is one. False: not possible, or not with this value.
 */
static bool keep_promise(struct sm_machine *machine, const struct sm_local *node, uint32_t thread,
                         uint64_t value)
{
    struct sm_source name = {(uint8_t)thread, node->nth};
    uint16_t promise = sm_machine_find_promise(machine, node->loc, name);
    if (promise == SM_MACHINE_WRITES)
        return true;
    if (!may_be_made(machine, &machine->writes[promise], value, thread))
        return false;
    memmove(&machine->writes[promise], &machine->writes[promise + 1],
            (--machine->n_writes - promise) * sizeof *machine->writes);
    return true;
}

static bool write_plainly(struct sm_machine *machine, const struct sm_local *node, uint32_t thread,
                          uint16_t place)
{
    uint16_t first, end;
    if (!keep_promise(machine, node, thread, node->value))
        return false;
    sm_machine_range(machine, node->loc, &first, &end);
    const struct sm_known *own = own_head(machine, first, end, thread);
    struct sm_known head = own ? *own : (struct sm_known){0};
    bool ordered = sm_machine_is_ordered(node->loc);
    struct sm_written *write = insert(machine, ordered ? (uint16_t)(first + place) : end);
    make(machine, write, node, thread);
    write->value = node->value;
    write->head = head;
    return true;
}

/* The write of a thread, mo-after the one at `place`; an RMW reads from that one. */
static bool write_atomically(struct sm_machine *machine, const struct sm_local *node,
                             uint32_t thread, uint16_t place, uint64_t value)
{
    uint16_t first, end;
    if (!keep_promise(machine, node, thread, value))
        return false;
    sm_machine_range(machine, node->loc, &first, &end);
    const struct sm_known *own = own_head(machine, first, end, thread);
    struct sm_known head = own ? *own : (struct sm_known){0}, says = {0};
    if (node->kind == SM_LOCAL_RMW && place)
        says = machine->writes[first + place - 1].says;
    if (sm_order_releases(node->order))
        sm_known_join(&head, &machine->threads[thread].now);
    sm_known_join(&head, &machine->threads[thread].released);
    sm_known_join(&says, &head);
    struct sm_written *write = insert(machine, (uint16_t)(first + place));
    make(machine, write, node, thread);
    write->flags |= node->kind == SM_LOCAL_RMW && !sm_machine_is_sc() ? SM_WRITTEN_RMW : 0;
    write->value = value;
    write->head = head;
    write->says = says;
    bool seq_cst = node->order == SM_ORDER_SEQ_CST;
    if (seq_cst && !sm_seq_cst_is_tracked() && !sm_machine_is_sc())
        write->sc = ++machine->sc_writes;
    uint16_t read = node->kind == SM_LOCAL_RMW ? place : UINT16_MAX;
    if (seq_cst && !sm_seq_cst_add(machine, thread, node->loc, read, (uint16_t)(place + 1)))
        return false;
    if (sm_order_releases(node->order))
        sm_machine_tick(machine, thread);
    return true;
}

static void read_atomically(struct sm_machine *machine, const struct sm_local *node,
                            uint32_t thread, uint16_t place, uint8_t order)
{
    uint16_t first, end;
    sm_machine_range(machine, node->loc, &first, &end);
    struct sm_mind *mind = &machine->threads[thread];
    if (!place)
        return;
    struct sm_written *write = &machine->writes[first + place - 1];
    see(machine, write, thread);
    sm_known_join(&mind->acquired, &write->says);
    if (sm_order_acquires(order))
        sm_known_join(&mind->now, &write->says);
}

static bool rmw(struct sm_machine *machine, const struct sm_local *node, uint32_t thread,
                const struct sm_move *step)
{
    uint64_t written;
    bool done = sm_local_apply(node, step->answer, &written);
    read_atomically(machine, node, thread, step->place,
                    sm_order_of_cas(done, node->order, node->order_fail));
    if (done)
        return write_atomically(machine, node, thread, step->place, written);
    return node->order_fail != SM_ORDER_SEQ_CST ||
           sm_seq_cst_add(machine, thread, node->loc, step->place, 0);
}

static void fence(struct sm_machine *machine, uint8_t order, uint32_t thread)
{
    struct sm_mind *mind = &machine->threads[thread];
    if (sm_machine_is_sc())
        return;
    if (sm_order_acquires(order))
        sm_known_join(&mind->now, &mind->acquired);
    if (order == SM_ORDER_SEQ_CST) {
        sm_seq_cst_note_fence();
        for (unsigned i = 0; i < SM_MACHINE_THREADS; i++) {
            if (machine->fences.co[i] > mind->now.co[i])
                mind->now.co[i] = machine->fences.co[i];
            machine->fences.co[i] = mind->now.co[i];
        }
        mind->now.sc = machine->sc_writes;
    }
    if (sm_order_releases(order)) {
        mind->released = mind->now;
        sm_machine_tick(machine, thread);
    }
}

static bool is_made(const struct sm_machine *machine, uint16_t loc, struct sm_source name)
{
    uint16_t first, end;
    sm_machine_range(machine, loc, &first, &end);
    for (uint16_t i = first; i < end; i++)
        if (machine->writes[i].thread == name.thread && machine->writes[i].nth == name.nth)
            return true;
    return name.thread == SM_NOBODY;
}

bool sm_machine_promise(struct sm_machine *machine, const struct sm_future *future)
{
    uint16_t first, end, promise = sm_machine_find_promise(machine, future->loc, future->name);
    if (promise != SM_MACHINE_WRITES)
        return machine->writes[promise].value == future->value;
    if (!sm_machine_has_room(machine))
        return false;
    sm_machine_range(machine, future->loc, &first, &end);
    struct sm_written *write = insert(machine, end);
    write->loc = future->loc;
    write->nth = future->name.nth;
    write->thread = future->name.thread;
    write->flags = SM_WRITTEN_PROMISE;
    write->value = future->value;
    return true;
}

/* Sources that are not made yet are promised. */
static bool read_plainly(struct sm_machine *machine, const struct sm_move *read)
{
    for (unsigned half = 0; half < 2 && read->promise; half++) {
        struct sm_future future = {read->loc, read->from[half], read->written[half], 0};
        if (is_made(machine, read->loc, read->from[half]))
            continue;
        if (!sm_machine_promise(machine, &future))
            return false;
        see(machine, &machine->writes[sm_machine_find_promise(machine, future.loc, future.name)],
            read->thread);
    }
    return true;
}

/* What a successful operation learns from earlier releases of the object. */
static void acquire(struct sm_machine *machine, const struct sm_object_state *object, uint8_t op,
                    uint32_t thread)
{
    struct sm_known *now = &machine->threads[thread].now;
    switch (op) {
    case SM_DO_WRITE_LOCK:
        sm_known_join(now, &object->readers);
        sm_known_join(now, &object->says);
        break;
    case SM_DO_LOCK:
    case SM_DO_SPIN:
    case SM_DO_BLOCK:
    case SM_DO_READ_LOCK:
    case SM_DO_SEM_WAIT:
    case SM_DO_ONCE:
        sm_known_join(now, &object->says);
        break;
    default:
        break;
    }
}

static void tell(struct sm_machine *machine, struct sm_known *to, uint32_t thread)
{
    sm_known_join(to, &machine->threads[thread].now);
    sm_machine_tick(machine, thread);
}

/* Threads that depart from a barrier learn what each arrived thread knew. They do nothing before
   that, so they may learn it now. */
static void meet(struct sm_machine *machine, uint32_t set)
{
    struct sm_known all = {0};
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (set >> t & 1)
            sm_known_join(&all, &machine->threads[t].now);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (set >> t & 1) {
            sm_known_join(&machine->threads[t].now, &all);
            sm_machine_tick(machine, t);
        }
}

static void operate(struct sm_machine *machine, const struct sm_local *node,
                    const struct sm_move *move)
{
    struct sm_object_state *object = sm_machine_object(machine, node->loc);
    uint64_t state = object->state, next = state;
    enum sm_step step = sm_object_step((enum sm_object_op)node->op, state,
                                       sm_machine_argument(node, move->place), &next);
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
        meet(machine, sm_machine_candidates(node, state));
}

static void release(struct sm_machine *machine, const struct sm_local *node, uint32_t thread)
{
    struct sm_object_state *object = sm_machine_object(machine, node->loc);
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
    sm_machine_tick(machine, (uint32_t)child);
    sm_local_at(machine->threads[child].node)->state = sm_machine_time(machine, (uint32_t)child);
    sm_machine_tick(machine, thread);
}

static void join(struct sm_machine *machine, uint64_t child, uint32_t thread)
{
    struct sm_mind *ended = &machine->threads[child];
    sm_known_join(&machine->threads[thread].now, &ended->now);
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
            return read_plainly(machine, step);
        read_atomically(machine, node, thread, step->place, node->order);
        return node->order != SM_ORDER_SEQ_CST ||
               sm_seq_cst_add(machine, thread, node->loc, step->place, 0);
    case SM_LOCAL_WRITE:
        if (plain)
            return write_plainly(machine, node, thread, step->place);
        return write_atomically(machine, node, thread, step->place, node->value);
    case SM_LOCAL_RMW:
        return rmw(machine, node, thread, step);
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
    uint32_t at = machine->threads[step->thread].node;
    struct sm_local node = *sm_local_at(at);
    if (!sm_machine_has_room(machine) || !perform(machine, &node, step))
        return false;
    if (node.kind == SM_LOCAL_SPAWN)
        spawn(machine, at, step->thread);
    uint32_t child = sm_local_child(at, step->answer);
    sm_local_at(child)->state = sm_machine_time(machine, step->thread);
    machine->threads[step->thread].node = child;
    return true;
}

/* ---- promises ---- */

uint32_t sm_machine_owes(const struct sm_machine *machine, uint32_t thread)
{
    uint32_t n = 0;
    for (uint16_t i = 0; i < machine->n_writes; i++)
        n += !sm_written_is_made(&machine->writes[i]) &&
             (thread == SM_NOBODY || machine->writes[i].thread == thread);
    return n;
}

void sm_machine_forget_promises(struct sm_machine *machine)
{
    uint16_t n = 0;
    for (uint16_t i = 0; i < machine->n_writes; i++)
        if (sm_written_is_made(&machine->writes[i]))
            machine->writes[n++] = machine->writes[i];
    machine->n_writes = n;
}

bool sm_machine_is_broken(const struct sm_machine *machine)
{
    for (uint16_t i = 0; i < machine->n_writes; i++) {
        const struct sm_written *write = &machine->writes[i];
        if (!sm_written_is_made(write) && machine->threads[write->thread].node &&
            sm_machine_has_stopped(machine, write->thread))
            return true;
    }
    return false;
}
