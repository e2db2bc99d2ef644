/*
 * Structures in which every order is seq_cst; one is compiled, by its name. The comment of a line
 * has the order that its atomic access needs by the literature: `fix --weaken` finds that, or a
 * weaker one. Where it stands with an exclamation mark nothing weaker is right.
 *   spin, ticket, mcs, clh      the C11 versions of VSync's and of libvsync's locks
 *   treiber, queue              Treiber; Michael and Scott, as in "CDSChecker" (Norris and Demsky)
 *   seqlock                     Boehm, "Can seqlocks get along with programming language memory
 *                               models?", with ordered accesses in place of fences
 *   ring                        Lamport's, as in Linux's circular-buffers.txt
 *   dekker, peterson            store buffering: only seq_cst forbids it
 *   rwlock, once, count         as in Linux's refcount-vs-atomic.txt and its spinning locks
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef void *body(void *);

static void run_two(body *first, body *second)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, (void *)0);
    pthread_create(&b, NULL, second, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

#if defined spin || defined ticket || defined mcs || defined clh || defined peterson
#define LOCK 1
static int count;
static void lock(int self);
static void unlock(int self);

static void *pass(void *arg)
{
    int self = (int)(intptr_t)arg;
    lock(self);
    count++;
    unlock(self);
    return NULL;
}

int main(void)
{
    run_two(pass, pass);
    assert(count == 2);
}
#endif

#ifdef spin
static atomic_int held;

static void lock(int self)
{
    (void)self;
    do
        while (atomic_load(&held)) /* relaxed */
            continue;
    while (atomic_exchange(&held, 1)); /* !acquire */
}

static void unlock(int self)
{
    (void)self;
    atomic_store(&held, 0); /* !release */
}
#endif

#ifdef ticket
static atomic_int next, serving;

static void lock(int self)
{
    (void)self;
    int mine = atomic_fetch_add(&next, 1); /* relaxed */
    while (atomic_load(&serving) != mine)  /* !acquire */
        continue;
}

static void unlock(int self)
{
    (void)self;
    int now = atomic_load(&serving); /* relaxed */
    atomic_store(&serving, now + 1); /* !release */
}
#endif

#ifdef mcs
static struct node {
    struct node *_Atomic next;
    atomic_int waits;
} nodes[2];
static struct node *_Atomic tail;

static void lock(int self)
{
    struct node *mine = &nodes[self];
    atomic_store(&mine->next, NULL);                    /* relaxed */
    atomic_store(&mine->waits, 1);                      /* relaxed */
    struct node *before = atomic_exchange(&tail, mine); /* acq_rel */
    if (!before)
        return;
    atomic_store(&before->next, mine); /* release */
    while (atomic_load(&mine->waits))  /* !acquire */
        continue;
}

static void unlock(int self)
{
    struct node *mine = &nodes[self];
    struct node *next = atomic_load(&mine->next); /* acquire */
    if (!next) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) /* release */
            return;
        while (!(next = atomic_load(&mine->next))) /* acquire */
            continue;
    }
    atomic_store(&next->waits, 0); /* !release */
}
#endif

#ifdef clh
static struct node {
    atomic_int locked;
} nodes[3], *mine_of[2] = {&nodes[0], &nodes[1]}, *before_of[2];
static struct node *_Atomic tail = &nodes[2];

static void lock(int self)
{
    struct node *mine = mine_of[self];
    atomic_store(&mine->locked, 1);                     /* relaxed */
    struct node *before = atomic_exchange(&tail, mine); /* acq_rel */
    before_of[self] = before;
    while (atomic_load(&before->locked)) /* !acquire */
        continue;
}

static void unlock(int self)
{
    atomic_store(&mine_of[self]->locked, 0); /* !release */
    mine_of[self] = before_of[self];
}
#endif

#ifdef peterson
static atomic_int wants[2], turn;

static void lock(int self)
{
    atomic_store(&wants[self], 1);          /* seq_cst */
    atomic_store(&turn, 1 - self);          /* seq_cst */
    while (atomic_load(&wants[1 - self]) && /* seq_cst */
           atomic_load(&turn) == 1 - self)  /* seq_cst */
        continue;
}

static void unlock(int self)
{
    atomic_store(&wants[self], 0); /* !release */
}
#endif

#ifdef dekker
static atomic_int wants[2];
static int inside;

static void *enter(void *arg)
{
    int self = (int)(intptr_t)arg;
    if (self)
        atomic_store(&wants[1], 1); /* !seq_cst */
    else
        atomic_store(&wants[0], 1);             /* !seq_cst */
    int other = self ? atomic_load(&wants[0]) : /* !seq_cst */
                    atomic_load(&wants[1]);     /* !seq_cst */
    if (!other) {
        inside++;
        assert(inside == 1);
    }
    return NULL;
}

int main(void)
{
    run_two(enter, enter);
}
#endif

#ifdef treiber
struct node {
    struct node *next;
    int value;
};
static struct node *_Atomic top;

static void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1 + (int)(intptr_t)arg;
    node->next = atomic_load(&top);                                /* relaxed */
    while (!atomic_compare_exchange_weak(&top, &node->next, node)) /* !release */
        continue;
    return NULL;
}

static int pop(void)
{
    struct node *node = atomic_load(&top);                                 /* !acquire */
    while (node && !atomic_compare_exchange_weak(&top, &node, node->next)) /* acquire */
        continue;
    return node ? node->value : 0;
}

static int got;

static void *pop_one(void *arg)
{
    got = pop();
    return arg;
}

int main(void)
{
    run_two(push, pop_one);
    assert(got == 0 || got == 1);
    assert(got + pop() == 1);
}
#endif

#ifdef queue
struct node {
    struct node *_Atomic next;
    int value;
};
static struct node first;
static struct node *_Atomic head = &first, *_Atomic tail = &first;

static void put(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    for (;;) {
        struct node *last = atomic_load(&tail), *none = NULL;           /* acquire */
        if (atomic_compare_exchange_strong(&last->next, &none, node)) { /* !release */
            atomic_compare_exchange_strong(&tail, &last, node);         /* release */
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, none); /* release */
    }
}

static int take(void)
{
    for (;;) {
        struct node *front = atomic_load(&head);       /* acquire */
        struct node *next = atomic_load(&front->next); /* !acquire */
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &front, next)) /* release */
            return value;
    }
}

static void *produce(void *arg)
{
    put(1);
    put(2);
    return arg;
}

static int taken;

static void *consume(void *arg)
{
    taken = take();
    return arg;
}

int main(void)
{
    run_two(produce, consume);
    assert(taken == 0 || taken == 1);
    int sum = taken;
    for (int value; (value = take());)
        sum += value;
    assert(sum == 3);
}
#endif

#ifdef seqlock
static atomic_uint sequence;
static atomic_int a, b;

static void *write_both(void *unused)
{
    unsigned s = atomic_load(&sequence); /* relaxed */
    atomic_store(&sequence, s + 1);      /* relaxed */
    atomic_store(&a, 1);                 /* !release */
    atomic_store(&b, 1);                 /* !release */
    atomic_store(&sequence, s + 2);      /* !release */
    return unused;
}

static void *read_both(void *unused)
{
    unsigned before = atomic_load(&sequence); /* !acquire */
    int x = atomic_load(&a);                  /* !acquire */
    int y = atomic_load(&b);                  /* !acquire */
    unsigned after = atomic_load(&sequence);  /* relaxed */
    if (before == after && before % 2 == 0)
        assert(x == y);
    return unused;
}

int main(void)
{
    run_two(write_both, read_both);
}
#endif

#ifdef ring
enum { SIZE = 1, TURNS = 2 };
static int slots[SIZE];
static atomic_uint in, out;

static void *produce(void *arg)
{
    for (int i = 1; i <= TURNS; i++) {
        unsigned at = atomic_load(&in);        /* relaxed */
        while (at - atomic_load(&out) == SIZE) /* !acquire */
            continue;
        slots[at % SIZE] = i;
        atomic_store(&in, at + 1); /* !release */
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 1; i <= TURNS; i++) {
        unsigned at = atomic_load(&out); /* relaxed */
        while (at == atomic_load(&in))   /* !acquire */
            continue;
        assert(slots[at % SIZE] == i);
        atomic_store(&out, at + 1); /* !release */
    }
    return arg;
}

int main(void)
{
    run_two(produce, consume);
}
#endif

#ifdef rwlock
static atomic_int state; /* readers; -1: a writer */
static int data;

static void *write_data(void *arg)
{
    int none = 0;
    while (!atomic_compare_exchange_strong(&state, &none, -1)) /* !acquire */
        none = 0;
    data++;
    atomic_store(&state, 0); /* !release */
    return arg;
}

static void *read_data(void *arg)
{
    int readers = atomic_load(&state); /* relaxed */
    while (readers < 0 ||
           !atomic_compare_exchange_strong(&state, &readers, readers + 1)) /* !acquire */
        readers = atomic_load(&state);                                     /* relaxed */
    int first = data, second = data;
    assert(first == second);
    atomic_fetch_sub(&state, 1); /* !release */
    return arg;
}

int main(void)
{
    run_two(write_data, read_data);
}
#endif

#ifdef once
static int value;
static atomic_int made, making;

static void *use(void *arg)
{
    if (!atomic_load(&made)) {                  /* !acquire */
        if (atomic_exchange(&making, 1) == 0) { /* relaxed */
            value = 7;
            atomic_store(&made, 1); /* !release */
        } else {
            return arg;
        }
    }
    assert(value == 7);
    return arg;
}

int main(void)
{
    run_two(use, use);
}
#endif

#ifdef count
static struct object {
    atomic_int references;
    int used[2], gone;
} object = {.references = 1};

static void drop(void)
{
    if (atomic_fetch_sub(&object.references, 1) == 1) { /* !acq_rel */
        assert(object.used[0] + object.used[1] == 2);
        object.gone = 1;
    }
}

static void *use(void *arg)
{
    object.used[(intptr_t)arg] = 1;
    drop();
    return NULL;
}

int main(void)
{
    atomic_fetch_add(&object.references, 1); /* relaxed */
    run_two(use, use);
    assert(object.gone);
}
#endif
