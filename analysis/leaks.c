#include "analysis/leaks.h"

#include <fcntl.h>
#include <string.h>

#include "abi/sample.h"
#include "base/layout.h"
#include "base/sys.h"
#include "core/libc/callers.h"
#include "runtime/blocks.h"
#include "runtime/control.h"
#include "runtime/harm.h"
#include "runtime/heap.h"
#include "runtime/intercept/keys.h"
#include "runtime/region.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

/* Scanning more takes longer than most executions: then nothing is reported. 64 MiB take 20 ms. */
enum { MOST_SCANNED = 64 << 20 };

/* ---- marking ---- */

/* A live block does not use `freed`: it serves as the mark. */
enum { REACHABLE = 1 };

static struct {
    uintptr_t *all; /* reachable blocks still to be scanned */
    uint32_t n, room;
    size_t bytes; /* scanned so far */
} work;

static void reach(uintptr_t addr)
{
    uintptr_t start;
    size_t size;
    if (SM_LIKELY(!sm_heap_owns((const void *)addr)) ||
        sm_heap_look(addr, &start, &size) != SM_HEAP_LIVE || addr - start > size)
        return;
    struct sm_heap_note *note = sm_heap_note((const void *)start);
    if (note->freed == REACHABLE)
        return;
    note->freed = REACHABLE;
    if (work.n == work.room)
        work.all = sm_alloc_larger(work.all, &work.room, 256, sizeof *work.all);
    work.all[work.n++] = start;
}

static void scan(uintptr_t low, uintptr_t high)
{
    low = (low + 7) & ~7ul;
    if (!low || low >= high)
        return;
    work.bytes += high - low;
    for (; low + 8 <= high && work.bytes <= MOST_SCANNED; low += 8)
        reach(*(const uintptr_t *)low);
}

static void scan_reachable(void)
{
    size_t size;
    while (work.n) {
        uintptr_t start = work.all[--work.n];
        if (sm_heap_query((const void *)start, &size) == SM_HEAP_LIVE)
            scan(start, start + size);
    }
}

/* ---- roots ---- */

static bool is_ours(uintptr_t addr)
{
    uintptr_t start, end;
    sm_region_bounds((uintptr_t)sm_leaks_look, &start, &end);
    return (addr >= start && addr < end) || (addr >= SM_REGION_HEAP && addr < SM_REGION_HEAP_END) ||
           (addr >= SM_REGION_STACK && addr < SM_REGION_MAPS) ||
           (addr >= SM_REGION_RUNTIME && addr < SM_REGION_END) ||
           addr - SM_SAMPLE_BASE < SM_SAMPLE_SIZE;
}

static const char *hexadecimal(const char *text, uintptr_t *value)
{
    for (*value = 0;; text++) {
        if (*text >= '0' && *text <= '9')
            *value = *value << 4 | (uintptr_t)(*text - '0');
        else if (*text >= 'a' && *text <= 'f')
            *value = *value << 4 | (uintptr_t)(*text - 'a' + 10);
        else
            return text;
    }
}

/* "low-high rw-p ...": private writable memory. */
static void scan_mapping(const char *line)
{
    uintptr_t low, high;
    const char *rights = hexadecimal(hexadecimal(line, &low) + 1, &high) + 1;
    if (rights[0] == 'r' && rights[1] == 'w' && rights[3] == 'p' && !is_ours(low))
        scan(low, high);
}

static void scan_mappings(void)
{
    char buffer[8192];
    size_t n = 0;
    long more, file = sm_syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/maps", (long)O_RDONLY);
    while (file >= 0 &&
           (more = sm_syscall(SYS_read, file, buffer + n, sizeof buffer - 1 - n)) > 0) {
        n += (size_t)more;
        buffer[n] = 0;
        char *line = buffer;
        for (char *end; (end = strchr(line, '\n')); line = end + 1)
            scan_mapping(line);
        n = (size_t)(buffer + n - line);
        memmove(buffer, line, n);
    }
    sm_syscall(SYS_close, file);
}

/* From the runtime's frames on, which hold its registers, to the end, where thread-local storage
   is. */
static void scan_thread(const struct sm_thread *thread)
{
    enum { BELOW = 256 }; /* what a context switch pushes */
    uintptr_t low = (uintptr_t)thread->stack_low, high = low + thread->stack_size;
    uintptr_t from = thread == sm_running() ? (uintptr_t)__builtin_frame_address(0) : thread->frame;
    from = from < low + BELOW || from >= high ? low : from - BELOW;
    if (thread->state == SM_THREAD_NEW)
        reach((uintptr_t)thread->arg);
    if (!thread->joined)
        reach((uintptr_t)thread->result);
    sm_keys_each(thread, reach);
    if (thread->state != SM_THREAD_ENDED)
        scan(from, high);
}

static void mark(void)
{
    work.n = 0;
    work.bytes = 0;
    scan_mappings();
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        scan_thread(t);
    scan_reachable();
}

/* ---- reports ---- */

/* Blocks of the program and its libraries count, those of libc do not. */
static bool counts(uintptr_t block, struct sm_harm_place places[SM_BLOCK_PLACES])
{
    return sm_blocks_places(block, places) && sm_caller_counts((const void *)places[0].pc);
}

/* If none is left there is nothing to look for: to read /proc/self/maps and all private memory is a
   tenth of a hunt of tests/hunt/sources/late_race.c. */
static bool is_any_left(void)
{
    struct sm_harm_place places[SM_BLOCK_PLACES];
    size_t size;
    for (uintptr_t at = sm_heap_next(0, &size); at; at = sm_heap_next(at + 1, &size))
        if (counts(at, places))
            return true;
    return false;
}

static void tell_blocks(void)
{
    struct sm_harm_place places[SM_BLOCK_PLACES];
    size_t size;
    for (uintptr_t at = sm_heap_next(0, &size); at; at = sm_heap_next(at + 1, &size))
        if (sm_heap_note((const void *)at)->freed != REACHABLE && counts(at, places))
            sm_harm_at(SM_FAILURE_LEAK, at, &places[0],
                       "a block of %lu bytes that nobody points to when the program ends", size);
}

static void tell_threads(void)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        const struct sm_harm_place created = {
            .role = SM_ROLE_CREATED, .thread = t->parent, .pc = t->created_at};
        if (t->id && t->state == SM_THREAD_ENDED && !t->joined && !t->detached)
            sm_harm_at(SM_FAILURE_THREAD_LEAK, 0, &created,
                       "a thread that has ended is neither joined nor detached");
    }
}

void sm_leaks_look(void)
{
    if (!sm_option(leaks))
        return;
    tell_threads();
    if (!is_any_left())
        return;
    mark();
    if (work.bytes <= MOST_SCANNED)
        tell_blocks();
    else
        sm_count(LEAKS_UNSEEN);
}
