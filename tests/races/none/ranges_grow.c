// no race
/* Loops that go over a little more than the one before; what lies beside them and between
   is another thread's. */
#include "../race.h"

long rows[64], odd[64];

__attribute__((noinline)) static long sum(int from, int to)
{
    long sum = 0;
    for (int i = from; i < to; i++)
        sum += rows[i];
    return sum;
}

__attribute__((noinline)) static void fill(int from, int to)
{
    for (int i = from; i < to; i += 2)
        odd[i] = i;
}

static void *a(void *unused)
{
    USE(sum(10, 50) + sum(9, 51));
    fill(11, 51);
    fill(9, 53);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    rows[8] = rows[51] = 1;
    odd[7] = odd[20] = odd[53] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
