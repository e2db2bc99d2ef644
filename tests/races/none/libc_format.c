// no race
/* Of text only what the precision allows is read, and of a pointer that is not printed as text
   nothing. */
#include "../race.h"
#include <stdio.h>

char precise[8] = "hello", given[8] = "hello", nothing[8] = "hello", pointed[8] = "hello";
char ended[8] = "he", percent[8] = "hello", numbered[8] = "hello", whole[8] = "hello";
char cut[4];
static FILE *file;

static void *a(void *unused)
{
    char text[64];
    fprintf(file, "%.3s\n", precise);
    fprintf(file, "%*.*s\n", 10, 3, given);
    fprintf(file, "%.s%.0s\n", nothing, nothing);
    fprintf(file, "%p\n", (void *)pointed);
    fprintf(file, "%s %.*s\n", ended, -1, ended);
    fprintf(file, "%%s %p\n", (void *)percent);
    fprintf(file, "%1$.*2$s\n", numbered, 2);
    snprintf(text, sizeof text, "%d %Lf %f %.1s", 1, 1.0L, 1.0, whole);
    snprintf(cut, 2, "%s", ended);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    precise[3] = given[3] = nothing[0] = pointed[0] = ended[3] = percent[0] = numbered[2] = 'x';
    whole[1] = cut[2] = 'x';
    return unused;
}

int main(void)
{
    file = tmpfile();
    if (!file)
        abort();
    run(a, b);
    return 0;
}
