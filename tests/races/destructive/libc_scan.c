// race: adjacent[], allocated[], characters[], found[], listed[], real[], second[], set[]
// race: short_one[], source[], streamed[], word[]
/* What the scanf family has stored for one thread, and the text that it has read, when another uses
   them. */
#include "../race.h"
#include <stdarg.h>
#include <stdio.h>

#define BUFFER(name, type) char name[sizeof(type)] __attribute__((aligned(16)))
BUFFER(found, int);
BUFFER(second, int);
BUFFER(short_one, short);
BUFFER(real, double);
BUFFER(adjacent, int);
BUFFER(allocated, char *);
BUFFER(listed, long);
BUFFER(streamed, int);
char word[8], set[8], characters[4], source[8] = "12";
static FILE *file;

static void check(int result)
{
    if (!result)
        abort();
}

static int scan_list(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}

static void *a(void *unused)
{
    int number;
    check(sscanf("1 2", "%d %d", (int *)found, (int *)second) == 2);
    check(sscanf("1 2 3.5", "%*d %hd%lf", (short *)short_one, (double *)real) == 2);
    check(sscanf("12", "%d%n", &number, (int *)adjacent) == 1);
    check(sscanf("one two", "%ms %3s", (char **)allocated, word) == 2);
    check(sscanf("]ab", "%[]ab]", set) == 1);
    check(sscanf("abcd", "%4c", characters) == 1);
    check(sscanf(source, "%d", &number) == 1);
    check(scan_list("7", "%ld", (long *)listed) == 1);
    rewind(file);
    check(fscanf(file, "%d", (int *)streamed) == 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(found[0] + second[0] + short_one[1] + real[7] + adjacent[0] + allocated[0] + word[3]);
    USE(set[3] + characters[3] + listed[7] + streamed[3]);
    source[1] = 'x';
    return unused;
}

int main(void)
{
    file = tmpfile();
    check(file && fputs("5\n", file) >= 0);
    run(a, b);
    return 0;
}
