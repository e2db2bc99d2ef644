/* Schemes that decide when a node may be freed: each as it should be, and with three mistakes or
   more. No assertion: what a mistake leads to is a use after free, or a double free. The FOURTH of
   each needs a weak model and atomics alone, without a data race: verify looks at it, a hunt does
   not. */
#include "harm.h"

struct node {
    int value;
    atomic_int references;
};

enum mistake { NONE, FIRST, SECOND, THIRD, FOURTH };
static enum mistake mistake;
static _Atomic(struct node *) shared;
static struct node *left; /* what must not be freed yet */
static int seen;

static struct node *make(void)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    atomic_init(&node->references, 1);
    return node;
}

static void play(enum mistake which, void *(*reader)(void *), void *(*writer)(void *))
{
    mistake = which;
    atomic_init(&shared, make());
    start(reader);
    start(writer);
    join_all();
    free(left);
    free(shared);
}

/* ---- reference counts: FIRST counts too late, SECOND drops too early, THIRD looks at the count
   again, FOURTH does not order its uses before the free ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void drop(struct node *node)
{
    int before;
    if (mistake == THIRD) {
        atomic_fetch_sub(&node->references, 1);
        before = atomic_load(&node->references) + 1;
    } else if (mistake == FOURTH) {
        before = atomic_fetch_sub_explicit(&node->references, 1, memory_order_relaxed);
    } else {
        before = atomic_fetch_sub(&node->references, 1);
    }
    if (before == 1)
        free(node);
}

static struct node *take_node(void)
{
    pthread_mutex_lock(&lock);
    struct node *node = atomic_load(&shared);
    if (node && mistake != FIRST)
        atomic_fetch_add(&node->references, 1);
    pthread_mutex_unlock(&lock);
    if (node && mistake == FIRST)
        atomic_fetch_add(&node->references, 1);
    return node;
}

static void *count_reader(void *arg)
{
    struct node *node = take_node();
    if (!node)
        return arg;
    if (mistake == SECOND)
        drop(node);
    seen = node->value;
    if (mistake != SECOND)
        drop(node);
    return arg;
}

static void *count_writer(void *arg)
{
    pthread_mutex_lock(&lock);
    struct node *node = atomic_load(&shared);
    atomic_store(&shared, NULL);
    pthread_mutex_unlock(&lock);
    drop(node);
    return arg;
}

CASE(counts, none)
{
    play(NONE, count_reader, count_writer);
}
CASE(counts_too_late, use - after - free + double - free)
{
    play(FIRST, count_reader, count_writer);
}
CASE(counts_dropped_early, use - after - free)
{
    play(SECOND, count_reader, count_writer);
}
CASE(counts_looked_at_again, use - after - free + double - free)
{
    play(THIRD, count_reader, count_writer);
}
CASE(counts_without_order, use - after - free)
{
    play(FOURTH, count_reader, count_writer);
}

/* ---- hazard pointers: FIRST does not look again, SECOND scans before it takes the pointer away,
   THIRD takes the announcement back too early, FOURTH announces without order ---- */

static _Atomic(struct node *) hazard;

static struct node *protect(void)
{
    memory_order announce = mistake == FOURTH ? memory_order_release : memory_order_seq_cst;
    memory_order look = mistake == FOURTH ? memory_order_acquire : memory_order_seq_cst;
    struct node *node = atomic_load_explicit(&shared, look);
    atomic_store_explicit(&hazard, node, announce);
    if (mistake != FIRST && atomic_load_explicit(&shared, look) != node)
        return NULL;
    return node;
}

static void *hazard_reader(void *arg)
{
    struct node *node = protect();
    if (mistake == THIRD)
        atomic_store(&hazard, NULL);
    if (node)
        seen = node->value;
    atomic_store(&hazard, NULL);
    return arg;
}

static void *hazard_writer(void *arg)
{
    struct node *announced_before = atomic_load(&hazard);
    struct node *old = atomic_exchange(&shared, NULL);
    if ((mistake == SECOND ? announced_before : atomic_load(&hazard)) != old)
        free(old);
    else
        left = old;
    return arg;
}

CASE(hazards, none)
{
    play(NONE, hazard_reader, hazard_writer);
}
CASE(hazards_not_looked_at_again, use - after - free)
{
    play(FIRST, hazard_reader, hazard_writer);
}
CASE(hazards_scanned_early, use - after - free)
{
    play(SECOND, hazard_reader, hazard_writer);
}
CASE(hazards_without_order, use - after - free)
{
    play(FOURTH, hazard_reader, hazard_writer);
}
CASE(hazards_taken_back_early, use - after - free)
{
    play(THIRD, hazard_reader, hazard_writer);
}

/* ---- epochs: FIRST enters after it has read the pointer, SECOND looks at the readers before it
   takes the pointer away, THIRD leaves before its last use, FOURTH enters without order ---- */

static atomic_int epoch = 1, announced;

static void enter(void)
{
    memory_order order = mistake == FOURTH ? memory_order_release : memory_order_seq_cst;
    atomic_store_explicit(&announced, atomic_load(&epoch), order);
}

static void *epoch_reader(void *arg)
{
    struct node *node = NULL;
    memory_order order = mistake == FOURTH ? memory_order_acquire : memory_order_seq_cst;
    if (mistake == FIRST)
        node = atomic_load(&shared);
    enter();
    if (mistake != FIRST)
        node = atomic_load_explicit(&shared, order);
    if (mistake == THIRD)
        atomic_store(&announced, 0);
    if (node)
        seen = node->value;
    atomic_store(&announced, 0);
    return arg;
}

static void *epoch_writer(void *arg)
{
    int announced_before = atomic_load(&announced);
    struct node *old = atomic_exchange(&shared, NULL);
    atomic_store(&epoch, 2);
    if ((mistake == SECOND ? announced_before : atomic_load(&announced)) == 1)
        left = old;
    else
        free(old);
    return arg;
}

CASE(epochs, none)
{
    play(NONE, epoch_reader, epoch_writer);
}
CASE(epochs_entered_late, use - after - free)
{
    play(FIRST, epoch_reader, epoch_writer);
}
CASE(epochs_looked_at_early, use - after - free)
{
    play(SECOND, epoch_reader, epoch_writer);
}
CASE(epochs_without_order, use - after - free)
{
    play(FOURTH, epoch_reader, epoch_writer);
}
CASE(epochs_left_early, use - after - free)
{
    play(THIRD, epoch_reader, epoch_writer);
}

/* ---- read-copy-update: FIRST does not wait, SECOND waits before it takes the pointer away, THIRD
   uses it outside of its section ---- */

static atomic_int readers;

static void wait_for_readers(void)
{
    while (atomic_load(&readers))
        ;
}

static void *rcu_reader(void *arg)
{
    atomic_fetch_add(&readers, 1);
    struct node *node = atomic_load(&shared);
    if (mistake == THIRD)
        atomic_fetch_sub(&readers, 1);
    if (node)
        seen = node->value;
    if (mistake != THIRD)
        atomic_fetch_sub(&readers, 1);
    return arg;
}

static void *rcu_writer(void *arg)
{
    if (mistake == SECOND)
        wait_for_readers();
    struct node *old = atomic_exchange(&shared, NULL);
    if (mistake == NONE || mistake == THIRD)
        wait_for_readers();
    free(old);
    return arg;
}

CASE(rcu, none)
{
    play(NONE, rcu_reader, rcu_writer);
}
CASE(rcu_without_waiting, use - after - free)
{
    play(FIRST, rcu_reader, rcu_writer);
}
CASE(rcu_waits_early, use - after - free)
{
    play(SECOND, rcu_reader, rcu_writer);
}
CASE(rcu_used_outside, use - after - free)
{
    play(THIRD, rcu_reader, rcu_writer);
}
