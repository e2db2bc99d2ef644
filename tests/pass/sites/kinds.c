/* Kinds, orders, operations and flags of sites; which hooks they call. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int a;
static _Atomic __int128 w;
static _Atomic float f;
static int plain, other[8];
static long double wide;
static char text[32], text2[32];
static _Atomic struct {
    char bytes[24];
} huge;

// expect: orders ATOMIC_LOAD a size=4 object=-+0 order=acquire
// expect: orders ATOMIC_LOAD a size=4 object=-+0 order=relaxed
// expect: orders ATOMIC_LOAD a size=4 object=-+0 order=seq_cst
// expect: orders ATOMIC_STORE a size=4 object=-+0 order=release
// expect: orders RMW a size=4 object=-+0 order=acq_rel fail=relaxed op=1 flags=0
// expect: orders RMW a size=4 object=-+0 order=relaxed fail=relaxed op=0 flags=0
// expect: orders CAS a size=4 object=-+0 order=acq_rel fail=acquire op=0 flags=2
// expect: orders CAS a size=4 object=-+0 order=seq_cst fail=seq_cst op=0 flags=0
// hooks: sm_atomic_load
// hooks: sm_atomic_store
// hooks: sm_atomic_rmw
// hooks: sm_atomic_cas
void orders(void)
{
    int x = atomic_load_explicit(&a, memory_order_acquire);
    x += atomic_load_explicit(&a, memory_order_relaxed) + a;
    atomic_store_explicit(&a, x, memory_order_release);
    atomic_fetch_add_explicit(&a, 1, memory_order_acq_rel);
    atomic_exchange_explicit(&a, 1, memory_order_relaxed);
    atomic_compare_exchange_weak_explicit(&a, &x, 2, memory_order_acq_rel, memory_order_acquire);
    atomic_compare_exchange_strong(&a, &x, 3);
}

// expect: wides ATOMIC_STORE w size=16
// expect: wides ATOMIC_LOAD w size=16
// expect: wides RMW w size=16
// expect: wides CAS w size=16
// expect: wides RMW f size=4 object=-+0 order=seq_cst fail=relaxed op=11
// expect: wides STORE wide size=10
// expect: wides ASM huge size=24
// hooks: sm_atomic_load_wide
// hooks: sm_atomic_store_wide
// hooks: sm_atomic_rmw_wide
// hooks: sm_atomic_cas_wide
// hooks: sm_load_wide
// hooks: sm_store_wide
void wides(void)
{
    __int128 expected = 5;
    w = 5;
    w += (int)w;
    atomic_compare_exchange_strong(&w, &expected, 1);
    __atomic_fetch_add((float *)&f, 1.0f, __ATOMIC_SEQ_CST);
    wide += 1;
    huge = huge;
}

// expect: fences FENCE - size=0 object=-+0 order=seq_cst fail=relaxed op=0 flags=0
// expect: fences FENCE - size=0 object=-+0 order=acquire fail=relaxed op=0 flags=8
// count: 2 fences FENCE
// expect: fences ASM plain
// hooks: sm_fence
// hooks: sm_asm
void fences(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("roll $0, %0" : "+m"(plain) : : "memory");
}

// expect: calls COPY other[] size=16
// expect: calls FILL other[] size=32
// expect: calls CALL text[] size=0
// expect: calls CALL text2[] size=0
// hooks: sm_copy
// hooks: sm_fill
// hooks: sm_lib
unsigned long calls(void)
{
    memset(other, 0, sizeof other);
    memcpy(other, other + 4, 16);
    strcpy(text2, "abc");
    return strlen(text) + (strcmp(text, text2) != 0);
}

// expect: function untouched
// absent: untouched LOAD
// expect: untouched ATOMIC_LOAD a
__attribute__((disable_sanitizer_instrumentation)) int untouched(void)
{
    return plain + a;
}

// expect: function thread
// expect: external=1
// absent: function leaf
static int leaf(int x)
{
    return x * 2;
}
static void *thread(void *p)
{
    plain = leaf(plain);
    return p;
}

// hooks: sm_enter
// hooks: sm_leave
// hooks: sm_local_ends
// hooks: sm_module_add 1
int main(void)
{
    pthread_t t;
    orders();
    wides();
    fences();
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return calls() + untouched() > 100;
}
