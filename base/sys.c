#include "base/sys.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/layout.h"

long sm_syscall(long number, ...)
{
    va_list args;
    va_start(args, number);
    long a = va_arg(args, long), b = va_arg(args, long), c = va_arg(args, long);
    register long d __asm__("r10") = va_arg(args, long);
    register long e __asm__("r8") = va_arg(args, long);
    register long f __asm__("r9") = va_arg(args, long);
    va_end(args);
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    return result;
}

bool sm_seldom_touched[SM_SELDOM_PAGES];

/* ---- formatting ---- */

struct sink {
    char *to;
    size_t size, used;
};

static void put(struct sink *sink, char c)
{
    if (sink->used + 1 < sink->size)
        sink->to[sink->used++] = c;
}

static void put_text(struct sink *sink, const char *text, size_t length, int width, bool left)
{
    for (int pad = width - (int)length; !left && pad > 0; pad--)
        put(sink, ' ');
    for (size_t i = 0; i < length; i++)
        put(sink, text[i]);
    for (int pad = width - (int)length; left && pad > 0; pad--)
        put(sink, ' ');
}

static void put_number(struct sink *sink, uint64_t value, bool negative, unsigned base, int width,
                       char fill)
{
    char digits[24];
    size_t n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (negative)
        put(sink, '-');
    for (int pad = width - (int)n - negative; pad > 0; pad--)
        put(sink, fill);
    while (n)
        put(sink, digits[--n]);
}

static void put_string(struct sink *sink, const char *text, int precision, int width, bool left)
{
    if (!text)
        text = "(null)";
    size_t length = precision >= 0 ? strnlen(text, (size_t)precision) : strlen(text);
    put_text(sink, text, length, width, left);
}

/* One conversion: format points after '%'. Returns the position after the conversion. */
static const char *convert(struct sink *sink, const char *format, va_list *args)
{
    bool left = false;
    char fill = ' ';
    int width = 0, precision = -1, longs = 0;
    for (; *format == '-' || *format == '0'; format++) {
        left |= *format == '-';
        fill = *format == '0' ? '0' : fill;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        width = width * 10 + *format - '0';
    if (format[0] == '.' && format[1] == '*') {
        precision = va_arg(*args, int);
        format += 2;
    }
    for (; *format == 'l' || *format == 'z'; format++)
        longs++;
    int64_t number;
    switch (*format) {
    case 's':
        put_string(sink, va_arg(*args, const char *), precision, width, left);
        break;
    case 'c':
        put(sink, (char)va_arg(*args, int));
        break;
    case 'd':
        number = longs ? va_arg(*args, long) : va_arg(*args, int);
        put_number(sink, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0, 10,
                   width, fill);
        break;
    case 'u':
    case 'x':
        put_number(sink, longs ? va_arg(*args, unsigned long) : va_arg(*args, unsigned), false,
                   *format == 'u' ? 10 : 16, width, fill);
        break;
    case 'p':
        put_text(sink, "0x", 2, 0, false);
        put_number(sink, (uintptr_t)va_arg(*args, void *), false, 16, 0, ' ');
        break;
    default:
        put(sink, *format);
    }
    return format + 1;
}

size_t sm_vformat(char *to, size_t size, const char *format, va_list args)
{
    struct sink sink = {to, size, 0};
    va_list copy;
    va_copy(copy, args);
    while (*format) {
        if (*format == '%')
            format = convert(&sink, format + 1, &copy);
        else
            put(&sink, *format++);
    }
    va_end(copy);
    if (size)
        to[sink.used] = 0;
    return sink.used;
}

size_t sm_format(char *to, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t used = sm_vformat(to, size, format, args);
    va_end(args);
    return used;
}

void sm_warn(const char *format, ...)
{
    char line[1024];
    size_t used = sm_format(line, sizeof line, "stalemate: ");
    va_list args;
    va_start(args, format);
    used += sm_vformat(line + used, sizeof line - used - 1, format, args);
    va_end(args);
    line[used++] = '\n';
    sm_syscall(SYS_write, 2L, line, used);
}

/* ---- memory ---- */

void *sm_map(void *at, size_t size)
{
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (at)
        flags |= MAP_FIXED_NOREPLACE;
    long result = sm_syscall(SYS_mmap, at, size, (long)(PROT_READ | PROT_WRITE), flags, -1L, 0L);
    if (result < 0 && result > -4096)
        sm_refuse("cannot map %zu bytes at %p (error %ld); is there a limit on address space? "
                  "try: ulimit -v unlimited",
                  size, at, -result);
    if (at && (void *)result != at)
        sm_die("the kernel put %zu bytes at %p instead of %p", size, (void *)result, at);
    return (void *)result;
}

/* Blocks are powers of two from 16 bytes; a free block's first word links to the next.
   Only the running thread allocates, and before main there is one thread: no lock. */
enum { MIN_CLASS = 4, CHUNK = 1 << 20 };
static struct sm_alloc_state heap = {SM_REGION_RUNTIME, SM_REGION_RUNTIME, {0}};

static unsigned size_class(size_t size)
{
    unsigned class = MIN_CLASS;
    while (((size_t)1 << class) < size)
        class ++;
    return class;
}

/* Blocks of at least a cache line are aligned to one, to avoid false sharing between neighbours. */
static void *bump_alloc(size_t size)
{
    size_t align = size < 64 ? size : 64;
    heap.bump = (heap.bump + align - 1) & ~(align - 1);
    if (heap.bump + size > heap.bump_end) {
        size_t more = (size + CHUNK - 1) & ~(size_t)(CHUNK - 1);
        sm_map((void *)heap.bump_end, more);
        heap.bump_end += more;
    }
    void *block = (void *)heap.bump;
    heap.bump += size;
    return block;
}

void *sm_alloc(size_t size)
{
    unsigned class = size_class(size);
    void **block = heap.free_blocks[class];
    if (!block)
        return bump_alloc((size_t)1 << class);
    heap.free_blocks[class] = *block;
    memset(block, 0, (size_t)1 << class);
    return block;
}

void sm_free(void *block, size_t size)
{
    unsigned class = size_class(size);
    *(void **)block = heap.free_blocks[class];
    heap.free_blocks[class] = block;
}

struct sm_alloc_state sm_alloc_save(void)
{
    return heap;
}

void sm_alloc_restore(const struct sm_alloc_state *saved, const struct sm_alloc_state *now)
{
    heap = *saved;
    heap.bump_end = now->bump_end;
    memset((void *)saved->bump, 0, now->bump - saved->bump);
}
