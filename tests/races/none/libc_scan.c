// no race
/* What scanf has not come to is not stored, and of a text no more than its length. */
#include "../race.h"
#include <stdio.h>

int found, second, count, suppressed;
short short_one[2];
char word[8], characters[4], set[8];
static FILE *file;

static void check(int result)
{
    if (!result)
        abort();
}

static void *a(void *unused)
{
    int number;
    check(sscanf("1 x", "%d %d", &found, &second) == 1);
    check(sscanf("12", "%d x%n", &number, &count) == 1);
    check(sscanf("1 2", "%*d %hd", &short_one[0]) == 1);
    check(sscanf("one two", "%3s", word) == 1);
    check(sscanf("ab", "%2c", characters) == 1);
    check(sscanf("ab", "%[a]", set) == 1);
    check(sscanf("", "%d", &suppressed) == EOF);
    rewind(file);
    check(fscanf(file, "%d", &suppressed) == EOF);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    second = count = suppressed = 1;
    short_one[1] = 1;
    word[4] = characters[2] = set[2] = 'x';
    return unused;
}

int main(void)
{
    file = tmpfile();
    check(file != NULL);
    run(a, b);
    return 0;
}
