/*
 * sys.h - what the runtime uses instead of libc inside the program.
 *
 * The runtime must never call what it intercepts, nor anything that may call back into the user's
 * allocator or locks. So it has its own system calls, memory, formatting and assertions, and of
 * libc uses only pure functions of their arguments (memcpy, memset, memcmp, strlen, strcmp).
 */
#ifndef SM_BASE_SYS_H
#define SM_BASE_SYS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define SM_EXPORT __attribute__((visibility("default")))
#define SM_UNUSED __attribute__((unused))
#define SM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SM_LIKELY(x) __builtin_expect(!!(x), 1)
#define SM_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Enabled in release builds, too: a wrong verdict costs more than a stopped run. Ends the execution
   as SM_END_ERROR with the text in the control block. */
#define SM_ASSERT(cond)                                                                            \
    do {                                                                                           \
        if (SM_UNLIKELY(!(cond)))                                                                  \
            sm_die("%s:%d: %s: '%s' does not hold", __FILE__, __LINE__, __func__, #cond);          \
    } while (0)

/* Exit statuses, like the driver's (base/status.h), for a program that is started without it. */
enum { SM_EXIT_REFUSED = 3, SM_EXIT_ERROR = 70 };

/* Reports a bug of Stalemate. */
_Noreturn void sm_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The program cannot be run: a limit, another version. The text says what to do. */
_Noreturn void sm_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Raw system call: result, or -errno. Never touches errno. */
long sm_syscall(long number, ...);

/* Writes at most size-1 characters and a NUL; returns the number written.
   Knows %s %c %d %u %x %lu %lx %ld %zu %p %% and %.*s, and field widths; nothing else. */
size_t sm_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
size_t sm_vformat(char *to, size_t size, const char *format, va_list args);

/* A line on standard error, prefixed "stalemate: ". */
void sm_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The runtime's own memory: zeroed, never returned to the system. sm_free makes a block available
   to later sm_alloc calls of the same size class. */
void *sm_alloc(size_t size);
void sm_free(void *block, size_t size);
/* Doubles an array: returns a copy with twice the room (`first` if there was none), the new part
   zeroed; frees the old one. */
static inline void *sm_alloc_larger(void *items, uint32_t *room, uint32_t first, size_t size)
{
    uint32_t larger = *room ? 2 * *room : first;
    void *copy = sm_alloc(larger * size);
    if (*room) {
        __builtin_memcpy(copy, items, *room * size);
        sm_free(items, *room * size);
    }
    *room = larger;
    return copy;
}
/* Saves the state of sm_alloc, and restores it: everything allocated since is gone, whatever
   happened to our data in between (restart.h). */
struct sm_alloc_state {
    uintptr_t bump, bump_end;
    void *free_blocks[48];
};
struct sm_alloc_state sm_alloc_save(void);
void sm_alloc_restore(const struct sm_alloc_state *saved, const struct sm_alloc_state *now);
/* For large tables that most executions do not change: an execution that restarts (restart.h)
   restores only the pages named by sm_seldom_touch, to be called before each write. Comparing all
   of them each time took a third of a small execution's 4.7 us. */
#define SM_SELDOM __attribute__((section("sm_seldom")))
enum { SM_SELDOM_PAGE = 4096, SM_SELDOM_PAGES = 256 };
extern char __start_sm_seldom[] __attribute__((visibility("hidden")));
extern bool sm_seldom_touched[SM_SELDOM_PAGES];
static inline void sm_seldom_touch(const void *at, size_t size)
{
    size_t first = (size_t)((const char *)at - __start_sm_seldom);
    for (size_t page = first / SM_SELDOM_PAGE; page <= (first + size - 1) / SM_SELDOM_PAGE; page++)
        if (!sm_seldom_touched[page]) /* threads of the detect flavour share it */
            sm_seldom_touched[page] = true;
}
/* Whole pages at a fixed address, or anywhere if `at` is NULL. Dies on failure. */
void *sm_map(void *at, size_t size);

#endif
