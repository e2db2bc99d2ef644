// executions: 2
// models: sc tso pso c11
// What is stored to the locals of a function that has returned is no effect: a lock is tried by a
// function that writes a message each time.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;
static int count;

__attribute__((noinline)) static void fill(char *text, int n)
{
    for (int i = 0; i < n; i++)
        text[i] = (char)('a' + i);
}

__attribute__((noinline)) static int take(void)
{
    char text[8];
    fill(text, 4);
    return !atomic_exchange(&held, text[0] == 'a');
}

static void *pass(void *unused)
{
    while (!take())
        continue;
    count++;
    atomic_store(&held, 0);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, pass, NULL);
    pthread_create(&two, NULL, pass, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count != 2;
}
