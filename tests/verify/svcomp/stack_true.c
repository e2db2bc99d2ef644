// executions: 20
// A bounded stack under a mutex: pop is never reached on an empty one.
extern void abort(void);
void reach_error(void)
{
    abort();
}
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_bool(void);

#define SIZE 3
static int top;
static unsigned int arr[SIZE];
static pthread_mutex_t m;

static int push(unsigned int x)
{
    if (top == SIZE)
        return -1;
    arr[top++] = x;
    return 0;
}

static void *t1(void *arg)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (push((unsigned int)i) == -1)
            reach_error();
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *t2(void *arg)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (top > 0 && arr[--top] >= SIZE)
            reach_error();
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t id1, id2;
    pthread_mutex_init(&m, 0);
    pthread_create(&id1, NULL, t1, NULL);
    pthread_create(&id2, NULL, t2, NULL);
    pthread_join(id1, NULL);
    pthread_join(id2, NULL);
    return 0;
}
