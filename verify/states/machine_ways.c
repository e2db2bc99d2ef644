/* machine_ways.c - the possible steps of a thread, and which writes no thread can read any more. */
#include <string.h>

#include "verify/graph/objects.h"
#include "verify/states/machine_parts.h"

/* ---- plain reads ---- */

/* An atomic write is hidden by a mo-later atomic one as by one that happens after it: otherwise the
   plain read of a counter after the join would see any of the relaxed additions. */
static bool hides(const struct sm_machine *machine, uint16_t later, uint16_t w)
{
    const struct sm_written *a = &machine->writes[w], *b = &machine->writes[later];
    return sm_written_is_before(a, b) || (later > w && (a->flags & b->flags & SM_WRITTEN_ATOMIC));
}

static bool is_hidden(const struct sm_machine *machine, uint16_t w, uint16_t first, uint16_t end,
                      uint32_t thread)
{
    for (uint16_t i = first; i < end; i++)
        if (i != w && sm_written_is_known(machine, &machine->writes[i], thread) &&
            (w == end || hides(machine, i, w)))
            return true;
    return false;
}

/* An alternative of a plain read, or of one half of it. */
struct choice {
    uint64_t value;   /* as read */
    uint64_t written; /* the whole value of the write */
    struct sm_source from;
    uint64_t needs;
    bool future;
};
struct choices {
    uint32_t n;
    struct choice at[SM_MACHINE_WRITES + SM_MAX_FUTURES + 1];
};

struct value_part {
    uint64_t mask;
    unsigned shift;
};
static const struct value_part all_bits = {UINT64_MAX, 0}, low_half = {UINT32_MAX, 0},
                               high_half = {UINT32_MAX, 32};

/* A made write with the same value is preferred to a future one: it needs no promise. */
static void add_choice(struct choices *choices, struct choice choice, const struct value_part *part)
{
    choice.value = choice.written >> part->shift & part->mask;
    for (uint32_t i = 0; i < choices->n; i++)
        if (choices->at[i].value == choice.value && !choices->at[i].future)
            return;
    choices->at[choices->n++] = choice;
}

static void add_write(struct choices *choices, uint64_t written, struct sm_source from,
                      const struct value_part *part)
{
    add_choice(choices, (struct choice){.written = written, .from = from}, part);
}

/* It was promised before, with another value. */
static bool is_contradicted(const struct sm_machine *machine, const struct sm_future *future)
{
    uint16_t promise = sm_machine_find_promise(machine, future->loc, future->name);
    return promise != SM_MACHINE_WRITES && machine->writes[promise].value != future->value;
}

/* Future writes come last. */
static void find_choices(const struct sm_machine *machine, uint32_t thread, uint16_t loc,
                         const struct sm_futures *futures, const struct value_part *part,
                         struct choices *choices)
{
    uint16_t first, end;
    sm_machine_range(machine, loc, &first, &end);
    choices->n = 0;
    if (!is_hidden(machine, end, first, end, thread))
        add_write(choices, sm_machine_initial_value(loc), (struct sm_source){SM_NOBODY, 0}, part);
    for (uint16_t i = first; i < end; i++) {
        const struct sm_written *write = &machine->writes[i];
        if (!is_hidden(machine, i, first, end, thread))
            add_write(choices, write->value, (struct sm_source){write->thread, write->nth}, part);
    }
    for (uint32_t i = 0; i < futures->n; i++) {
        const struct sm_future *future = &futures->at[i];
        if (future->loc == loc && future->name.thread != thread &&
            !is_contradicted(machine, future))
            add_choice(choices,
                       (struct choice){.written = future->value,
                                       .from = future->name,
                                       .needs = future->needs,
                                       .future = true},
                       part);
    }
}

typedef void each_way(void *context, const struct sm_move *step);

static bool is_same_source(struct sm_source a, struct sm_source b)
{
    return a.thread == b.thread && a.nth == b.nth;
}

static struct sm_move read_of(uint32_t thread, uint16_t loc, const struct choice *low,
                              const struct choice *high)
{
    return (struct sm_move){.thread = (uint8_t)thread,
                            .promise = low->future || high->future,
                            .plain_read = true,
                            .loc = loc,
                            .answer = low->value,
                            .from = {low->from, high->from},
                            .written = {low->written, high->written},
                            .needs = low->needs | high->needs};
}

/* For a value whose halves were chosen separately: use one write that gives both, unless that is a
   future one that neither half uses. */
static void read_whole(const struct choices *whole, struct sm_move *step)
{
    for (uint32_t i = 0; i < whole->n; i++) {
        const struct choice *choice = &whole->at[i];
        bool free = !choice->future || is_same_source(choice->from, step->from[0]) ||
                    is_same_source(choice->from, step->from[1]);
        if (choice->value != step->answer || !free)
            continue;
        step->from[0] = step->from[1] = choice->from;
        step->written[0] = step->written[1] = choice->written;
        step->promise = choice->future;
        step->needs = choice->needs;
    }
}

static void halves_ways(const struct sm_machine *machine, uint32_t thread,
                        const struct sm_local *node, const struct sm_futures *futures,
                        each_way *each, void *context)
{
    struct choices whole, low, high;
    find_choices(machine, thread, node->loc, futures, &all_bits, &whole);
    find_choices(machine, thread, node->loc, futures, &low_half, &low);
    find_choices(machine, thread, node->loc, futures, &high_half, &high);
    for (uint32_t i = 0; i < low.n; i++)
        for (uint32_t k = 0; k < high.n; k++) {
            struct sm_move step = read_of(thread, node->loc, &low.at[i], &high.at[k]);
            step.answer |= high.at[k].value << 32;
            read_whole(&whole, &step);
            each(context, &step);
        }
}

static void plain_ways(const struct sm_machine *machine, uint32_t thread,
                       const struct sm_local *node, const struct sm_futures *futures,
                       each_way *each, void *context)
{
    struct choices whole;
    if (node->flags & SM_LOCAL_HALVES) {
        halves_ways(machine, thread, node, futures, each, context);
        return;
    }
    find_choices(machine, thread, node->loc, futures, &all_bits, &whole);
    for (uint32_t i = 0; i < whole.n; i++) {
        struct sm_move step = read_of(thread, node->loc, &whole.at[i], &whole.at[i]);
        each(context, &step);
    }
}

bool sm_machine_reads_plainly(const struct sm_machine *machine, uint32_t thread, uint16_t *loc)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    *loc = node->loc;
    return node->kind == SM_LOCAL_READ && sm_local_is_plain(node) &&
           !sm_machine_is_sequential(node->loc);
}

void sm_machine_races(const struct sm_machine *machine, uint32_t thread,
                      void (*each)(void *context, const struct sm_written *write), void *context)
{
    uint16_t loc, first, end;
    if (!sm_machine_reads_plainly(machine, thread, &loc))
        return;
    sm_machine_range(machine, loc, &first, &end);
    for (uint16_t i = first; i < end; i++)
        if (!sm_written_is_known(machine, &machine->writes[i], thread))
            each(context, &machine->writes[i]);
}

static bool races(const struct sm_machine *machine, uint32_t thread, uint16_t loc)
{
    uint16_t first, end;
    sm_machine_range(machine, loc, &first, &end);
    for (uint16_t i = first; i < machine->n_writes && machine->writes[i].loc == loc; i++)
        if (!sm_written_is_known(machine, &machine->writes[i], thread))
            return true;
    return false;
}

bool sm_machine_reads_one(const struct sm_machine *machine, uint32_t thread, uint64_t *value)
{
    static const struct sm_futures none;
    struct choices whole;
    uint16_t loc;
    if (!sm_machine_reads_plainly(machine, thread, &loc) || races(machine, thread, loc))
        return false;
    find_choices(machine, thread, loc, &none, &all_bits, &whole);
    if (whole.n != 1)
        return false;
    *value = whole.at[0].value;
    return true;
}

static bool has_read(const struct sm_machine *machine, uint32_t thread, uint16_t loc,
                     uint16_t since)
{
    uint32_t child = machine->threads[thread].node;
    for (uint32_t at; child && (at = sm_local_at(child)->parent); child = at) {
        const struct sm_local *node = sm_local_at(at);
        if (node->thread != thread || node->state <= since)
            return false;
        if (node->kind == SM_LOCAL_READ && node->loc == loc && sm_local_is_plain(node))
            return true;
    }
    return false;
}

bool sm_machine_was_read(const struct sm_machine *machine, uint32_t thread, uint16_t loc)
{
    const struct sm_known *now = &machine->threads[thread].now;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && !sm_machine_is_sequential(loc); t++)
        if (t != thread && has_read(machine, t, loc, now->hb[t]))
            return true;
    return false;
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

/* Position from 1 of the last write that coherence forces the thread to see; 0: none. */
static uint16_t bound(const struct sm_machine *machine, uint16_t first, uint16_t end,
                      uint32_t thread, uint8_t order)
{
    for (uint16_t i = end; i-- > first;)
        if (knows_in_order(machine, &machine->writes[i], thread, order))
            return (uint16_t)(i - first + 1);
    return 0;
}

static bool is_taken(const struct sm_machine *machine, uint16_t first, uint16_t end, uint16_t place)
{
    return first + place < end && (machine->writes[first + place].flags & SM_WRITTEN_RMW);
}

/* Atomic accesses, and plain writes to locations that have some. `place` counts from 1; 0 is the
   initial value. */
static void ordered_ways(const struct sm_machine *machine, uint32_t thread,
                         const struct sm_local *node, each_way *each, void *context)
{
    uint16_t first, end;
    sm_machine_range(machine, node->loc, &first, &end);
    uint8_t order = sm_seq_cst_is_tracked() ? SM_ORDER_RELAXED : node->order;
    bool sequential = sm_machine_is_sequential(node->loc);
    uint16_t low = sequential ? (uint16_t)(end - first) : bound(machine, first, end, thread, order);
    if (!sequential && low > bound(machine, first, end, thread, SM_ORDER_RELAXED))
        sm_machine_note_forced();
    for (uint16_t place = (uint16_t)(end - first + 1); place-- > low;) {
        const struct sm_written *write = place ? &machine->writes[first + place - 1] : NULL;
        uint64_t value = write ? write->value : sm_machine_initial_value(node->loc), written;
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

bool sm_machine_newest(const struct sm_machine *machine, uint16_t loc, uint64_t *value)
{
    uint16_t first, end;
    sm_machine_range(machine, loc, &first, &end);
    *value = end > first ? machine->writes[end - 1].value : sm_machine_initial_value(loc);
    for (uint16_t i = first; i < end && !sm_machine_is_ordered(loc); i++)
        if (machine->writes[i].value != *value)
            return false;
    return true;
}

/* ---- objects and the rest ---- */

/* The answer on which the thread continues; UINT64_MAX: none for now. */
static uint64_t only_answer(const struct sm_machine *machine, const struct sm_local *node)
{
    if (node->kind != SM_LOCAL_JOIN)
        return 0;
    return sm_machine_has_ended(machine, node->value) ? machine->threads[node->value].node
                                                      : UINT64_MAX;
}

static void object_ways(const struct sm_machine *machine, uint32_t thread,
                        const struct sm_local *node, each_way *each, void *context)
{
    uint64_t state = sm_machine_object_state(machine, node->loc);
    uint32_t set = sm_machine_candidates(node, state);
    struct sm_move step = {.thread = (uint8_t)thread, .answer = sm_machine_operate(node, state)};
    if (!set && step.answer != UINT64_MAX)
        each(context, &step);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (set >> t & 1) {
            step.place = (uint16_t)(t + 1);
            each(context, &step);
        }
}

bool sm_machine_ways(const struct sm_machine *machine, uint32_t thread,
                     const struct sm_futures *futures, each_way *each, void *context)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    struct sm_move step = {.thread = (uint8_t)thread};
    uint16_t loc;
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
        if (sm_machine_reads_plainly(machine, thread, &loc)) {
            plain_ways(machine, thread, node, futures, each, context);
            return true;
        }
        if (sm_machine_is_ordered(node->loc)) {
            ordered_ways(machine, thread, node, each, context);
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
    case SM_LOCAL_IDLE:
        return true;
    default:
        return false;
    }
}

/* Until others synchronise with it, a plain write only adds to what they may read; so whatever they
   could do before it, they can do after it. */
bool sm_machine_is_independent(const struct sm_machine *machine, uint32_t thread)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    switch (node->kind) {
    case SM_LOCAL_FENCE:
        return node->order != SM_ORDER_SEQ_CST && !sm_machine_is_sc();
    case SM_LOCAL_WRITE:
        return !sm_machine_is_ordered(node->loc);
    case SM_LOCAL_SPAWN:
        return true;
    case SM_LOCAL_JOIN:
        return sm_machine_has_ended(machine, node->value);
    case SM_LOCAL_RELEASE:
        return (node->flags & SM_LOCAL_ANEW) &&
               !sm_machine_is_sc(); /* concurrent uses are errors */
    case SM_LOCAL_OPERATE:
        return (node->op == SM_DO_COND_LEAVE || node->op == SM_DO_BARRIER_DEPART) &&
               sm_machine_operate(node, sm_machine_object_state(machine, node->loc)) != UINT64_MAX;
    default:
        return false;
    }
}

/* ---- tidying ---- */

/* Its thread may continue its release sequence. */
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
    bool ordered = sm_machine_is_ordered(machine->writes[w].loc);
    return is_hidden(machine, w, first, end, thread) &&
           (!ordered || w + 1 < first + bound(machine, first, end, thread, SM_ORDER_RELAXED));
}

static bool is_forgotten(const struct sm_machine *machine, uint16_t w)
{
    const struct sm_written *write = &machine->writes[w];
    uint16_t first, end;
    sm_machine_range(machine, write->loc, &first, &end);
    bool ordered = sm_machine_is_ordered(write->loc);
    if (sm_machine_is_sc())
        return w + 1 < end;
    if (!sm_written_is_made(write) || (ordered && is_last_of_thread(machine, w, first, end)))
        return false;
    if (sm_machine_is_sequential(write->loc))
        return w + 1 < end;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (machine->threads[t].node && !sm_machine_has_ended(machine, t) &&
            !is_forgotten_by(machine, w, first, end, t))
            return false;
    return true;
}

/* Unobservable order: states that differ only in it are the same. */
static bool is_out_of_order(const struct sm_machine *machine, uint16_t i)
{
    const struct sm_written *a = &machine->writes[i - 1], *b = &machine->writes[i];
    bool made = sm_written_is_made(a);
    return a->loc == b->loc && made == sm_written_is_made(b) &&
           !(made && sm_machine_is_ordered(a->loc)) &&
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
    sm_seq_cst_tidy(machine);
}
