// race: numbers[]
/* A loop that ends at the element in question. */
#include "../race.h"

int numbers[100], volatile_end = 50;

static void *a(void *unused)
{
    int i = 0;
    for (; i < 100; i++) {
        numbers[i] = i;
        if (i == volatile_end)
            break;
    }
    USE(i);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(numbers[50]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
