/* One bug for each way in which a message could say what is not so. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- a count that orders nothing: no lie is needed, but a model weaker than sc ---- */

struct counted {
    atomic_int users;
    int data;
};

static void *drop(void *arg)
{
    struct counted *counted = arg;
    if (counted->data < 0)
        return NULL;
    if (atomic_fetch_sub_explicit(&counted->users, 1, memory_order_relaxed) == 1)
        free(counted);
    return NULL;
}

/* ---- two locks for bit-fields of one unit ---- */

static struct {
    pthread_mutex_t left, right;
    unsigned up : 1, down : 1;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void *raise_it(void *arg)
{
    pthread_mutex_lock(&gate.left);
    gate.up = 1;
    pthread_mutex_unlock(&gate.left);
    return arg;
}

static void *lower_it(void *arg)
{
    pthread_mutex_lock(&gate.right);
    gate.down = 1;
    pthread_mutex_unlock(&gate.right);
    return arg;
}

/* ---- a deadlock of objects that are parameters ---- */

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void transfer(struct account *from, struct account *to)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
    struct account **accounts = arg;
    transfer(accounts[0], accounts[1]);
    return NULL;
}

static void *back(void *arg)
{
    struct account **accounts = arg;
    transfer(accounts[1], accounts[0]);
    return NULL;
}

/* ---- a lock for reading that becomes one for writing ---- */

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

static void *promote(void *arg)
{
    pthread_rwlock_rdlock(&table);
    pthread_rwlock_wrlock(&table);
    pthread_rwlock_unlock(&table);
    return arg;
}

/* ---- a struct without a name ---- */

static struct {
    pthread_mutex_t lock;
    int n;
} level = {PTHREAD_MUTEX_INITIALIZER, 0};

static int look(void)
{
    pthread_mutex_lock(&level.lock);
    int n = level.n;
    pthread_mutex_unlock(&level.lock);
    return n;
}

void *rise(void *arg)
{
    int n = look();
    pthread_mutex_lock(&level.lock);
    level.n = n + 1;
    pthread_mutex_unlock(&level.lock);
    return arg;
}

static void both(void *(*one)(void *), void *(*other)(void *), void *arg)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, arg);
    pthread_create(&threads[1], NULL, other, arg);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void bank(void)
{
    struct account *accounts[2];
    for (int i = 0; i < 2; i++) {
        accounts[i] = calloc(1, sizeof **accounts);
        pthread_mutex_init(&accounts[i]->lock, NULL);
    }
    both(there, back, accounts);
    free(accounts[0]);
    free(accounts[1]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "count") == 0) {
        struct counted *counted = malloc(sizeof *counted);
        counted->users = 2;
        counted->data = 1;
        both(drop, drop, counted);
    } else if (strcmp(what, "gate") == 0) {
        both(raise_it, lower_it, NULL);
        assert(gate.up && gate.down);
    } else if (strcmp(what, "bank") == 0) {
        bank();
    } else if (strcmp(what, "promote") == 0) {
        both(promote, promote, NULL);
    } else {
        both(rise, rise, NULL);
    }
    return 0;
}
