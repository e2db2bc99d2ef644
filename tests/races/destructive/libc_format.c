// race: allocated[], copied[], descriptor[], format[], given[], into[], into_n[], numbered[]
// race: out[], out_list[], precise[], stored[], stream[], stream_list[], third[], wide[]
/* Text that one thread has printed by %s when another writes it, as far as the precision goes, and
   what is written besides the text. */
#define _GNU_SOURCE
#include "../race.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

char out[8] = "hello", out_list[8] = "hello", stream[8] = "hello", stream_list[8] = "hello";
char descriptor[8] = "hello", into[8] = "hello", into_n[8] = "hello", precise[8] = "hello";
char given[8] = "hello", numbered[8] = "hello", third[8] = "hello", copied[8] = "hello";
char format[8] = "hello", allocated[sizeof(char *)] __attribute__((aligned(16)));
char stored[sizeof(int)] __attribute__((aligned(16)));
wchar_t wide[8] = L"hello";
static FILE *file;

static void print_list(const char *form, ...)
{
    va_list list;
    va_start(list, form);
    vprintf(form, list);
    va_end(list);
}

static void print_list_to(FILE *where, const char *form, ...)
{
    va_list list;
    va_start(list, form);
    vfprintf(where, form, list);
    va_end(list);
}

static void *a(void *unused)
{
    char text[64];
    const char *volatile form = format;
    printf("%s, ", out);
    print_list("%s, ", out_list);
    fprintf(file, "%s\n", stream);
    print_list_to(file, "%d %s\n", 1, stream_list);
    dprintf(fileno(file), "%s\n", descriptor);
    sprintf(text, "%s %d", into, 1);
    snprintf(text, sizeof text, "%5d %s", 1, into_n);
    fprintf(file, "%.3s\n", precise);
    fprintf(file, "%-*.*s\n", 10, 3, given);
    fprintf(file, "%2$d %1$s\n", numbered, 1);
    fprintf(file, "%Lg %g %5.2f %c %% %s %p\n", 1.0L, 1.0, 1.0, 'c', third, (void *)text);
    fprintf(file, "%ls\n", wide);
    fprintf(file, form, 1);
    if (asprintf((char **)allocated, "%s", copied) < 0)
        abort();
    fprintf(file, "%d%n\n", 1, (int *)stored);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    out[4] = out_list[4] = stream[4] = stream_list[4] = descriptor[4] = into[4] = into_n[4] = 'x';
    precise[2] = given[2] = numbered[4] = third[4] = copied[4] = format[4] = 'x';
    wide[4] = L'x';
    USE(allocated[1] + stored[0]);
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
