/*
 * freed.c - an access to memory that another thread has freed, reported as use after free.
 *
 * If the first of two unordered accesses freed the block, the second is a use after free. If the
 * free comes second, it is reported as a data race: nothing has gone wrong yet.
 */
#include "base/sys.h"
#include "native/finding.h"
#include "native/uses.h"

static const char *verb(const struct sm_collision *race)
{
    if (race->site == &sm_use_site)
        return "use";
    if (race->site == &sm_life_site)
        return "initialisation or end";
    return race->kind & SM_ACCESS_WRITE ? "write" : "read";
}

/* "read of job.state, 4 bytes at offset 4 of a freed block of 8 bytes" */
static void describe_use(const struct sm_collision *race, const struct sm_detected_race *finding,
                         char *to, size_t room)
{
    bool is_lock = race->site == &sm_use_site || race->site == &sm_life_site;
    size_t n = sm_format(to, room, "%s of ", verb(race));
    if (is_lock)
        n += sm_format(to + n, room - n, "a synchronisation object");
    else if (*finding->variable != '?')
        n += sm_format(to + n, room - n, "%s, %u bytes", finding->variable, race->size);
    else
        n += sm_format(to + n, room - n, "%u bytes", race->size);
    if (finding->in_heap)
        sm_format(to + n, room - n, " at offset %lu of a freed block of %lu bytes",
                  (unsigned long)(finding->addr - finding->block.start),
                  (unsigned long)finding->block.size);
    else
        sm_format(to + n, room - n, " of a freed block");
}

static void add_origin(const struct sm_heap_block *block, struct sm_detected_harm *harm)
{
    const struct sm_detect_thread *thread = sm_thread_numbered(block->origin.thread);
    if (!block->origin.site || !thread)
        return;
    harm->sides[harm->n++] = (struct sm_harm_side){
        .side = {.thread = thread, .site = block->origin.site}, .role = SM_ROLE_ALLOCATED};
}

void sm_freed_describe(const struct sm_collision *race, const struct sm_detected_race *finding,
                       struct sm_detected_harm *harm)
{
    bool twice = race->kind & SM_ACCESS_FREE;
    *harm = (struct sm_detected_harm){
        .kind = twice ? SM_FAILURE_DOUBLE_FREE : SM_FAILURE_USE_AFTER_FREE, .n = 2};
    harm->sides[0].side = finding->second;
    harm->sides[1] = (struct sm_harm_side){.side = finding->first, .role = SM_ROLE_FREED};
    if (finding->in_heap)
        add_origin(&finding->block, harm);
    if (!twice)
        describe_use(race, finding, harm->detail, sizeof harm->detail);
    else if (finding->in_heap)
        sm_format(harm->detail, sizeof harm->detail, "free of a block of %lu bytes that was freed",
                  (unsigned long)finding->block.size);
    else
        sm_format(harm->detail, sizeof harm->detail, "free of a block that was freed");
}
