/* Transfers between accounts, each with a lock of its own, taken in order: short units of work. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACCOUNTS = 64, THREADS = 4 };

struct account {
    pthread_mutex_t lock;
    long balance;
    long transfers;
};

static struct account accounts[ACCOUNTS];
static long rounds;

void transfer(struct account *from, struct account *to, long sum)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= sum;
    to->balance += sum;
    from->transfers++;
    to->transfers++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *work(void *arg)
{
    unsigned long seed = (unsigned long)arg;
    for (long i = 0; i < rounds; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned long a = seed >> 33 & (ACCOUNTS / 2 - 1);
        unsigned long b = ACCOUNTS / 2 + (seed >> 45 & (ACCOUNTS / 2 - 1));
        transfer(&accounts[a], &accounts[b], (long)(seed >> 60));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    rounds = argc > 1 ? atol(argv[1]) : 1000;
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&accounts[i].lock, NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i].balance;
    printf("%ld\n", sum);
    return sum != 0;
}
