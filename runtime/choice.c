#include "runtime/choice.h"

#include <string.h>

#include "base/random.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/policy/policy.h"
#include "runtime/policy/solo.h"
#include "runtime/sched/sched.h"

static uint64_t cursor;            /* next entry of the choices file to answer from */
static struct sm_choice here;      /* the current choice: thread, point, purpose, nth */
static uint8_t asked[SM_PURPOSES]; /* choices made at this point, for each purpose */
static struct sm_random policy_stream, program_stream, rare_stream;
const struct sm_schedule *sm_schedule;

const struct sm_schedule sm_schedule_replay; /* answers come from the file */
static const struct sm_schedule *const schedules[SM_SCHEDULES] = {
#define SM_SCHEDULE(name, word, about) [SM_SCHEDULE_##name] = &sm_schedule_##word,
#include "abi/schedules.def"
};

void sm_policy_start(void)
{
    SM_ASSERT(sm_option(schedule) < SM_SCHEDULES);
    cursor = 0;
    policy_stream = sm_random_seed(sm_option(seed), 1);
    program_stream = sm_random_seed(sm_option(seed), 2);
    rare_stream = sm_random_seed(sm_option(seed), 3);
    here = (struct sm_choice){0};
    sm_schedule = sm_engine->schedule();
    if (!sm_schedule && sm_option(schedule) != SM_SCHEDULE_REPLAY)
        sm_schedule = schedules[sm_option(schedule)];
    sm_solo_start();
    if (!sm_schedule && sm_option(lenient))
        sm_lenient_start();
    if (sm_schedule && sm_option(prescient))
        sm_prescient_start();
    if (sm_schedule && sm_schedule->start)
        sm_schedule->start();
}

uint64_t sm_random(void)
{
    return sm_random_next(&policy_stream);
}

uint32_t sm_random_below(uint32_t n)
{
    return (uint32_t)((sm_random() >> 32) * n >> 32);
}

uint64_t sm_program_random(void)
{
    return sm_random_next(&program_stream);
}

/* For a delayed store the heuristic for values decides how long it stays buffered: one flush in so
   many chances. One in four delays stores long enough to be overtaken, and yet flushes some stores
   of a short test before synchronisation flushes all; one in 64 delays nearly as long as possible,
   and still ends a loop that waits for the store. */
static uint32_t random_flush(uint32_t n)
{
    static const uint8_t chances[SM_HEURISTICS] = {
        [SM_HEURISTIC_SC] = 1,
        [SM_HEURISTIC_OLDEST] = 64,
        [SM_HEURISTIC_RANDOM] = 4,
        [SM_HEURISTIC_OLDEST_BUT_DIFFERENT] = 32,
        [SM_HEURISTIC_RANDOM_BUT_DIFFERENT] = 8,
    };
    return sm_random_below(chances[sm_option(heuristic)]) == 0 ? 1 + sm_random_below(n - 1) : 0;
}

/* Rare events that a program must handle: one time in 16. Deterministic schedules omit them. A
   separate stream, so that other choices of a seed do not depend on how often this is called. */
static uint32_t rarely(void)
{
    enum { ONE_IN = 16 };
    bool by_rule = sm_option(schedule) == SM_SCHEDULE_RR ||
                   (sm_option(schedule) == SM_SCHEDULE_PCT && sm_option(pct_depth) == 1);
    return !by_rule && sm_random_next(&rare_stream) % ONE_IN == 0;
}

static uint32_t ask_policy(enum sm_purpose purpose, uint32_t n, const void *context)
{
    if (sm_engine->answer && purpose != SM_PURPOSE_THREAD)
        return sm_engine->answer(purpose, n);
    uint32_t pick;
    if (sm_schedule->knows && sm_schedule->knows(purpose, &pick))
        return pick;
    switch (purpose) {
    case SM_PURPOSE_THREAD:
        return sm_schedule->thread(context);
    case SM_PURPOSE_VALUE:
        return sm_heuristic_value(context);
    case SM_PURPOSE_FUTURE:
        return sm_prescient_looks(context);
    case SM_PURPOSE_FUTURE_VALUE:
        return sm_prescient_value(context, n);
    case SM_PURPOSE_FLUSH:
        return random_flush(n);
    case SM_PURPOSE_TIMEOUT:
    case SM_PURPOSE_SPURIOUS:
    case SM_PURPOSE_WEAK_CAS:
        return rarely();
    default:
        return sm_random_below(n);
    }
}

static const char *purpose_word(uint32_t purpose)
{
    static const char *const words[] = {
#define SM_PURPOSE(name, word) word,
#include "abi/purposes.def"
    };
    return purpose < SM_PURPOSES ? words[purpose] : "?";
}

const struct sm_choice *sm_choice_here(void)
{
    return &here;
}

static void find_place(enum sm_purpose purpose, uint32_t n)
{
    const struct sm_thread *self = sm_running();
    uint32_t thread = self ? self->id : 0, point = self ? self->points : 0;
    if (here.thread != (uint16_t)thread || here.point != point)
        __builtin_memset(asked, 0, sizeof asked);
    here = (struct sm_choice){.index = sm_control->choices_made,
                              .n = n,
                              .purpose = (uint8_t)purpose,
                              .nth = asked[purpose],
                              .thread = (uint16_t)thread,
                              .point = point};
    asked[purpose] += asked[purpose] < UINT8_MAX;
}

/* The recorded answer, or 0 where nothing was recorded. */
static uint32_t answer_from_file(enum sm_purpose purpose, uint32_t n)
{
    uint64_t index = sm_control->choices_made;
    if (cursor == sm_control->choices_in || sm_choices[cursor].index != index)
        return 0;
    const struct sm_choice *choice = &sm_choices[cursor++];
    if (choice->purpose != purpose || choice->n != n || choice->pick >= n)
        sm_end(SM_END_DIVERGED, 0, "choice %lu was '%s' of %u when recorded, and is '%s' of %u now",
               index, purpose_word(choice->purpose), choice->n, purpose_word(purpose), n);
    return choice->pick;
}

/* Whether somebody will read them. An execution of some minutes makes 10^8 choices other than 0:
   2.4 GB, and a seed repeats it without. */
static bool is_recorded(void)
{
    return sm_option(record) || sm_control->want_choices;
}

static void record(uint32_t pick)
{
    if (sm_control->choices_out == sm_control->choices_limit)
        sm_refuse("the execution makes more than %lu choices, for which a recording has no room; "
                  "the schedule pct has fewer to record: --schedule pct",
                  sm_control->choices_limit);
    here.pick = pick;
    /* In a replay too: the file then holds the answers given, whatever was left out. Writing never
       overtakes reading. Field by field: a wider load would wait for the stores before it. */
    volatile struct sm_choice *to = &sm_choices[sm_control->choices_out++];
    to->index = here.index;
    to->n = here.n;
    to->pick = pick;
    to->purpose = here.purpose;
    to->nth = here.nth;
    to->thread = here.thread;
    to->point = here.point;
}

static uint32_t answer(enum sm_purpose purpose, uint32_t n, const void *context)
{
    if (sm_schedule)
        return ask_policy(purpose, n, context);
    if (sm_solo_on())
        return sm_solo_answer(purpose, n, context);
    return sm_option(lenient) ? sm_lenient_answer(&here) : answer_from_file(purpose, n);
}

uint32_t sm_choose(enum sm_purpose purpose, uint32_t n, const void *context)
{
    SM_ASSERT(n > 0);
    if (n == 1)
        return 0;
    if (!sm_engine->records)
        return ask_policy(purpose, n, context);
    find_place(purpose, n);
    uint32_t pick = answer(purpose, n, context);
    SM_ASSERT(pick < n);
    if (pick && is_recorded())
        record(pick);
    sm_control->choices_made++;
    return pick;
}
