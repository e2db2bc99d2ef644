/* Races in verify: the second word of a CASE says in which models there is one: all; weak: all but
   sc; future: hb and oota; none. Where there is one, it is on `shared`, and both stacks end in
   `use`, called by the two thread functions. */
#include "harm.h"

static int shared, x, y;
static volatile int loud;
static atomic_int flag, other, word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int use(int value)
{
    if (!value)
        return shared;
    shared = value;
    return value;
}

#define RUN(first, second)                                                                         \
    start(first);                                                                                  \
    start(second);                                                                                 \
    join_all()
#define RELAXED memory_order_relaxed

static void *write_one(void *unused)
{
    use(1);
    return unused;
}

static void *write_two(void *unused)
{
    use(2);
    return unused;
}

static void *read_it(void *unused)
{
    use(0);
    return unused;
}

CASE(two_writes, all)
{
    RUN(write_one, write_two);
}

CASE(write_and_read, all)
{
    RUN(write_one, read_it);
}

CASE(two_reads, none)
{
    RUN(read_it, read_it);
}

static void *write_locked(void *unused)
{
    pthread_mutex_lock(&mutex);
    use(1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

CASE(both_locked, none)
{
    RUN(write_locked, write_locked);
}

CASE(one_locked, all)
{
    RUN(write_locked, write_two);
}

CASE(one_after_the_other, none)
{
    start(write_one);
    join_all();
    start(write_two);
    join_all();
}

static void *publish(void *unused)
{
    use(1);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *publish_relaxed(void *unused)
{
    use(1);
    atomic_store_explicit(&flag, 1, RELAXED);
    return unused;
}

static void *subscribe(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_acquire))
        use(2);
    return unused;
}

CASE(published, none)
{
    RUN(publish, subscribe);
}

CASE(published_relaxed, all)
{
    RUN(publish_relaxed, subscribe);
}

/* Store buffering: only a store buffer lets both see 0. */
static void *enter(void *unused)
{
    atomic_store_explicit(&flag, 1, RELAXED);
    if (!atomic_load_explicit(&other, RELAXED))
        use(1);
    return unused;
}

static void *enter_too(void *unused)
{
    atomic_store_explicit(&other, 1, RELAXED);
    if (!atomic_load_explicit(&flag, RELAXED))
        use(2);
    return unused;
}

CASE(store_buffering, weak)
{
    RUN(enter, enter_too);
}

static void *enter_fenced(void *unused)
{
    atomic_store(&flag, 1);
    if (!atomic_load(&other))
        use(1);
    return unused;
}

static void *enter_fenced_too(void *unused)
{
    atomic_store(&other, 1);
    if (!atomic_load(&flag))
        use(2);
    return unused;
}

CASE(store_buffering_seq_cst, none)
{
    RUN(enter_fenced, enter_fenced_too);
}

/* Load buffering: both see 1 if one of them reads a store that has not happened yet. */
static void *load_x(void *unused)
{
    int seen = x;
    y = 1;
    if (seen)
        use(1);
    return unused;
}

static void *load_y(void *unused)
{
    int seen = y;
    x = 1;
    if (seen)
        use(2);
    return unused;
}

CASE(load_buffering, future)
{
    RUN(load_x, load_y);
}

static void *write_loud(void *unused)
{
    loud = 1;
    return unused;
}

static void *read_loud(void *unused)
{
    (void)loud;
    return unused;
}

CASE(volatile_is_not_atomic, loud)
{
    RUN(write_loud, read_loud);
}

static void *exchange_in_vain(void *unused)
{
    int expected = 7;
    atomic_compare_exchange_strong(&word, &expected, 8);
    return unused;
}

static void *load_word(void *unused)
{
    (void)*(int *)&word;
    return unused;
}

CASE(failed_exchange_and_plain_read, none)
{
    RUN(exchange_in_vain, load_word);
}
