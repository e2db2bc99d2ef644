/*
 * string.c - library functions on strings and blocks of memory, numbers in text, error messages.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/sys.h"
#include "core/libc/access.h"

typedef const struct sm_site *site_t;

/* What two operands are: blocks, strings, or strings whose letters may be of either case. */
enum operands { ON_BLOCKS, ON_STRINGS, ON_LETTERS };

static int letter(char byte, enum operands operands)
{
    return operands == ON_LETTERS ? tolower((unsigned char)byte) : (unsigned char)byte;
}

static bool has_zero(uint64_t word)
{
    return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

/* May a word be loaded there though the string may end before? It does not leave the page. */
static bool is_word_there(const char *at)
{
    enum { TEXT_PAGE = 4096 };
    return (uintptr_t)at % TEXT_PAGE <= TEXT_PAGE - sizeof(uint64_t);
}

/* Are the next eight bytes the same, and do both operands go on behind them? Byte by byte a
   comparison of pages took 8 times as long as under ThreadSanitizer, one of strings twice. */
static inline bool same_word(const char *a, const char *b, enum operands operands)
{
    uint64_t x, y;
    if (operands == ON_LETTERS ||
        (operands == ON_STRINGS && !(is_word_there(a) && is_word_there(b))))
        return false;
    __builtin_memcpy(&x, a, sizeof x);
    __builtin_memcpy(&y, b, sizeof y);
    return x == y && (operands == ON_BLOCKS || !has_zero(x));
}

/* For each kind of operands a loop of its own: it is half of a comparison's time. */
#define SPECIALISED static inline __attribute__((always_inline))

/* Bytes of each up to and including the first difference. */
SPECIALISED size_t common_extent(const char *a, const char *b, size_t limit, enum operands operands)
{
    size_t n = 0;
    while (n < limit) {
        if (limit - n >= sizeof(uint64_t) && same_word(a + n, b + n, operands)) {
            n += sizeof(uint64_t);
            continue;
        }
        if (letter(a[n], operands) != letter(b[n], operands) || (!a[n] && operands != ON_BLOCKS))
            return n + 1;
        n++;
    }
    return limit;
}

/* The position in memory of what was found in the text. */
static char *place_in(const char *s, const char *text, const char *found)
{
    return found ? (char *)s + (found - text) : NULL;
}

/* Both up to and including the first difference, which is returned. */
SPECIALISED int read_both(const char *a, const char *b, size_t limit, enum operands operands,
                          site_t site)
{
    struct sm_looked_at left, right;
    sm_look_begin(&left, a);
    sm_look_begin(&right, b);
    if (!sm_range_by_bytes()) {
        size_t n = common_extent(a, b, limit, operands);
        sm_reads(a, n, site);
        sm_also_reads(b, n, site);
        return n ? letter(a[n - 1], operands) - letter(b[n - 1], operands) : 0;
    }
    while (left.n < limit) {
        char x = sm_look_on(&left, site);
        int difference = letter(x, operands) - letter(sm_look_on(&right, site), operands);
        if (difference || (operands != ON_BLOCKS && !x))
            return difference;
    }
    return 0;
}

SM_EXPORT int sm_lib_memcmp(const void *a, const void *b, size_t size, site_t site)
{
    return read_both(a, b, size, ON_BLOCKS, site);
}

/* What clang makes of memcmp, strncmp and strcmp that are only compared with 0. */
SM_EXPORT int sm_lib_bcmp(const void *a, const void *b, size_t size, site_t site)
{
    return sm_lib_memcmp(a, b, size, site);
}

SM_EXPORT void *sm_lib_memchr(const void *s, int c, size_t size, site_t site)
{
    struct sm_looked_at seen;
    const char *text = sm_read_to(&seen, s, (char)c, size, site);
    return place_in(s, text, memchr(text, c, sm_range_by_bytes() ? seen.n : size));
}

SM_EXPORT size_t sm_lib_strlen(const char *s, site_t site)
{
    struct sm_looked_at seen;
    return strlen(sm_read_string(&seen, s, SIZE_MAX, site));
}

SM_EXPORT size_t sm_lib_strnlen(const char *s, size_t limit, site_t site)
{
    struct sm_looked_at seen;
    return strnlen(sm_read_string(&seen, s, limit, site), limit);
}

SM_EXPORT int sm_lib_strcmp(const char *a, const char *b, site_t site)
{
    return read_both(a, b, SIZE_MAX, ON_STRINGS, site);
}

SM_EXPORT int sm_lib_strncmp(const char *a, const char *b, size_t limit, site_t site)
{
    return read_both(a, b, limit, ON_STRINGS, site);
}

SM_EXPORT int sm_lib_strcasecmp(const char *a, const char *b, site_t site)
{
    return read_both(a, b, SIZE_MAX, ON_LETTERS, site);
}

SM_EXPORT int sm_lib_strncasecmp(const char *a, const char *b, size_t limit, site_t site)
{
    return read_both(a, b, limit, ON_LETTERS, site);
}

SM_EXPORT int sm_lib_strcoll(const char *a, const char *b, site_t site)
{
    struct sm_looked_at left, right;
    const char *first = sm_read_string(&left, a, SIZE_MAX, site);
    return strcoll(first, sm_read_string(&right, b, SIZE_MAX, site));
}

/* Returns the end of the copy. */
SM_EXPORT char *sm_lib_stpcpy(char *to, const char *from, site_t site)
{
    struct sm_looked_at seen;
    const char *text = sm_read_string(&seen, from, SIZE_MAX, site);
    size_t length = strlen(text);
    sm_writes(to, text, length + 1, site);
    return to + length;
}

SM_EXPORT char *sm_lib_strcpy(char *to, const char *from, site_t site)
{
    sm_lib_stpcpy(to, from, site);
    return to;
}

SM_EXPORT char *sm_lib_strncpy(char *to, const char *from, size_t size, site_t site)
{
    struct sm_looked_at seen;
    const char *text = sm_read_string(&seen, from, size, site);
    sm_writes_padded(to, text, strnlen(text, size), size, site);
    return to;
}

SM_EXPORT char *sm_lib_strncat(char *to, const char *from, size_t limit, site_t site)
{
    struct sm_looked_at end, seen;
    size_t length = strlen(sm_read_string(&end, to, SIZE_MAX, site));
    const char *text = sm_read_string(&seen, from, limit, site);
    size_t n = strnlen(text, limit);
    sm_writes_padded(to + length, text, n, n + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strcat(char *to, const char *from, site_t site)
{
    return sm_lib_strncat(to, from, SIZE_MAX, site);
}

/* Up to the first of c and the end. */
static const char *read_to_either(struct sm_looked_at *seen, const char *s, char c, site_t site)
{
    sm_look_begin(seen, s);
    if (!sm_range_by_bytes()) {
        sm_reads(s, (size_t)(strchrnul(s, c) - s) + 1, site);
        return s;
    }
    for (char byte = sm_look_on(seen, site); byte && byte != c;)
        byte = sm_look_on(seen, site);
    return sm_look_text(seen);
}

SM_EXPORT char *sm_lib_strchr(const char *s, int c, site_t site)
{
    struct sm_looked_at seen;
    const char *text = read_to_either(&seen, s, (char)c, site);
    return place_in(s, text, strchr(text, c));
}

SM_EXPORT char *sm_lib_strrchr(const char *s, int c, site_t site)
{
    struct sm_looked_at seen;
    const char *text = sm_read_string(&seen, s, SIZE_MAX, site);
    return place_in(s, text, strrchr(text, c));
}

/* The byte that ends a span belongs to it. */
struct span {
    size_t length;
    char end;
};

/* The bytes of s that are in the set, which has been read, or that are not, and the one that
   follows. */
static struct span read_span(const char *s, const char *set, bool in_set, site_t site)
{
    struct sm_looked_at seen;
    if (!sm_range_by_bytes()) {
        size_t length = in_set ? strspn(s, set) : strcspn(s, set);
        sm_reads(s, length + 1, site);
        return (struct span){length, s[length]};
    }
    sm_look_begin(&seen, s);
    for (;;) {
        char byte = sm_look_on(&seen, site);
        if (!byte || (strchr(set, byte) != NULL) != in_set)
            return (struct span){seen.n - 1, byte};
    }
}

static struct span read_both_spans(const char *s, const char *set, bool in_set, site_t site)
{
    struct sm_looked_at members;
    return read_span(s, sm_read_string(&members, set, SIZE_MAX, site), in_set, site);
}

SM_EXPORT size_t sm_lib_strspn(const char *s, const char *accepted, site_t site)
{
    return read_both_spans(s, accepted, true, site).length;
}

SM_EXPORT size_t sm_lib_strcspn(const char *s, const char *rejected, site_t site)
{
    return read_both_spans(s, rejected, false, site).length;
}

SM_EXPORT char *sm_lib_strpbrk(const char *s, const char *wanted, site_t site)
{
    struct span before = read_both_spans(s, wanted, false, site);
    return before.end ? (char *)s + before.length : NULL;
}

/* Ends the token at a byte of the set, if one follows its bytes. Returns where the rest begins. */
static char *cut_token(char *from, struct span token, site_t site)
{
    char *end = from + token.length;
    if (!token.end)
        return NULL;
    sm_writes(end, "", 1, site);
    return end + 1;
}

/* No byte is read twice: verify takes two equal reads for an iteration of a loop that waits. */
SM_EXPORT char *sm_lib_strtok_r(char *s, const char *set, char **save, site_t site)
{
    struct sm_looked_at members;
    const char *wanted = sm_read_string(&members, set, SIZE_MAX, site);
    if (!s)
        sm_read_struct(&s, save, sizeof s, site);
    struct span skipped = read_span(s, wanted, true, site), others = {0, 0};
    char *token = s + skipped.length, *rest = token;
    if (skipped.end) {
        others = read_span(token + 1, wanted, false, site);
        rest = cut_token(token + 1, others, site);
        rest = rest ? rest : token + 1 + others.length;
    }
    sm_writes_struct(save, &rest, sizeof rest, site);
    return skipped.end ? token : NULL;
}

SM_EXPORT char *sm_lib_strsep(char **at, const char *set, site_t site)
{
    char *token;
    sm_read_struct(&token, at, sizeof token, site);
    if (!token)
        return NULL;
    char *rest = cut_token(token, read_both_spans(token, set, false, site), site);
    sm_writes_struct(at, &rest, sizeof rest, site);
    return token;
}

static char *search(const char *s, const char *part, char *find(const char *, const char *),
                    site_t site)
{
    struct sm_looked_at seen, wanted;
    const char *what = sm_read_string(&wanted, part, SIZE_MAX, site);
    if (sm_range_by_bytes()) {
        const char *text = sm_read_string(&seen, s, SIZE_MAX, site);
        return place_in(s, text, find(text, what));
    }
    const char *found = find(s, part);
    sm_also_reads(s, found ? (size_t)(found - s) + strlen(part) : strlen(s) + 1, site);
    return find(s, part);
}

SM_EXPORT char *sm_lib_strstr(const char *s, const char *part, site_t site)
{
    return search(s, part, strstr, site);
}

SM_EXPORT char *sm_lib_strcasestr(const char *s, const char *part, site_t site)
{
    return search(s, part, strcasestr, site);
}

/* Up to and including the first place of the part. */
SM_EXPORT void *sm_lib_memmem(const void *s, size_t size, const void *part, size_t n, site_t site)
{
    struct sm_looked_at seen;
    const char *found = NULL;
    sm_reads(part, n, site);
    if (!sm_range_by_bytes()) {
        found = memmem(s, size, part, n);
        sm_also_reads(s, found ? (size_t)(found - (const char *)s) + n : size, site);
        return (void *)found;
    }
    sm_look_begin(&seen, s);
    while (!(found = memmem(s, seen.n, part, n)) && seen.n < size)
        sm_look_on(&seen, site);
    return (void *)found;
}

/* From the end down to the last place of the byte. */
SM_EXPORT void *sm_lib_memrchr(const void *s, int c, size_t size, site_t site)
{
    const char *from = s, *found = memrchr(s, c, size);
    if (!sm_range_by_bytes()) {
        from = found ? found : from;
        sm_reads(from, (size_t)((const char *)s + size - from), site);
        return (void *)found;
    }
    for (size_t i = size; i-- > 0;) {
        sm_reads(from + i, 1, site);
        if (from[i] == (char)c)
            return (void *)(from + i);
    }
    return NULL;
}

SM_EXPORT char *sm_lib_strndup(const char *s, size_t limit, site_t site)
{
    struct sm_looked_at seen;
    char *copy = strndup(sm_read_string(&seen, s, limit, site), limit);
    if (copy)
        sm_wrote(copy, strlen(copy) + 1, site);
    return copy;
}

SM_EXPORT void sm_lib_bzero(void *to, size_t size, site_t site)
{
    sm_writes_padded(to, "", 0, size, site);
}

SM_EXPORT void sm_lib_explicit_bzero(void *to, size_t size, site_t site)
{
    sm_lib_bzero(to, size, site);
}

/* What is longer than the room is left undefined. */
SM_EXPORT size_t sm_lib_strxfrm(char *to, const char *from, size_t size, site_t site)
{
    struct sm_looked_at seen;
    size_t n = strxfrm(to, sm_read_string(&seen, from, SIZE_MAX, site), size);
    sm_wrote(to, n < size ? n + 1 : size, site);
    return n;
}

/* ---- wide characters ---- */

SM_EXPORT size_t sm_lib_wcslen(const wchar_t *s, site_t site)
{
    size_t n = 0;
    if (!sm_range_by_bytes()) {
        n = wcslen(s);
        sm_reads(s, (n + 1) * sizeof *s, site);
        return n;
    }
    for (;; n++) {
        sm_reads(&s[n], sizeof *s, site);
        if (!s[n])
            return n;
    }
}

/* Where the room ends before the string it has read a byte for each character, at least. */
SM_EXPORT size_t sm_lib_mbstowcs(wchar_t *to, const char *from, size_t room, site_t site)
{
    struct sm_looked_at seen;
    sm_read_string(&seen, from, to ? room : SIZE_MAX, site);
    size_t n = mbstowcs(to, from, room);
    if (to && n != (size_t)-1)
        sm_wrote(to, (n < room ? n + 1 : room) * sizeof *to, site);
    return n;
}

SM_EXPORT char *sm_lib_strdup(const char *s, site_t site)
{
    return sm_lib_strndup(s, SIZE_MAX, site);
}

/* ---- output, numbers in text, error messages ---- */

SM_EXPORT int sm_lib_puts(const char *s, site_t site)
{
    struct sm_looked_at seen;
    return puts(sm_read_string(&seen, s, SIZE_MAX, site));
}

SM_EXPORT int sm_lib_fputs(const char *s, FILE *file, site_t site)
{
    struct sm_looked_at seen;
    return fputs(sm_read_string(&seen, s, SIZE_MAX, site), file);
}

SM_EXPORT void sm_lib_perror(const char *s, site_t site)
{
    struct sm_looked_at seen;
    perror(s ? sm_read_string(&seen, s, SIZE_MAX, site) : NULL);
}

/* The end of a number is known once it has been read, including the first byte behind it. */
#define NUMBER(name, type, parameters, ...)                                                        \
    SM_EXPORT type sm_lib_##name(const char *s, char **end, parameters site_t site)                \
    {                                                                                              \
        struct sm_looked_at seen;                                                                  \
        char *stop;                                                                                \
        name(s, &stop, ##__VA_ARGS__);                                                             \
        const char *text = sm_read_string(&seen, s, (size_t)(stop - s) + 1, site);                 \
        type number = name(text, &stop, ##__VA_ARGS__);                                            \
        char *place = place_in(s, text, stop);                                                     \
        if (end)                                                                                   \
            sm_writes((char *)end, &place, sizeof place, site);                                    \
        return number;                                                                             \
    }
#define BASE int base,
NUMBER(strtol, long, BASE, base)
NUMBER(strtoul, unsigned long, BASE, base)
NUMBER(strtoll, long long, BASE, base)
NUMBER(strtoull, unsigned long long, BASE, base)
NUMBER(strtod, double, )
NUMBER(strtof, float, )

SM_EXPORT int sm_lib_atoi(const char *s, site_t site)
{
    return (int)sm_lib_strtol(s, NULL, 10, site);
}

SM_EXPORT long sm_lib_atol(const char *s, site_t site)
{
    return sm_lib_strtol(s, NULL, 10, site);
}

SM_EXPORT long long sm_lib_atoll(const char *s, site_t site)
{
    return sm_lib_strtoll(s, NULL, 10, site);
}

SM_EXPORT double sm_lib_atof(const char *s, site_t site)
{
    return sm_lib_strtod(s, NULL, site);
}

enum { ERROR_TEXT = 1024 }; /* longer than any message of libc */
int __xpg_strerror_r(int error, char *to, size_t size);

/* The GNU version may return a static text and not use the buffer. */
SM_EXPORT char *sm_lib_strerror_r(int error, char *to, size_t size, site_t site)
{
    char text[ERROR_TEXT];
    char *result = strerror_r(error, text, size < sizeof text ? size : sizeof text);
    if (result != text)
        return result;
    sm_writes(to, text, strlen(text) + 1, site);
    return to;
}

SM_EXPORT int sm_lib___xpg_strerror_r(int error, char *to, size_t size, site_t site)
{
    char text[ERROR_TEXT];
    int result = __xpg_strerror_r(error, text, size < sizeof text ? size : sizeof text);
    if (size)
        sm_writes(to, text, strlen(text) + 1, site);
    return result;
}
