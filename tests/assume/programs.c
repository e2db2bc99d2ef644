/*
 * Programs that are wrong, each a function of the table at the end: `programs NAME`. What repairs
 * them, and what does not, is in cases. A mark @NAME in a comment gives its line a name.
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *body(void *);

static void run_two(body *first, body *second)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

/* ---- message passing ---- */

static int data, done;

static void *publish(void *arg)
{
    data = 42; /* @data */
    done = 1;  /* @publish */
    return arg;
}

static void *consume(void *arg)
{
    if (done)               /* @consume */
        assert(data == 42); /* @read */
    return arg;
}

static void publication(void)
{
    run_two(publish, consume);
}

static atomic_int ready;

static void *publish_atomically(void *arg)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *consume_atomically(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42);
    return arg;
}

/* Right as it stands. */
static void right(void)
{
    run_two(publish_atomically, consume_atomically);
}

/* ---- lost update ---- */

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *arg)
{
    n++; /* @increment */
    return arg;
}

static void *increment_locked(void *arg)
{
    pthread_mutex_lock(&m);
    n++; /* @locked */
    pthread_mutex_unlock(&m);
    return arg;
}

static void update(void)
{
    run_two(increment, increment);
    assert(n == 2);
}

static void update_with_lock(void)
{
    run_two(increment, increment_locked);
    assert(n == 2);
}

/* ---- check, then act ---- */

static int owner, owners;

static void *acquire(void *arg)
{
    if (owner == 0) { /* @check */
        owner = 1;    /* @act */
        __atomic_fetch_add(&owners, 1, __ATOMIC_RELAXED);
    }
    return arg;
}

static void check_then_act(void)
{
    run_two(acquire, acquire);
    assert(owners == 1);
}

/* ---- double-checked locking ---- */

static struct {
    int value;
} object, *instance;

static void *use_instance(void *arg)
{
    if (!instance) { /* @first_check */
        pthread_mutex_lock(&m);
        if (!instance) {
            object.value = 7;           /* @payload */
            instance = (void *)&object; /* @set_instance */
        }
        pthread_mutex_unlock(&m);
    }
    assert(instance->value == 7); /* @use_instance */
    return arg;
}

static void double_checked(void)
{
    run_two(use_instance, use_instance);
}

/* ---- bank account: each step is atomic, both together are not ---- */

static int balance;

static int get_balance(void)
{
    pthread_mutex_lock(&m);
    int value = balance;
    pthread_mutex_unlock(&m);
    return value;
}

static void set_balance(int value)
{
    pthread_mutex_lock(&m);
    balance = value;
    pthread_mutex_unlock(&m);
}

static void *deposit(void *arg)
{
    int before = get_balance(); /* @get */
    set_balance(before + 1);    /* @set */
    return arg;
}

static void account(void)
{
    run_two(deposit, deposit);
    assert(balance == 2);
}

/* ---- store buffering ---- */

static int x, y, saw_x = 1, saw_y = 1;

static void *write_x(void *arg)
{
    x = 1;     /* @write_x */
    saw_y = y; /* @read_y */
    return arg;
}

static void *write_y(void *arg)
{
    y = 1;     /* @write_y */
    saw_x = x; /* @read_x */
    return arg;
}

static void store_buffering(void)
{
    run_two(write_x, write_y);
    assert(saw_x || saw_y);
}

/* ---- order of two locks ---- */

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right_lock = PTHREAD_MUTEX_INITIALIZER;

static void *left_first(void *arg)
{
    pthread_mutex_lock(&left); /* @left_first */
    pthread_mutex_lock(&right_lock);
    pthread_mutex_unlock(&right_lock);
    pthread_mutex_unlock(&left); /* @left_last */
    return arg;
}

static void *right_first(void *arg)
{
    pthread_mutex_lock(&right_lock); /* @right_first */
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right_lock); /* @right_last */
    return arg;
}

static void lock_order(void)
{
    run_two(left_first, right_first);
}

/* ---- loops ---- */

static void *count_twice(void *arg)
{
    for (int i = 0; i < 2; i++) { /* @loop */
        n++;                      /* @body */
    } /* @loop_end */
    return arg;
}

static void *look_at_count(void *arg)
{
    assert(n % 2 == 0); /* @look */
    return arg;
}

static void loop(void)
{
    run_two(count_twice, look_at_count);
}

/* ---- how stretches are left ---- */

static _Thread_local jmp_buf out;

static void *jump_out(void *arg)
{
    if (!setjmp(out)) {
        pthread_mutex_lock(&left);
        pthread_mutex_unlock(&left);
        longjmp(out, 1); /* @jump */
    }
    return arg;
}

static void *leave_early(void *arg)
{
    if (n >= 0) { /* @early */
        n++;
        return arg;
    }
    n--; /* @late */
    return arg;
}

static void early(void)
{
    run_two(leave_early, leave_early);
    assert(n == 2);
}

static void jumping(void)
{
    run_two(jump_out, jump_out);
    run_two(increment_locked, increment_locked);
}

/* ---- ---- */

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } programs[] = {
        {"publication", publication},
        {"right", right},
        {"update", update},
        {"update_with_lock", update_with_lock},
        {"check_then_act", check_then_act},
        {"double_checked", double_checked},
        {"account", account},
        {"store_buffering", store_buffering},
        {"lock_order", lock_order},
        {"loop", loop},
        {"early", early},
        {"jumping", jumping},
    };
    for (size_t i = 0; argc == 2 && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(argv[1], programs[i].name) == 0) {
            programs[i].run();
            return 0;
        }
    fprintf(stderr, "usage: programs NAME\n");
    return 2;
}
