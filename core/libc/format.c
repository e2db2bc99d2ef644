/*
 * format.c - formatted text: the printf family. It reads the format and the texts among the
 * arguments, of which a precision limits how much is read.
 *
 * Other threads may run between two texts, and memory may have changed by the time libc formats
 * them: an engine that holds the contents of memory (access.h) gets copies of them printed.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/sys.h"
#include "core/libc/access.h"
#include "core/libc/format.h"

typedef const struct sm_site *site_t;

/* ---- conversions ---- */

/* What a conversion takes from the arguments. */
enum taken {
    TAKES_NOTHING,
    TAKES_WORD,
    TAKES_DOUBLE,
    TAKES_LONG_DOUBLE,
    TAKES_TEXT,
    TAKES_WIDE_TEXT,
    TAKES_COUNT, /* %n stores it */
    TAKES_UNKNOWN
};

struct conversion {
    enum taken taken;
    unsigned argument;
    size_t size;                 /* of what %n stores */
    long precision;              /* -1: none */
    unsigned precision_argument; /* if that is an argument, else NO_ARGUMENT */
};

union argument {
    uint64_t word;
    double real;
    long double wide;
};

/* More than any program has, so that the tables have a fixed size: see `unknown`. */
enum { ARGUMENTS = 32, NO_ARGUMENT = ARGUMENTS };

struct taken_arguments {
    unsigned n;
    bool unknown; /* too many, or a conversion of the program's own: texts are not looked at */
    uint8_t taken[ARGUMENTS];
    union argument values[ARGUMENTS];
    unsigned n_pointers;
    struct conversion pointers[ARGUMENTS]; /* those by which memory is read or written */
};

/* A place in a format. */
struct format_cursor {
    const char *at;
    unsigned next; /* the next argument that has no number */
};

static void note(struct taken_arguments *all, unsigned argument, enum taken taken)
{
    all->unknown |= argument >= ARGUMENTS || taken == TAKES_UNKNOWN;
    if (all->unknown)
        return;
    while (all->n <= argument)
        all->taken[all->n++] = TAKES_WORD; /* as libc does with one that is not used */
    all->taken[argument] = (uint8_t)taken;
}

static unsigned number(const char **at)
{
    unsigned n = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        n = n * 10 + (unsigned)(**at - '0');
    return n;
}

/* "3$" is the argument 2; NO_ARGUMENT: there is no such number. */
static unsigned numbered(const char **at)
{
    const char *end = *at;
    unsigned n = number(&end);
    if (end == *at || *end != '$')
        return NO_ARGUMENT;
    *at = end + 1;
    return n && n <= ARGUMENTS ? n - 1 : NO_ARGUMENT;
}

static unsigned argument_at(struct format_cursor *cursor, unsigned given)
{
    return given != NO_ARGUMENT ? given : cursor->next++;
}

/* A width or a precision; `*argument` is where it is given. */
static long read_extent(struct format_cursor *cursor, struct taken_arguments *all,
                        unsigned *argument)
{
    *argument = NO_ARGUMENT;
    if (*cursor->at != '*')
        return (long)number(&cursor->at);
    cursor->at++;
    *argument = argument_at(cursor, numbered(&cursor->at));
    note(all, *argument, TAKES_WORD);
    return 0;
}

static enum taken taken_by(char letter, char modifier)
{
    static const char words[] = "dioubBxXcCp", reals[] = "aAeEfFgG";
    if (!letter)
        return TAKES_UNKNOWN;
    if (strchr(words, letter))
        return TAKES_WORD;
    if (strchr(reals, letter))
        return modifier == 'L' ? TAKES_LONG_DOUBLE : TAKES_DOUBLE;
    switch (letter) {
    case 's':
        return modifier == 'l' ? TAKES_WIDE_TEXT : TAKES_TEXT;
    case 'S':
        return TAKES_WIDE_TEXT;
    case 'n':
        return TAKES_COUNT;
    case 'm':
    case '%':
        return TAKES_NOTHING;
    default:
        return TAKES_UNKNOWN;
    }
}

/* False: there are no more, or they are not known. */
static bool next_conversion(struct format_cursor *cursor, struct taken_arguments *all,
                            struct conversion *found)
{
    unsigned width;
    cursor->at = strchrnul(cursor->at, '%');
    if (!*cursor->at)
        return false;
    cursor->at++;
    unsigned given = numbered(&cursor->at);
    cursor->at += strspn(cursor->at, "-+ #0'I");
    read_extent(cursor, all, &width);
    *found = (struct conversion){.precision = -1, .precision_argument = NO_ARGUMENT};
    if (*cursor->at == '.') {
        cursor->at++;
        found->precision = read_extent(cursor, all, &found->precision_argument);
    }
    const char *modifier = cursor->at;
    size_t n = strspn(modifier, SM_SIZE_LETTERS);
    cursor->at += n;
    found->size = sm_format_integer(modifier, n);
    found->taken = taken_by(*cursor->at, n ? *modifier : 0);
    if (found->taken != TAKES_NOTHING) {
        found->argument = argument_at(cursor, given);
        note(all, found->argument, found->taken);
    }
    cursor->at += *cursor->at != 0;
    return !all->unknown;
}

/* ---- arguments ---- */

static void fetch(struct taken_arguments *all, va_list list)
{
    for (unsigned i = 0; i < all->n; i++) {
        if (all->taken[i] == TAKES_LONG_DOUBLE)
            all->values[i].wide = va_arg(list, long double);
        else if (all->taken[i] == TAKES_DOUBLE)
            all->values[i].real = va_arg(list, double);
        else
            all->values[i].word = va_arg(list, uint64_t); /* its upper half may be undefined */
    }
}

static bool is_pointer(const struct conversion *conversion)
{
    return conversion->taken == TAKES_TEXT || conversion->taken == TAKES_WIDE_TEXT ||
           conversion->taken == TAKES_COUNT;
}

static void read_arguments(struct taken_arguments *all, const char *format, va_list list)
{
    struct format_cursor cursor = {format, 0};
    struct conversion conversion;
    all->n = all->n_pointers = 0;
    all->unknown = false;
    while (next_conversion(&cursor, all, &conversion)) {
        if (is_pointer(&conversion) && all->n_pointers < ARGUMENTS)
            all->pointers[all->n_pointers++] = conversion;
        else if (is_pointer(&conversion))
            all->unknown = true;
    }
    if (all->unknown)
        all->n_pointers = 0;
    else if (all->n_pointers)
        fetch(all, list);
}

/* ---- what a call reads and writes ---- */

enum { ARGUMENT_WORDS = 2 * ARGUMENTS };

struct looked_format {
    const char *format;
    va_list list; /* of the arguments to print */
    struct sm_looked_at seen;
    struct taken_arguments all;
    char kept[SM_LOOKED_AT]; /* copies of texts */
    size_t n_kept;
    uint64_t words[ARGUMENT_WORDS] __attribute__((aligned(16)));
};

static size_t limit_of(const struct conversion *conversion, const struct taken_arguments *all)
{
    long limit = conversion->precision;
    if (conversion->precision_argument != NO_ARGUMENT)
        limit = (int)all->values[conversion->precision_argument].word;
    return limit < 0 ? SIZE_MAX : (size_t)limit;
}

/* Returns what is to be printed: a copy of it, if there is room. */
static const char *read_text(struct looked_format *look, const char *text, size_t limit,
                             site_t site)
{
    struct sm_looked_at seen;
    const char *read = sm_read_string(&seen, text, limit, site);
    if (read != seen.bytes || look->n_kept + seen.n >= SM_LOOKED_AT)
        return text;
    char *kept = look->kept + look->n_kept;
    memcpy(kept, read, seen.n + 1);
    look->n_kept += seen.n + 1;
    return kept;
}

/* The limit counts bytes: of characters outside of ASCII some may not be read. */
static void read_wide_text(const wchar_t *text, size_t limit, site_t site)
{
    for (size_t n = 0; n < limit; n++) {
        sm_reads(&text[n], sizeof *text, site);
        if (!text[n])
            return;
    }
}

/* A va_list of x86-64 whose registers are used up takes all arguments from memory. */
static void make_list(struct looked_format *look, const union argument *values)
{
    enum { GENERAL_END = 48, ALL_END = 176 };
    size_t n = 0;
    for (unsigned i = 0; i < look->all.n; i++) {
        bool wide = look->all.taken[i] == TAKES_LONG_DOUBLE;
        n += wide && n % 2;
        memcpy(&look->words[n], &values[i], wide ? sizeof values[i].wide : sizeof values[i].word);
        n += wide ? 2 : 1;
    }
    look->list->gp_offset = GENERAL_END;
    look->list->fp_offset = ALL_END;
    look->list->overflow_arg_area = look->words;
    look->list->reg_save_area = NULL;
}

/* A text that an earlier conversion has read as well is not read again: verify takes two equal
   reads for an iteration of a loop that waits. Returns the argument of that one; NO_ARGUMENT: none
   has. */
static unsigned read_before(const struct taken_arguments *all, unsigned nth)
{
    const struct conversion *one = &all->pointers[nth];
    for (unsigned i = 0; i < nth; i++) {
        const struct conversion *before = &all->pointers[i];
        if (before->taken == one->taken && limit_of(before, all) == limit_of(one, all) &&
            all->values[before->argument].word == all->values[one->argument].word)
            return before->argument;
    }
    return NO_ARGUMENT;
}

static void read_texts(struct looked_format *look, site_t site)
{
    union argument shown[ARGUMENTS];
    memcpy(shown, look->all.values, look->all.n * sizeof *shown);
    for (unsigned i = 0; i < look->all.n_pointers; i++) {
        const struct conversion *conversion = &look->all.pointers[i];
        uint64_t text = look->all.values[conversion->argument].word;
        size_t limit = limit_of(conversion, &look->all);
        unsigned before = read_before(&look->all, i);
        if (before != NO_ARGUMENT)
            shown[conversion->argument] = shown[before];
        else if (text && conversion->taken == TAKES_TEXT)
            shown[conversion->argument].word =
                (uint64_t)read_text(look, (const char *)text, limit, site);
        else if (text && conversion->taken == TAKES_WIDE_TEXT)
            read_wide_text((const wchar_t *)text, limit, site);
    }
    if (sm_range_by_bytes())
        make_list(look, shown);
}

/* Before the call. */
static void look_at(struct looked_format *look, const char *format, va_list list, site_t site)
{
    va_list again;
    look->format = sm_read_string(&look->seen, format, SIZE_MAX, site);
    look->n_kept = 0;
    va_copy(look->list, list);
    va_copy(again, list);
    read_arguments(&look->all, look->format, again);
    va_end(again);
    if (look->all.n_pointers)
        read_texts(look, site);
}

/* After it. */
static void counts_written(const struct looked_format *look, site_t site)
{
    for (unsigned i = 0; i < look->all.n_pointers; i++) {
        const struct conversion *conversion = &look->all.pointers[i];
        if (conversion->taken == TAKES_COUNT)
            sm_wrote((void *)look->all.values[conversion->argument].word, conversion->size, site);
    }
}

/* ---- into memory ---- */

enum { FORMATTED = 1024 };
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list);

/* Like __vsnprintf_chk: `room` is the size of the buffer as known to the compiler; libc aborts if
   `size` exceeds it. Longer texts are written by libc itself, and reported afterwards. */
static int write_text(char *to, size_t size, int flag, size_t room, struct looked_format *look,
                      site_t site)
{
    char text[FORMATTED];
    va_list again;
    va_copy(again, look->list);
    int n = __vsnprintf_chk(text, sizeof text, flag, sizeof text, look->format, again);
    va_end(again);
    if (n < 0 || !size)
        return n;
    size_t length = (size_t)n < size ? (size_t)n + 1 : size;
    if (length <= room && (size_t)n < sizeof text) {
        text[length - 1] = 0;
        sm_writes(to, text, length, site);
        return n;
    }
    n = __vsnprintf_chk(to, size, flag, room, look->format, look->list);
    sm_wrote(to, length, site);
    return n;
}

static int format_to(char *to, size_t size, int flag, size_t room, const char *format,
                     va_list arguments, site_t site)
{
    struct looked_format look;
    look_at(&look, format, arguments, site);
    int n = write_text(to, size, flag, room, &look, site);
    counts_written(&look, site);
    return n;
}

SM_EXPORT int sm_lib_vsprintf(char *to, const char *format, va_list arguments, site_t site)
{
    return format_to(to, INT_MAX, 0, SIZE_MAX, format, arguments, site);
}

SM_EXPORT int sm_lib_vsnprintf(char *to, size_t size, const char *format, va_list arguments,
                               site_t site)
{
    return format_to(to, size, 0, SIZE_MAX, format, arguments, site);
}

SM_EXPORT int sm_lib___vsprintf_chk(char *to, int flag, size_t room, const char *format,
                                    va_list arguments, site_t site)
{
    return format_to(to, INT_MAX, flag, room, format, arguments, site);
}

SM_EXPORT int sm_lib___vsnprintf_chk(char *to, size_t size, int flag, size_t room,
                                     const char *format, va_list arguments, site_t site)
{
    return format_to(to, size, flag, room, format, arguments, site);
}

/* Where the number of arguments varies the site comes first. */
#define WITH_ARGUMENTS(name, parameters, ...)                                                      \
    SM_EXPORT int sm_lib_##name parameters                                                         \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int n = format_to(__VA_ARGS__, format, arguments, site);                                   \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    }
WITH_ARGUMENTS(sprintf, (site_t site, char *to, const char *format, ...), to, INT_MAX, 0, SIZE_MAX)
WITH_ARGUMENTS(snprintf, (site_t site, char *to, size_t size, const char *format, ...), to, size, 0,
               SIZE_MAX)
WITH_ARGUMENTS(__sprintf_chk,
               (site_t site, char *to, int flag, size_t room, const char *format, ...), to, INT_MAX,
               flag, room)
WITH_ARGUMENTS(__snprintf_chk,
               (site_t site, char *to, size_t size, int flag, size_t room, const char *format, ...),
               to, size, flag, room)

/* ---- into streams and descriptors, or memory that libc allocates ---- */

int __vprintf_chk(int flag, const char *format, va_list list);
int __vfprintf_chk(FILE *out, int flag, const char *format, va_list list);
int __vdprintf_chk(int out, int flag, const char *format, va_list list);
int __vasprintf_chk(char **out, int flag, const char *format, va_list list);

/* The text that libc has allocated, and the pointer to it. */
static void is_allocated(int n, char *const *to, site_t site)
{
    if (n < 0)
        return;
    sm_wrote(*to, (size_t)n + 1, site);
    sm_wrote(to, sizeof *to, site);
}

/* Defines sm_lib_ for `name(passed..., format, ...)` and for `vname`, the same with a va_list. */
#define PLAIN(...) __VA_ARGS__
#define FORMATTING(name, vname, parameters, passed, written)                                       \
    SM_EXPORT int sm_lib_##vname(PLAIN parameters const char *format, va_list list, site_t site)   \
    {                                                                                              \
        struct looked_format look;                                                                 \
        look_at(&look, format, list, site);                                                        \
        int n = vname(PLAIN passed look.format, look.list);                                        \
        counts_written(&look, site);                                                               \
        written;                                                                                   \
        return n;                                                                                  \
    }                                                                                              \
    SM_EXPORT int sm_lib_##name(site_t site, PLAIN parameters const char *format, ...)             \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int n = sm_lib_##vname(PLAIN passed format, list, site);                                   \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }
FORMATTING(printf, vprintf, (), (), )
FORMATTING(__printf_chk, __vprintf_chk, (int flag, ), (flag, ), )
FORMATTING(fprintf, vfprintf, (FILE * out, ), (out, ), )
FORMATTING(__fprintf_chk, __vfprintf_chk, (FILE * out, int flag, ), (out, flag, ), )
FORMATTING(dprintf, vdprintf, (int out, ), (out, ), )
FORMATTING(__dprintf_chk, __vdprintf_chk, (int out, int flag, ), (out, flag, ), )
FORMATTING(asprintf, vasprintf, (char **out, ), (out, ), is_allocated(n, out, site))
FORMATTING(__asprintf_chk, __vasprintf_chk, (char **out, int flag, ), (out, flag, ),
           is_allocated(n, out, site))
