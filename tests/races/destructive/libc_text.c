// race: any[], backwards[], block[], copied[], copy[], digits[], doubled[], either[]
// race: either_n[], erased[], found[], key[], keyed[], large[], matched[], matches[], order[]
// race: parts[], saved, small[], span[], to_any[], tokens[], wide[], wide_of[], zeroed[]
/* Text, wide text and blocks of memory that one thread has read by a call of libc, up to the byte
   that decides, when another writes it; and what such calls write. */
#define _GNU_SOURCE
#include "../race.h"
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

char either[8] = "hello", either_n[8] = "hello", order[8] = "hello", span[8] = "hello";
char to_any[8] = "hello", any[8] = "hello", found[8] = "hello", block[8] = "hello";
char backwards[8] = "hello", matched[8] = "hello", digits[8] = "12";
char tokens[8] = "a b", parts[8] = "a,b", doubled[8] = "hello", copied[8] = "hello", copy[8];
char large[8] = "12", small[8] = "1.5";
char zeroed[8], erased[8], keyed[32], wide_of[64], key[8] = "hello";
char matches[64] __attribute__((aligned(16)));
wchar_t wide[8] = L"hello";
char *saved, *doubles;
static regex_t expression;

static void check(int result)
{
    if (!result)
        abort();
}

static void *a(void *unused)
{
    char *rest = parts;
    USE(strcasecmp(either, "HELLO"));
    USE(strncasecmp(either_n, "HELLO", 5));
    USE(strcoll(order, "hello"));
    USE(strspn(span, "ehlo"));
    USE(strcspn(to_any, "o"));
    USE(strpbrk(any, "o"));
    USE(strcasestr(found, "LO"));
    USE(memmem(block, sizeof block, "lo", 2));
    USE(memrchr(backwards, 'h', 5));
    USE(strtol(digits, NULL, 10));
    USE(strtoull(large, NULL, 10));
    check(atof(small) == 1.5);
    check(strtok_r(tokens, " ", &saved) == tokens);
    check(strsep(&rest, ",") == parts);
    doubles = strndup(doubled, 3);
    check(stpcpy(copy, copied) == copy + 5);
    USE(wcslen(wide));
    USE(regexec(&expression, matched, 1, (regmatch_t *)matches, 0));
    USE(strxfrm(keyed, key, sizeof keyed));
    USE(mbstowcs((wchar_t *)wide_of, "hello", sizeof wide_of / sizeof(wchar_t)));
    bzero(zeroed, sizeof zeroed);
    explicit_bzero(erased, sizeof erased);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    either[4] = either_n[4] = order[4] = span[5] = to_any[4] = any[4] = found[4] = 'x';
    block[4] = backwards[0] = matched[4] = digits[1] = key[4] = 'x';
    tokens[0] = parts[0] = doubled[2] = copied[4] = large[1] = small[2] = 'x';
    saved = NULL;
    wide[4] = L'x';
    USE(copy[4] + tokens[1] + parts[1]);
    USE(zeroed[1] + erased[2] + keyed[0] + wide_of[4] + matches[0]);
    return unused;
}

int main(void)
{
    if (regcomp(&expression, "hello", 0) != 0)
        abort();
    run(a, b);
    return 0;
}
