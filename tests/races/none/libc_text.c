// no race
/* Of text and blocks of memory only what decides is read: the bytes behind may be written, and what
   does not match is not stored. */
#define _GNU_SOURCE
#include "../race.h"
#include <regex.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

char either[8] = "hello", either_n[8] = "hello", order[8] = "hello", span[8] = "hello";
char to_any[8] = "hello", any[8] = "hello", found[8] = "hello", block[8] = "hello";
char backwards[8] = "hello", matched[8] = "hello";
char tokens[8] = "a b", parts[8] = "a,b", doubled[8] = "hello", copied[8] = "he", copy[8];
char zeroed[8], keyed[32], key[8] = "he";
wchar_t wide[8] = L"he", wide_of[8];
static regmatch_t matches[2];
static regex_t expression;

static void *a(void *unused)
{
    char *saved, *rest = parts;
    USE(strcasecmp(either, "HEX"));
    USE(strncasecmp(either_n, "HELLO", 3));
    USE(strcoll(order, "hello"));
    USE(strspn(span, "eh"));
    USE(strcspn(to_any, "l"));
    USE(strpbrk(any, "l"));
    USE(strcasestr(found, "EL"));
    USE(memmem(block, sizeof block, "el", 2));
    USE(memrchr(backwards, 'l', 5));
    USE(strtok_r(tokens, " ", &saved));
    USE(strsep(&rest, ","));
    USE(strndup(doubled, 3));
    USE(stpcpy(copy, copied));
    USE(wcslen(wide));
    USE(regexec(&expression, matched, 2, matches, 0));
    USE(strxfrm(keyed, key, 1));
    USE(mbstowcs(wide_of, key, 2));
    bzero(zeroed, 4);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    either[3] = either_n[3] = order[6] = span[3] = to_any[3] = any[3] = found[3] = 'x';
    block[3] = backwards[2] = matched[6] = key[3] = zeroed[4] = keyed[1] = 'x';
    tokens[2] = parts[2] = doubled[3] = copied[3] = copy[3] = 'x';
    wide[3] = wide_of[2] = L'x';
    matches[0].rm_so = 1;
    return unused;
}

int main(void)
{
    if (regcomp(&expression, "none", 0) != 0)
        abort();
    run(a, b);
    return 0;
}
