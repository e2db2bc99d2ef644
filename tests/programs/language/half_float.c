// expect: exit 0
// Atomic arithmetic on a float of two bytes, which no hook computes: the processor does.
#include <assert.h>

static _Float16 half = 1.5f16;
static float single = 1.5f;

int main(void)
{
    _Float16 old = __atomic_fetch_add(&half, 2.25f16, __ATOMIC_SEQ_CST);
    assert(old == 1.5f16 && half == 3.75f16);
    assert(__atomic_fetch_sub(&single, 0.25f, __ATOMIC_SEQ_CST) == 1.5f && single == 1.25f);
    return 0;
}
