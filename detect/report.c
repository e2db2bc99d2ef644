/*
 * report.c - see report.h.
 */
#include "report.h"

#include <string.h>

#include "../abi/site.h"
#include "../runtime/sys.h"
#include "blocks.h"
#include "counters.h"
#include "notes.h"
#include "shadow.h"

uint64_t sm_counts[SM_DETECT_COUNTERS];

struct side {
    const struct sm_detect_thread *thread;
    const struct sm_site *site; /* NULL: no longer known */
    unsigned kind;
    struct sm_trail trail;
};

#define FINDINGS 4096

static struct finding {
    const struct sm_site *sites[2];
    uint64_t count;
} findings[FINDINGS];
static uint32_t n_findings, lock;

void sm_reports_lock(void)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) /* findings, ended histories */
        sm_syscall(SYS_sched_yield);
}

void sm_reports_unlock(void)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

uint64_t sm_reports_count(void)
{
    return n_findings;
}

/* ---- the two sides ---- */

static void find_other(const struct sm_race *race, struct side *side)
{
    uint64_t position;
    *side = (struct side){.thread = sm_thread_of_epoch(race->other_epoch),
                          .kind = race->other_kind};
    if (sm_history_find(side->thread->history, race->other_epoch, race->addr, race->size,
                        race->other_kind & SM_ACCESS_WRITE, &position, &side->site))
        sm_history_trail(side->thread->history, position, &side->trail);
    else
        sm_count_event(SM_DETECT_NO_STACK);
}

static void find_own(const struct sm_race *race, struct side *side)
{
    *side = (struct side){.thread = race->thread, .site = race->site, .kind = race->kind};
    sm_history_trail(race->thread->history, race->thread->history->n, &side->trail);
}

/* ---- text ---- */

struct text {
    char chars[8192];
    size_t used;
};

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->used += sm_vformat(text->chars + text->used, sizeof text->chars - text->used, format,
                             arguments);
    va_end(arguments);
}

static const char *kind_word(unsigned kind)
{
    if (kind & SM_ACCESS_FREE)
        return "free";
    if (kind & SM_ACCESS_ATOMIC)
        return kind & SM_ACCESS_WRITE ? "atomic write" : "atomic read";
    return kind & SM_ACCESS_WRITE ? "write" : "read";
}

static void add_place(struct text *text, const struct sm_site *site)
{
    add(text, "    %s  %s:%u:%u\n", site->function, site->file, site->line, site->column);
}

static void add_side(struct text *text, const struct side *side, const char *when)
{
    add(text, "  %s%s by thread %u\n", kind_word(side->kind), when, side->thread->id);
    if (side->site)
        add_place(text, side->site);
    else
        add(text, "    (its place is no longer known)\n");
    for (uint32_t i = 0; i < side->trail.n; i++)
        add_place(text, side->trail.frames[i]);
}

static void add_creation(struct text *text, const struct sm_detect_thread *thread)
{
    if (!thread->parent)
        return;
    add(text, "  thread %u was created by thread %u\n", thread->id, thread->parent->id);
    for (uint32_t i = 0; i < thread->created.n; i++)
        add_place(text, thread->created.frames[i]);
}

/* A plain access knows best what it is called; a copy has a name for one of its sides only. */
static unsigned name_rank(const struct sm_site *site)
{
    if (!site || !*site->variable)
        return 0;
    if (site == &sm_free_site)
        return 1;
    return site->kind == SM_SITE_COPY || site->kind == SM_SITE_FILL || site->kind == SM_SITE_CALL
               ? 2
               : 3;
}

static const struct sm_site *named_site(const struct side *own, const struct side *other)
{
    return name_rank(own->site) >= name_rank(other->site) ? own->site : other->site;
}

static void print(const struct sm_race *race, const struct side *own, const struct side *other)
{
    static struct text text;
    struct sm_heap_block block;
    const struct sm_site *named = named_site(own, other);
    text.used = 0;
    add(&text, "stalemate: data race on %s\n", named ? named->variable : "?");
    add_side(&text, own, "");
    add_side(&text, other, " (earlier)");
    if (sm_block_find(race->addr, &block)) {
        add(&text, "  in a heap block of %zu bytes, %zu bytes from its start\n", block.size,
            (size_t)(race->addr - block.start));
        if (block.origin.site) {
            add(&text, "  allocated by thread %u\n", block.origin.thread);
            add_place(&text, block.origin.site);
        }
    }
    add_creation(&text, own->thread);
    add_creation(&text, other->thread);
    sm_syscall(SYS_write, 2L, text.chars, text.used);
}

/* ---- findings ---- */

static bool same_pair(const struct finding *finding, const struct side *a, const struct side *b)
{
    return (finding->sites[0] == a->site && finding->sites[1] == b->site) ||
           (finding->sites[0] == b->site && finding->sites[1] == a->site);
}

static bool is_new(const struct side *own, const struct side *other)
{
    for (uint32_t i = 0; i < n_findings; i++) {
        if (!same_pair(&findings[i], own, other))
            continue;
        findings[i].count++;
        return false;
    }
    if (n_findings == FINDINGS) {
        sm_count_event(SM_DETECT_NO_ROOM);
        return false;
    }
    findings[n_findings++] = (struct finding){{own->site, other->site}, 1};
    return true;
}

__attribute__((used)) void sm_race_found(const struct sm_race *race)
{
    struct side own, other;
    if (sm_note_benign(race->addr))
        return;
    sm_reports_lock();
    find_own(race, &own);
    find_other(race, &other);
    if (is_new(&own, &other))
        print(race, &own, &other);
    sm_reports_unlock();
}

void sm_reports_init(char **environment)
{
    (void)environment;
}

void sm_reports_finish(void)
{
}
