#include "verify/loops/together.h"

#include <string.h>

#include "runtime/control.h"
#include "runtime/sched/sched.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/loops/await.h"
#include "verify/pool.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/states/paths.h"

enum { MOST_MUTEXES = 64 };

/* Survives restarts of the exploration. */
static struct together {
    bool off; /* an attempt may be noticed */
    uint32_t n;
    struct {
        uint16_t loc;
        bool taken, tried; /* by std::lock; by anything else */
    } locations[MOST_MUTEXES];
} *together;

/* The position at which each thread entered std::lock, from 1; 0: it is not there. */
static uint16_t since[SM_GRAPH_THREADS];

void sm_together_start(void)
{
    together = memset(sm_pool_get(sizeof *together), 0, sizeof *together);
    together->off = sm_option(count);
}

void sm_together_begin(void)
{
    memset(since, 0, sizeof since);
}

void sm_together_pack(struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, together, sizeof *together);
}

void sm_together_unpack(struct sm_parcel *parcel)
{
    sm_parcel_take(parcel, together, sizeof *together);
}

static void note(uint16_t loc, bool tried)
{
    uint32_t i = 0;
    if (together->off || sm_exploring != SM_EXPLORE_ALL)
        return;
    while (i < together->n && together->locations[i].loc != loc)
        i++;
    if (i == MOST_MUTEXES) {
        together->off = true;
        sm_await_begin_again();
        return;
    }
    together->n += i == together->n;
    together->locations[i].loc = loc;
    together->locations[i].tried |= tried;
    together->locations[i].taken |= !tried;
    together->off = together->locations[i].tried && together->locations[i].taken;
    if (together->off)
        sm_await_begin_again();
}

void sm_together_tried(uint16_t loc)
{
    note(loc, true);
}

void sm_together_mark(bool begins)
{
    uint32_t thread = sm_running()->id;
    if (sm_share_threads() && !sm_paths_on())
        since[thread] = begins ? (uint16_t)(sm_run_position(thread) + 1) : 0;
}

/* Other processes do not know what was learnt: it is recorded. */
uint64_t sm_together_since(const struct sm_event *lock)
{
    uint32_t thread = lock->thread->id;
    bool waits = since[thread] && !together->off;
    if (sm_exploring == SM_EXPLORE_ALL && waits)
        note(sm_share_object(lock->addr), false);
    else if (sm_exploring != SM_EXPLORE_ALL && since[thread])
        waits = sm_script_choose(SM_PURPOSE_SHARED, 2, waits);
    return waits ? since[thread] : 0;
}
