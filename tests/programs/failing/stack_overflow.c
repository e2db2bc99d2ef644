// expect: signal SIGSEGV
// Recursion without end: the fault is seen although there is no stack left to see it on.
// cflags: -Wno-infinite-recursion
static int depth(volatile int *n)
{
    volatile char frame[65536];
    int at = ++*n % (int)sizeof frame; /* all of the frame is needed */
    frame[at] = 1;
    return depth(n) + frame[at];
}

int main(void)
{
    volatile int n = 0;
    return depth(&n);
}
