/* Flat combining (Hendler, Incze, Shavit, Tzafrir): each thread leaves its request in its slot; who
   has the lock serves all. Weakened: the answer is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef N
#define N 3
#endif

static struct slot {
    atomic_int asked;
    int amount, answer;
} slots[N];
static atomic_int held;
static int total;

static void serve_all(void)
{
    for (int i = 0; i < N; i++)
        if (atomic_load_explicit(&slots[i].asked, memory_order_acquire)) {
            total += slots[i].amount;
            slots[i].answer = total;
            atomic_store_explicit(&slots[i].asked, 0, ORDER(memory_order_release));
        }
}

static int add(int self, int amount)
{
    struct slot *mine = &slots[self];
    mine->amount = amount;
    atomic_store_explicit(&mine->asked, 1, memory_order_release);
    while (atomic_load_explicit(&mine->asked, memory_order_acquire))
        if (!atomic_load_explicit(&held, memory_order_relaxed) &&
            !atomic_exchange_explicit(&held, 1, memory_order_acquire)) {
            serve_all();
            atomic_store_explicit(&held, 0, memory_order_release);
        }
    return mine->answer;
}

static void *work(void *number)
{
    int self = (int)(intptr_t)number;
    assert(add(self, 1) > 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(total == N);
    return 0;
}
