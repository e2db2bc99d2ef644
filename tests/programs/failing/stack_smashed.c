// expect: signal SIGABRT
// cflags: -fstack-protector-all
#include <string.h>

static void smash(volatile int n)
{
    volatile char buffer[16];
    for (int i = 0; i < n; i++)
        buffer[i] = 1;
}

int main(void)
{
    smash(60);
    return 0;
}
