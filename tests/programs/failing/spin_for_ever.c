// expect: hang
// options: --steps 20000
// native: no
#include <sched.h>

int main(void)
{
    for (;;)
        sched_yield();
}
