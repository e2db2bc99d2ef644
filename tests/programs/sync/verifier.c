// SV-COMP's names: atomic sections are atomic, values are of their types, failed assumptions stop.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *work(void *arg)
{
    for (int i = 0; i < 3; i++) {
        __VERIFIER_atomic_begin();
        int seen = x;
        __VERIFIER_atomic_begin();
        x = seen + 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 6);
    int n = __VERIFIER_nondet_int();
    char *p = __VERIFIER_nondet_pointer();
    if (p)
        *p = 1;
    __VERIFIER_assume(n == n + 0 * (__VERIFIER_nondet_uchar() + __VERIFIER_nondet_bool()));
    return 0;
}
