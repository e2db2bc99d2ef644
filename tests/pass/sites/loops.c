/* Which loops count down at their back edges. A counted one calls sm_back_edge at each
 * when the budget is 1; the program has exactly the iterations that are counted below. */
#include <stdatomic.h>

static int flag = 10, data[100];
static atomic_int left = 10;

/* Counted: 9 back edges. */
static void spin_plain(void)
{
    while (--flag)
        ;
}
/* Counted: 9. */
static void spin_atomic(void)
{
    while (--left)
        ;
}
/* Not counted: decided in registers, however much it reads. */
static int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            total += data[i];
    return total;
}
/* Counted: 6. A load decides which value the register has. */
static int find(int n)
{
    int found = 0, i = 0;
    while (!found && i < n) {
        if (data[i] == 5)
            found = 1;
        i++;
    }
    return i;
}
// hooks: sm_back_edge 24$
int main(void)
{
    data[5] = 5;
    spin_plain();
    spin_atomic();
    return sum(100) + find(100) > 1000;
}
