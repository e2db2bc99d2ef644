/*
 * Each account has its lock; one function forgets it.
 *
 * fix: pthread_mutex_lock(&a->lock);
 * fix: pthread_mutex_unlock(&a->lock);
 * not: fetch_sub
 * hides
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void deposit(struct account *a, int n)
{
    pthread_mutex_lock(&a->lock);
    a->balance += n;
    pthread_mutex_unlock(&a->lock);
}

static void fee(struct account *a)
{
    a->balance -= 1;
}

static void *depositor(void *arg)
{
    deposit(arg, 10);
    return NULL;
}

static void *charger(void *arg)
{
    fee(arg);
    return NULL;
}

int main(void)
{
    struct account *a = calloc(1, sizeof(*a));
    pthread_t one, two;
    pthread_mutex_init(&a->lock, NULL);
    pthread_create(&one, NULL, depositor, a);
    pthread_create(&two, NULL, charger, a);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a->balance == 9);
    pthread_mutex_destroy(&a->lock);
    free(a);
    return 0;
}
