/* Arrays of several kinds, each element stored to once. */
#include <stdlib.h>
#include <string.h>

struct item {
    long key, value;
};
struct table {
    long n;
    long slots[40];
};
static double grid[10][50];
static struct item items[30];
static struct table table;
static char text[64];
static int *numbers;
static long single;

static void fill_numbers(int n)
{
    for (int i = n; i-- > 0;)
        numbers[i] = i;
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        for (int k = 50; k-- > 0;)
            grid[i][k] = k;
    for (int i = 0; i < 30; i++)
        items[i].value = i;
    for (int i = 0; i < 40; i++)
        table.slots[i] = i;
    for (int i = 0; i < 64; i++)
        text[i] = 'a';
    numbers = malloc(100 * sizeof *numbers);
    fill_numbers(100);
    const int *first = numbers;
    free(numbers);
    while ((numbers = malloc(100 * sizeof *numbers)) != first) /* the same block again */
        free(numbers);
    fill_numbers(100);
    single = 1;
    return 0;
}
