/*
 * Two threads look for primes, and tell each other by a shared array which numbers are known
 * not to be prime (JPR, section V). What is read there may be stale: that costs time and changes
 * no result.
 */
#include <assert.h>
#include <pthread.h>

#ifndef LAST
#define LAST 26
#endif

static int maybe_prime[LAST + 1];
static int found[2];

static int is_prime(int n)
{
    for (int i = 2; i * i <= n; i++) {
        if (!maybe_prime[i])
            continue;
        if (n % i == 0) {
            maybe_prime[n] = 0;
            return 0;
        }
    }
    return 1;
}

/* Thread 0 looks at even places, thread 1 at odd ones. */
static void *look(void *arg)
{
    int *mine = arg;
    for (int n = 4 + (int)(mine - found); n <= LAST; n += 2)
        *mine += is_prime(n);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int primes = 0;
    for (int i = 0; i <= LAST; i++)
        maybe_prime[i] = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, &found[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int n = 4; n <= LAST; n++) {
        int divisors = 0;
        for (int d = 2; d < n; d++)
            divisors += n % d == 0;
        primes += divisors == 0;
    }
    assert(found[0] + found[1] == primes);
    return 0;
}
