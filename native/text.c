/*
 * text.c - a finding for people to read. See finding.h.
 */
#include "native/finding.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/module.h"

void sm_put(struct sm_output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    output->used += sm_vformat(output->chars + output->used, sizeof output->chars - output->used,
                               format, arguments);
    va_end(arguments);
}

const char *sm_kind_word(unsigned kind)
{
    if (kind & SM_ACCESS_FREE)
        return "free";
    if (kind & SM_ACCESS_ATOMIC)
        return kind & SM_ACCESS_WRITE ? "atomic-write" : "atomic-read";
    return kind & SM_ACCESS_WRITE ? "write" : "read";
}

static void put_place(struct sm_output *output, const struct sm_site *site)
{
    sm_put(output, "      %s  %s:%u:%u\n", SM_SITE_TEXT(site, function), SM_SITE_TEXT(site, file),
           site->line, site->column);
}

/* With the calls by which it was inlined. */
static void put_frames(struct sm_output *output, const struct sm_site *site)
{
    for (; site; site = sm_site_caller(site))
        put_place(output, site);
}

static void put_trail(struct sm_output *output, const struct sm_trail *trail)
{
    for (uint32_t i = 0; i < trail->n; i++)
        put_frames(output, trail->frames[i]);
}

static void put_locks(struct sm_output *output, const struct sm_locks *locks)
{
    for (uint32_t i = 0; i < locks->n; i++) {
        const struct sm_global *lock = sm_global_at(locks->held[i].addr);
        const char *name = lock ? lock->name : NULL;
        sm_put(output, "    holding the lock %s%sat 0x%lx%s\n", name ? name : "", name ? " " : "",
               locks->held[i].addr, locks->held[i].taken ? ", taken at" : "");
        if (locks->held[i].taken)
            put_frames(output, locks->held[i].taken);
    }
}

static void put_side(struct sm_output *output, const struct sm_side *side)
{
    sm_put(output, "    %s by thread %u\n", sm_kind_word(side->kind), side->thread->id);
    if (side->site && side->site->line)
        put_frames(output, side->site);
    else if (!side->site)
        sm_put(output, "      (its place is no longer known)\n");
    put_trail(output, &side->trail);
    put_locks(output, &side->locks);
}

static void put_creation(struct sm_output *output, const struct sm_detect_thread *thread)
{
    if (!thread->parent)
        return;
    sm_put(output, "    thread %u was created by thread %u\n", thread->id, thread->parent->id);
    put_trail(output, &thread->created);
}

static void put_block(struct sm_output *output, const struct sm_finding *finding)
{
    const struct sm_heap_block *block = &finding->block;
    sm_put(output, "    in a heap block of %zu bytes, %zu from its start", block->size,
           (size_t)(finding->addr - block->start));
    if (block->origin.site)
        sm_put(output, ", allocated by thread %u", block->origin.thread);
    sm_put(output, "\n");
    if (block->origin.site)
        put_frames(output, block->origin.site);
}

static void put_variable(struct sm_output *output, const struct sm_finding *finding)
{
    const char *brackets = strstr(finding->variable, "[]");
    if (finding->element < 0 || !brackets)
        sm_put(output, "stalemate: data race on %s\n", finding->variable);
    else
        sm_put(output, "stalemate: data race on %.*s[%ld]%s\n", (int)(brackets - finding->variable),
               finding->variable, finding->element, brackets + 2);
}

void sm_finding_text(const struct sm_finding *finding, struct sm_output *output)
{
    put_variable(output, finding);
    put_side(output, &finding->second);
    put_side(output, &finding->first);
    if (finding->has_memory)
        sm_put(output, "    memory held 0x%lx when the race was found\n", finding->memory);
    if (finding->in_heap)
        put_block(output, finding);
    put_creation(output, finding->second.thread);
    if (finding->first.thread != finding->second.thread)
        put_creation(output, finding->first.thread);
    sm_put(output, "    advice: %s\n", finding->advice);
}
