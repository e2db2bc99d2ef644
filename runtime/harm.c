#include "runtime/harm.h"

#include <stdarg.h>
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/module.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"

static const uint8_t severities[] = {
    SM_SEVERITY_ERROR,
#define SM_FAILURE(name, word, severity, family, about, advice) SM_SEVERITY_##severity,
#include "abi/failures.def"
};

static struct sm_harm_spot spot_here(uintptr_t frame)
{
    const struct sm_thread *self = sm_running();
    const struct sm_event *pending = self->pending;
    struct sm_harm_spot spot = {.thread = self->id,
                                .site = pending ? sm_site_number(pending->site) : SM_NO_SITE};
    spot.depth = sm_stack_walk(self, 0, frame, spot.stack, SM_HARM_DEPTH);
    return spot;
}

static struct sm_harm_spot spot_of(const struct sm_harm_place *place)
{
    struct sm_harm_spot spot = {
        .thread = place->thread, .site = sm_site_number(place->site), .role = place->role};
    const uint64_t *stack = sm_stack_get(place->stack, &spot.depth);
    if (!spot.depth && place->pc) {
        stack = &place->pc;
        spot.depth = 1;
    }
    if (spot.depth > SM_HARM_DEPTH)
        spot.depth = SM_HARM_DEPTH;
    if (spot.depth)
        memcpy(spot.stack, stack, spot.depth * sizeof *stack);
    return spot;
}

static uint64_t spot_key(const struct sm_harm_spot *spot)
{
    return spot->site != SM_NO_SITE ? spot->site : spot->depth ? spot->stack[0] : 0;
}

static bool is_same_warning(const struct sm_harm *a, const struct sm_harm *b)
{
    return a->kind == b->kind && spot_key(&a->at) == spot_key(&b->at) &&
           strcmp(a->detail, b->detail) == 0;
}

static void warn(const struct sm_harm *harm)
{
    for (uint32_t i = 0; i < sm_control->n_warnings; i++)
        if (is_same_warning(&sm_control->warnings[i], harm))
            return;
    if (sm_control->n_warnings == SM_MAX_WARNINGS)
        sm_control->warnings_lost++;
    else
        sm_control->warnings[sm_control->n_warnings++] = *harm;
}

/* Leaks are failures if the options say so. */
static bool is_error(enum sm_failure_kind kind)
{
    bool leak = kind == SM_FAILURE_LEAK || kind == SM_FAILURE_THREAD_LEAK;
    return severities[kind] == SM_SEVERITY_ERROR || (leak && sm_option(leaks) == SM_LEAKS_FAIL);
}

static void tell(const struct sm_harm *harm)
{
    if (!is_error((enum sm_failure_kind)harm->kind)) {
        warn(harm);
        return;
    }
    if (!sm_end_is_held())
        sm_control->harm = *harm;
    sm_end(SM_END_HARM, (int)harm->kind, "%s", harm->detail);
}

void sm_harm(enum sm_failure_kind kind, uintptr_t addr, const struct sm_harm_place *places,
             uint32_t n_places, const char *format, ...)
{
    struct sm_harm harm = {
        .kind = kind, .addr = addr, .at = spot_here((uintptr_t)__builtin_frame_address(0))};
    va_list args;
    va_start(args, format);
    sm_vformat(harm.detail, sizeof harm.detail, format, args);
    va_end(args);
    for (uint32_t i = 0; i < n_places && i < SM_HARM_PLACES; i++)
        harm.places[harm.n_places++] = spot_of(&places[i]);
    tell(&harm);
}

void sm_harm_at(enum sm_failure_kind kind, uintptr_t addr, const struct sm_harm_place *at,
                const char *format, ...)
{
    struct sm_harm harm = {.kind = kind, .addr = addr, .at = spot_of(at)};
    va_list args;
    va_start(args, format);
    sm_vformat(harm.detail, sizeof harm.detail, format, args);
    va_end(args);
    tell(&harm);
}
