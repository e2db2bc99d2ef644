// Values of more than 8 bytes, and vectors: long double, complex, __int128, SSE.
#include <assert.h>
#include <complex.h>
#include <pthread.h>

typedef float float4 __attribute__((vector_size(16)));
typedef int int8 __attribute__((vector_size(32)));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long double extended = 0.5L;
static double complex z;
static unsigned __int128 big = 1;
static float4 four;
static int8 eight;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        extended *= 2;
        z += 1.0 - 2.0 * I;
        big <<= 10;
        four += (float4){1, 2, 3, 4};
        eight -= i;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(extended == 512.0L && creal(z) == 10.0 && cimag(z) == -20.0);
    assert((unsigned long)(big >> 64) == 1UL << 36 && (unsigned long)big == 0);
    assert(four[3] == 40.0f && eight[7] == -20);
    return 0;
}
