/*
 * describe.c - converts a finding to the form that is printed (findings/race.h).
 *
 * Nothing is allocated. Frames come from one static array, under the lock of reports; a stack that
 * does not fit is cut at its outer end.
 */
#include "native/finding.h"

#include "base/module.h"
#include "base/sys.h"
#include "native/modules.h"

/* Eight stacks of SM_TRAIL_MAX frames, each with eight levels of inlining. */
enum { FRAMES = 8 * 8 * SM_TRAIL_MAX };
static struct sm_place frames[FRAMES];
static uint32_t n_frames;
static struct sm_held_lock locks[SM_HARM_SIDES][SM_LOCKS_MAX];

static const char *kind_word(unsigned kind)
{
    if (kind & SM_ACCESS_FREE)
        return "free";
    if (kind & SM_ACCESS_ATOMIC)
        return kind & SM_ACCESS_WRITE ? "atomic-write" : "atomic-read";
    return kind & SM_ACCESS_WRITE ? "write" : "read";
}

/* Borrowed: descriptions are never freed. */
static char *borrow(const char *text)
{
    return (char *)(uintptr_t)text;
}

static struct sm_place place_of(const struct sm_site *site)
{
    return (struct sm_place){.file = borrow(SM_SITE_TEXT(site, file)),
                             .function = borrow(SM_SITE_TEXT(site, function)),
                             .module = borrow(sm_library_of(site)),
                             .line = site->line,
                             .column = site->column};
}

/* Appends to the stack that was begun last. */
static void add_frame(struct sm_stack *stack, struct sm_place place)
{
    if (!stack->n)
        stack->frames = &frames[n_frames];
    if (n_frames == FRAMES)
        return;
    frames[n_frames++] = place;
    stack->n++;
}

/* The place, and the calls through which it was inlined. */
static void add_site(struct sm_stack *stack, const struct sm_site *site)
{
    for (; site; site = sm_site_caller(site))
        add_frame(stack, place_of(site));
}

static void add_trail(struct sm_stack *stack, const struct sm_trail *trail)
{
    for (uint32_t i = 0; i < trail->n; i++)
        add_site(stack, trail->frames[i]);
}

static struct sm_held_lock describe_lock(const struct sm_lock *held)
{
    const struct sm_global *global = sm_global_at(held->addr);
    struct sm_held_lock lock = {.address = held->addr,
                                .name = borrow(global ? global->name : NULL)};
    add_site(&lock.taken, held->taken);
    return lock;
}

static void describe_member(const struct sm_membership *of, struct sm_team_member *member)
{
    if (!of)
        return;
    member->number = of->number;
    member->size = of->size;
    add_site(&member->region, of->region);
}

static void describe_side(const struct sm_side *side, struct sm_held_lock *room,
                          struct sm_access *access)
{
    const struct sm_detect_thread *thread = side->thread;
    *access = (struct sm_access){.kind = kind_word(side->kind),
                                 .thread = thread->id,
                                 .parent = thread->parent ? thread->parent->id : SM_UNKNOWN_THREAD,
                                 .locks = room,
                                 .n_locks = side->locks.n};
    static const struct sm_site unknown = {.file = "?", .function = "?"};
    const struct sm_site *site = side->site ? side->site : &unknown;
    access->place = place_of(site);
    add_site(&access->stack, site);
    add_trail(&access->stack, &side->trail);
    for (uint32_t i = 0; i < side->locks.n; i++)
        room[i] = describe_lock(&side->locks.held[i]);
    add_trail(&access->created, &thread->created);
    describe_member(sm_thread_team(thread, side->epoch), &access->member);
}

static void describe_block(const struct sm_detected_race *finding, struct sm_race_heap *block)
{
    const struct sm_heap_block *heap = &finding->block;
    block->size = heap->size;
    block->offset = finding->addr - heap->start;
    block->thread = heap->origin.thread;
    add_site(&block->allocated, heap->origin.site);
}

void sm_finding_describe(const struct sm_detected_race *finding, struct sm_data_race *race)
{
    n_frames = 0;
    *race = (struct sm_data_race){.id = finding->number + 1,
                                  .variable = borrow(finding->variable),
                                  .element = finding->element,
                                  .size = finding->size,
                                  .has_memory = finding->has_memory,
                                  .memory = finding->memory,
                                  .advice = borrow(finding->advice)};
    describe_side(&finding->first, locks[0], &race->first);
    describe_side(&finding->second, locks[1], &race->second);
    if (finding->in_heap)
        describe_block(finding, &race->block);
}

static const char *const kinds[] = {
    "",
#define SM_FAILURE(name, word, severity, family, about, advice) word,
#include "abi/failures.def"
};
static const char *const advices[] = {
    "",
#define SM_FAILURE(name, word, severity, family, about, advice) (advice),
#include "abi/failures.def"
};
static const char *const roles[] = {
#define SM_ROLE(name, word) word,
#include "abi/roles.def"
};

void sm_harm_describe(const struct sm_detected_harm *harm, struct sm_harm_step *steps,
                      struct sm_harm_report *report)
{
    n_frames = 0;
    *report = (struct sm_harm_report){.kind = kinds[harm->kind],
                                      .detail = harm->detail,
                                      .advice = advices[harm->kind],
                                      .steps = steps,
                                      .n_steps = harm->n,
                                      .raced = sm_harm_is_raced(harm->kind)};
    for (uint32_t i = 0; i < harm->n; i++) {
        const struct sm_harm_side *side = &harm->sides[i];
        const struct sm_global *global = side->object ? sm_global_at(side->object) : NULL;
        steps[i] = (struct sm_harm_step){.role = i ? roles[side->role] : NULL,
                                         .object = global ? global->name : NULL};
        describe_side(&side->side, locks[i], &steps[i].access);
    }
}
