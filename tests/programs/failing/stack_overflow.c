// expect: signal SIGSEGV
// Recursion without end: the fault is seen although there is no stack left to see it on.
// cflags: -Wno-infinite-recursion
static int depth(volatile int *n)
{
    volatile char frame[65536];
    frame[0] = 1;
    ++*n;
    return depth(n) + frame[0];
}

int main(void)
{
    volatile int n = 0;
    return depth(&n);
}
