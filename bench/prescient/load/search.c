/* After lusearch and hsqldb: searches through a text, a watcher with a flag, a shared counter. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCHERS = 2, TEXT = 4096 };
static char text[TEXT + 1];
int keep_running = 1; /* if it were static, gcc would hoist its load out of the loop */
static int memory_records;
static long rounds, largest;

static long occurrences(char first, char second)
{
    long n = 0;
    for (int i = 0; i < TEXT; i++)
        n += text[i] == first && text[i + 1] == second;
    return n;
}

static void *search(void *arg)
{
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
        sum += occurrences((char)('a' + i % 26), (char)('a' + i % 7));
        memory_records = memory_records + 1;
        if (memory_records > 1000)
            memory_records = 0;
    }
    *(long *)arg = sum;
    return NULL;
}

static void *watch(void *arg)
{
    while (keep_running) {
        long now = occurrences('q', 'u');
        largest = now > largest ? now : largest;
        sched_yield();
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[SEARCHERS], watcher;
    long sums[SEARCHERS];
    rounds = argc > 1 ? atol(argv[1]) : 100;
    for (unsigned i = 0, state = 1; i < TEXT; i++) {
        state = state * 1103515245 + 12345;
        text[i] = (char)('a' + (state >> 16) % 26);
    }
    pthread_create(&watcher, NULL, watch, NULL);
    for (int i = 0; i < SEARCHERS; i++)
        pthread_create(&threads[i], NULL, search, &sums[i]);
    for (int i = 0; i < SEARCHERS; i++)
        pthread_join(threads[i], NULL);
    keep_running = 0;
    pthread_join(watcher, NULL);
    return 0;
}
