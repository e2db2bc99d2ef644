/*
 * takeover.c - see takeover.h.
 */
#include "native/takeover.h"

#include "abi/site.h"
#include "native/paths.h"
#include "native/shadow.h"

void sm_takeover_note(struct sm_detect_thread *thread, struct sm_takeover taken)
{
    struct sm_takeovers *list = thread->takeovers;
    if (list->n == SM_TAKEOVERS)
        sm_takeovers_verify_fenced(thread);
    list->noted[list->n++] = taken;
}

/* Mostly the mark is where it was put. */
static inline bool is_unchanged(const struct sm_cell *cell, uint32_t over, uint32_t me)
{
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t write = seen.write & SM_EPOCH_MASK, read = seen.read & SM_EPOCH_MASK;
    if (over == SM_TAKEOVER_WRITE)
        return write == me && !read;
    return write == me || (read == me && (write == over || sm_same_block(write, me)));
}

static unsigned kind_of(const struct sm_takeover *noted)
{
    return noted->over == SM_TAKEOVER_WRITE ? SM_ACCESS_WRITE : 0;
}

static void verify_piece(struct sm_detect_thread *thread, const struct sm_takeover *noted,
                         uintptr_t addr, uint32_t size, const struct sm_site *site)
{
    const struct sm_cell *cell =
        size == 4 && addr % 4 == 0 ? sm_cell_half(addr) : sm_cell_low(addr);
    if (!is_unchanged(cell, noted->over, sm_own.epoch))
        sm_check_again(thread, addr, size, kind_of(noted), site);
}

/* All of them as is_unchanged has it, with the one write mark that was found. */
static bool words_are_unchanged(const struct sm_takeover *noted, uintptr_t addr)
{
    const struct sm_cell *cell = sm_cell_low(addr), *end = cell + noted->words->n;
    bool wrote = noted->over == SM_TAKEOVER_WRITE;
    uint32_t me = sm_own.epoch, write = wrote ? me : noted->over, read = wrote ? 0 : me;
    uint32_t difference = 0;
    for (; cell < end; cell++) {
        struct sm_cell seen = sm_cell_load(cell);
        difference |= (seen.write ^ write) | (seen.read ^ read);
    }
    return !difference;
}

static void verify_words(struct sm_detect_thread *thread, const struct sm_takeover *noted)
{
    const struct sm_words *words = noted->words;
    uintptr_t addr = noted->addr, end = addr + noted->size;
    do {
        uint64_t n = words_are_unchanged(noted, addr) ? 0 : words->n;
        for (uint64_t i = 0; i < n; i++)
            verify_piece(thread, noted, addr + 8 * i, 8, words->sites[i]);
        addr += words->step;
    } while (addr < end);
}

static void verify_spaced(struct sm_detect_thread *thread, const struct sm_takeover *noted)
{
    uintptr_t addr = noted->addr, end = addr + noted->size;
    for (; addr < end; addr += noted->step)
        verify_piece(thread, noted, addr, noted->site->size, noted->site);
}

static void verify_granules(struct sm_detect_thread *thread, const struct sm_takeover *noted,
                            uintptr_t addr, uintptr_t end)
{
    uint32_t me = sm_own.epoch, over = noted->over;
    for (const struct sm_cell *cell = sm_cell_low(addr); addr < end; addr += 8, cell++)
        if (!is_unchanged(cell, over, me))
            sm_check_again(thread, addr, 8, kind_of(noted), noted->site);
}

static void verify_range(struct sm_detect_thread *thread, const struct sm_takeover *noted)
{
    uintptr_t addr = noted->addr, end = addr + noted->size;
    uintptr_t first = (addr + 7) & ~7ul, last = end & ~7ul;
    if (addr < first)
        verify_piece(thread, noted, addr, (uint32_t)(first - addr), noted->site);
    verify_granules(thread, noted, first, last);
    if (last < end)
        verify_piece(thread, noted, last, (uint32_t)(end - last), noted->site);
}

static void verify(struct sm_detect_thread *thread, const struct sm_takeover *noted)
{
    if (noted->step == SM_TAKEOVER_WORDS)
        verify_words(thread, noted);
    else if (noted->step)
        verify_spaced(thread, noted);
    else if (noted->addr % 8 + noted->size > 8)
        verify_range(thread, noted);
    else
        verify_piece(thread, noted, noted->addr, (uint32_t)noted->size, noted->site);
}

void sm_takeovers_verify(struct sm_detect_thread *thread)
{
    struct sm_takeovers *list = thread->takeovers;
    for (uint32_t i = 0; i < list->n; i++)
        verify(thread, &list->noted[i]);
    list->n = 0;
}

void sm_takeovers_verify_fenced(struct sm_detect_thread *thread)
{
    if (!thread->takeovers->n)
        return;
    /* see takeover.h; on x86 any locked instruction will do, and costs less than mfence */
    __asm__ volatile("lock; orl $0, (%%rsp)" : : : "memory", "cc");
    sm_takeovers_verify(thread);
}
