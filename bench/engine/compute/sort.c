/* Merge sort of two halves on two threads, then one merge. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 1 << 22 };
static uint32_t data[N], spare[N];

static void merge(uint32_t *to, const uint32_t *a, long na, const uint32_t *b, long nb)
{
    while (na && nb) {
        if (*a <= *b) {
            *to++ = *a++;
            na--;
        } else {
            *to++ = *b++;
            nb--;
        }
    }
    for (; na; na--)
        *to++ = *a++;
    for (; nb; nb--)
        *to++ = *b++;
}

static void sort(uint32_t *from, uint32_t *room, long n)
{
    if (n < 2)
        return;
    long half = n / 2;
    sort(from, room, half);
    sort(from + half, room + half, n - half);
    for (long i = 0; i < n; i++)
        room[i] = from[i];
    merge(from, room, half, room + half, n - half);
}

static void *work(void *arg)
{
    long first = arg ? N / 2 : 0;

    sort(data + first, spare + first, N / 2);
    return NULL;
}

int main(void)
{
    pthread_t other;
    uint32_t state = 1;
    uint64_t sum = 0;

    for (long i = 0; i < N; i++)
        data[i] = state = state * 1664525u + 1013904223u;
    pthread_create(&other, NULL, work, &other);
    work(NULL);
    pthread_join(other, NULL);
    merge(spare, data, N / 2, data + N / 2, N / 2);
    for (long i = 0; i < N; i++)
        sum += spare[i] * (uint64_t)i;
    printf("%lu\n", (unsigned long)sum);
    return 0;
}
