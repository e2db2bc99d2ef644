// Atomic double, float, bool, pointer and small struct; compound assignment on each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
    int a, b;
};
static _Atomic double sum;
static _Atomic float fsum;
static _Atomic bool seen;
static int cells[8];
static int *_Atomic cursor = cells;
static _Atomic struct pair pair;
static _Atomic signed char small = 100;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++) {
        sum += 0.5;
        fsum -= 0.25f;
        *atomic_fetch_add(&cursor, 1) = 1;
        struct pair old = pair;
        while (!atomic_compare_exchange_weak(&pair, &old, ((struct pair){old.a + 1, old.b - 1})))
            continue;
        small++;
    }
    seen = true;
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    struct pair end = pair;
    assert(sum == 4.0 && fsum == -2.0f && seen && end.a == 8 && end.b == -8 && small == 108);
    for (int i = 0; i < 8; i++)
        assert(cells[i] == 1);
    return 0;
}
