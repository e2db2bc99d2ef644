/*
 * window.c - see window.h.
 */
#include "native/window.h"

#include <fcntl.h>
#include <linux/membarrier.h>

#include "base/sys.h"
#include "native/lock.h"
#include "native/marks.h"

#define WINDOW_STEP (SM_SHORT_EPOCHS / 2)
#define PAGE 4096ul

uint32_t sm_window, sm_marks_from;
static uint32_t lock;
static bool has_barrier;

void sm_window_init(void)
{
    has_barrier =
        sm_syscall(SYS_membarrier, (long)MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0L, 0L) == 0;
}

/* ---- cells ---- */

static bool is_old(uint32_t mark)
{
    return mark && ((sm_mark_epoch(mark) - sm_window) & (SM_SHORT_EPOCHS - 1)) < WINDOW_STEP;
}

static struct sm_cell without_old(struct sm_cell cell)
{
    uint32_t state = sm_cell_mark(&cell, 0);
    for (unsigned i = state == SM_MARK_LIST; i < SM_MARKS && state != SM_MARK_HEADER; i++) {
        uint32_t mark = sm_cell_mark(&cell, i);
        if (is_old(mark))
            sm_cell_cut(&cell, i, mark, SM_MARK_BYTES);
    }
    return cell;
}

static void sweep_page(struct sm_cell *cells)
{
    for (struct sm_cell *cell = cells; cell < cells + PAGE / sizeof *cell; cell++) {
        struct sm_cell seen, next;
        do {
            seen = sm_cell_load(cell);
            next = seen.half[0] | seen.half[1] ? without_old(seen) : seen;
        } while ((seen.half[0] != next.half[0] || seen.half[1] != next.half[1]) &&
                 !sm_cell_replace(cell, seen, next));
    }
}

/* ---- the pages to sweep: the shadow of what is mapped ---- */

#define PAGES 8192ul
static uint64_t pages[PAGES];

static bool sweep_shadow(int pagemap, uintptr_t cells, uintptr_t end)
{
    enum { THERE = 3 }; /* in memory, swapped */
    cells &= ~(PAGE - 1);
    for (uintptr_t next; cells < end; cells = next) {
        next = cells + PAGES * PAGE < end ? cells + PAGES * PAGE : end;
        size_t n = (next - cells + PAGE - 1) / PAGE;
        if (sm_syscall(SYS_pread64, (long)pagemap, pages, n * sizeof *pages,
                       cells / PAGE * sizeof *pages) != (long)(n * sizeof *pages))
            return false;
        for (size_t i = 0; i < n; i++)
            if (pages[i] >> 62 & THERE)
                sweep_page((struct sm_cell *)(cells + i * PAGE));
    }
    return true;
}

struct input {
    int fd;
    long n, at;
    char chars[16384];
};

static int next_char(struct input *text)
{
    if (text->at == text->n) {
        text->n = sm_syscall(SYS_read, (long)text->fd, text->chars, sizeof text->chars);
        text->at = 0;
        if (text->n <= 0)
            return text->n = 0, -1;
    }
    return text->chars[text->at++];
}

static uintptr_t next_number(struct input *text)
{
    uintptr_t number = 0;
    for (int c; (c = next_char(text)) > ' ' && c != '-';)
        number = number * 16 + (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    return number;
}

/* "low-high rwxp ...": the planes themselves have no shadow, nor has inaccessible memory. */
static bool sweep_mappings(struct input *maps, int pagemap)
{
    bool done = true;
    for (uintptr_t low; done && (low = next_number(maps)) != 0;) {
        uintptr_t high = next_number(maps);
        bool accessible = next_char(maps) == 'r';
        if (accessible && high <= 1ul << 47 && (high <= SM_CELLS || low >= SM_PLANES_END))
            done = sweep_shadow(pagemap, (uintptr_t)sm_cell_of(low),
                                (uintptr_t)sm_cell_of(low) + 2 * (high - low));
        for (int c; (c = next_char(maps)) != '\n' && c >= 0;)
            ;
    }
    return done;
}

static bool sweep(void)
{
    static struct input maps;
    maps.n = maps.at = 0;
    maps.fd = (int)sm_syscall(SYS_open, "/proc/self/maps", (long)O_RDONLY | O_CLOEXEC, 0L);
    int pagemap = (int)sm_syscall(SYS_open, "/proc/self/pagemap", (long)O_RDONLY | O_CLOEXEC, 0L);
    bool done = maps.fd >= 0 && pagemap >= 0 && sweep_mappings(&maps, pagemap);
    if (maps.fd >= 0)
        sm_syscall(SYS_close, (long)maps.fd);
    if (pagemap >= 0)
        sm_syscall(SYS_close, (long)pagemap);
    return done;
}

/* ---- moving ---- */

static bool move(void)
{
    if (!has_barrier)
        return false;
    __atomic_store_n(&sm_marks_from, sm_window + WINDOW_STEP, __ATOMIC_RELAXED);
    sm_syscall(SYS_membarrier, (long)MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0L, 0L);
    sm_threads_await_marks();
    if (!sweep())
        return false;
    __atomic_store_n(&sm_window, sm_window + WINDOW_STEP, __ATOMIC_RELAXED);
    return true;
}

bool sm_window_reach(uint32_t end)
{
    bool reached = true;
    if (SM_LIKELY(end - __atomic_load_n(&sm_window, __ATOMIC_RELAXED) <= SM_SHORT_EPOCHS))
        return true;
    sm_lock_word(&lock, SM_LOCK_WINDOW);
    while (reached && end - sm_window > SM_SHORT_EPOCHS)
        reached = move();
    sm_unlock_word(&lock, SM_LOCK_WINDOW);
    return reached;
}
