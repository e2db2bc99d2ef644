// says: race-free, hence sequentially consistent
// The twin of mapped_twice.c: memory of its own at each address.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static int *one, *other;
static int seen;

static void *work(void *arg)
{
    *one = 1;
    return arg;
}

static void *look(void *arg)
{
    seen = *other;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
