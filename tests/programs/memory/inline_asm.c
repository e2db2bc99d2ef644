// Inline assembly that touches memory is a full fence, and its effect is seen.
#include <assert.h>
#include <pthread.h>

static int counter, flag, x, y, r1, r2;

static void locked_add(int *p, int n)
{
    __asm__ volatile("lock addl %1, %0" : "+m"(*p) : "r"(n) : "memory", "cc");
}

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++)
        locked_add(&counter, 1);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    __asm__ volatile("mfence" ::: "memory");
    r1 = __atomic_load_n(&y, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int old = 1;

    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 10; i++)
        locked_add(&counter, 1);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    __asm__ volatile("mfence" ::: "memory");
    r2 = __atomic_load_n(&x, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(flag)::"memory");
    assert(counter == 20 && old == 0 && flag == 1 && (r1 || r2));
    return 0;
}
