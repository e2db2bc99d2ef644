/*
 * json.c - a finding for `stalemate detect` to read: one line of JSON. See finding.h.
 */
#include "native/finding.h"

#include "base/sys.h"
#include "native/modules.h"
#include "runtime/module.h"

/* Bytes that are no ASCII are passed on: names in source files are UTF-8, if anything. */
static void put_string(struct sm_output *output, const char *text)
{
    sm_put(output, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            sm_put(output, "\\%c", c);
        else if (c < 0x20)
            sm_put(output, "\\u%04x", c);
        else
            sm_put(output, "%c", c);
    }
    sm_put(output, "\"");
}

static void put_place(struct sm_output *output, const struct sm_site *site)
{
    sm_put(output, "\"file\":");
    put_string(output, SM_SITE_TEXT(site, file));
    sm_put(output, ",\"line\":%u,\"column\":%u,\"function\":", site->line, site->column);
    put_string(output, SM_SITE_TEXT(site, function));
    const char *library = sm_library_of(site);
    if (library) {
        sm_put(output, ",\"module\":");
        put_string(output, library);
    }
}

/* The frames of one row: its place, and the calls by which it was inlined. */
static void put_frames(struct sm_output *output, const struct sm_site *site, bool more)
{
    for (; site; site = sm_site_caller(site), more = true) {
        sm_put(output, more ? ",{" : "{");
        put_place(output, site);
        sm_put(output, "}");
    }
}

static void put_trail(struct sm_output *output, const struct sm_trail *trail, bool more)
{
    for (uint32_t i = 0; i < trail->n; i++, more = true)
        put_frames(output, trail->frames[i], more);
}

/* A place with its stack, as far as inlined calls go. */
static void put_call(struct sm_output *output, const struct sm_site *site)
{
    sm_put(output, "{");
    put_place(output, site);
    sm_put(output, ",\"stack\":[");
    put_frames(output, site, false);
    sm_put(output, "]");
}

static void put_locks(struct sm_output *output, const struct sm_locks *locks)
{
    for (uint32_t i = 0; i < locks->n; i++) {
        const struct sm_global *lock = sm_global_at(locks->held[i].addr);
        const char *name = lock ? lock->name : NULL;
        sm_put(output, "%s{\"address\":\"0x%lx\",", i ? "," : "", locks->held[i].addr);
        if (name) {
            sm_put(output, "\"name\":");
            put_string(output, name);
            sm_put(output, ",");
        }
        sm_put(output, "\"taken\":");
        if (locks->held[i].taken) {
            put_call(output, locks->held[i].taken);
            sm_put(output, "}}");
        } else {
            sm_put(output, "null}");
        }
    }
}

static void put_side(struct sm_output *output, const struct sm_side *side)
{
    static const struct sm_site unknown = {.file = "?", .function = "?"};
    const struct sm_site *site = side->site ? side->site : &unknown;
    sm_put(output, "{");
    put_place(output, site);
    sm_put(output, ",\"kind\":\"%s\",\"thread\":%u,\"stack\":[", sm_kind_word(side->kind),
           side->thread->id);
    put_frames(output, site, false);
    put_trail(output, &side->trail, true);
    sm_put(output, "],\"locks\":[");
    put_locks(output, &side->locks);
    sm_put(output, "],\"created\":[");
    put_trail(output, &side->thread->created, false);
    sm_put(output, "]}");
}

static void put_block(struct sm_output *output, const struct sm_finding *finding)
{
    const struct sm_heap_block *block = &finding->block;
    sm_put(output, ",\"block\":{\"size\":%zu,\"offset\":%zu,\"allocated\":", block->size,
           (size_t)(finding->addr - block->start));
    if (block->origin.site) {
        put_call(output, block->origin.site);
        sm_put(output, ",\"thread\":%u}}", block->origin.thread);
    } else {
        sm_put(output, "null}");
    }
}

void sm_finding_json(const struct sm_finding *finding, struct sm_output *output)
{
    sm_put(output, "{\"finding\":%u,\"variable\":", finding->number);
    put_string(output, finding->variable);
    if (finding->element >= 0)
        sm_put(output, ",\"element\":%ld", finding->element);
    sm_put(output, ",\"size\":%u,\"first\":", finding->size);
    put_side(output, &finding->first);
    sm_put(output, ",\"second\":");
    put_side(output, &finding->second);
    if (finding->has_memory)
        sm_put(output, ",\"memory\":\"0x%lx\"", finding->memory);
    if (finding->in_heap)
        put_block(output, finding);
    sm_put(output, ",\"advice\":");
    put_string(output, finding->advice);
    sm_put(output, "}\n");
}
