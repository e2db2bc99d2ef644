#include "verify/results/parcel.h"

#include <linux/futex.h>
#include <string.h>
#include <time.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/consistency/races.h"
#include "verify/exploration.h"
#include "verify/graph/symmetry.h"
#include "verify/loops/await.h"
#include "verify/loops/probe.h"
#include "verify/loops/together.h"
#include "verify/loops/undone.h"
#include "verify/pool.h"
#include "verify/results/estimate.h"
#include "verify/results/outcomes.h"
#include "verify/run/share.h"
#include "verify/trees/learn.h"

static bool *is_part; /* in memory that no restart restores */

bool sm_parcel_is_part(void)
{
    return *is_part;
}

void sm_parcel_put(struct sm_parcel *parcel, const void *from, size_t size)
{
    SM_ASSERT((size_t)(parcel->end - parcel->at) >= size);
    memcpy(parcel->at, from, size);
    parcel->at += size;
}

void sm_parcel_take(struct sm_parcel *parcel, void *to, size_t size)
{
    SM_ASSERT((size_t)(parcel->end - parcel->at) >= size);
    memcpy(to, parcel->at, size);
    parcel->at += size;
}

struct sm_parcel sm_parcel_memory(void)
{
    char *at = (char *)sm_trace;
    return (struct sm_parcel){at, at + sm_control->trace_limit * sizeof *sm_trace};
}

static void pack_knowledge(struct sm_parcel *parcel)
{
    sm_share_pack(parcel);
    sm_await_pack(parcel);
    sm_probe_pack(parcel);
    sm_undone_pack(parcel);
    sm_together_pack(parcel);
    sm_learn_pack(parcel);
    sm_symmetry_pack(&sm_exploration->symmetry, parcel);
}

static uint64_t size_so_far(const struct sm_parcel *parcel)
{
    return (uint64_t)(parcel->at - (char *)sm_trace);
}

/* release: the parcel is written before the word that announces it */
static void say_ready(void)
{
    __atomic_store_n(&sm_control->explored.parcel, SM_PARCEL_READY, __ATOMIC_RELEASE);
}

void sm_parcel_start(void)
{
    is_part = sm_pool_get(sizeof *is_part);
    *is_part = false;
    if (sm_control->explored.parcel != SM_PARCEL_BEGIN)
        return;
    struct sm_parcel parcel = sm_parcel_memory();
    sm_share_unpack(&parcel);
    sm_await_unpack(&parcel);
    sm_probe_unpack(&parcel);
    sm_undone_unpack(&parcel);
    sm_together_unpack(&parcel);
    sm_learn_unpack(&parcel);
    sm_symmetry_unpack(&sm_exploration->symmetry, &parcel);
    *is_part = sm_frontier_unpack(&sm_exploration->frontier, &parcel);
    if (*is_part)
        sm_frontier_pop(&sm_exploration->frontier);
    sm_control->explored.parcel = SM_PARCEL_NONE;
}

static void send(const struct sm_parcel *parcel)
{
    sm_control->explored.parcel_size = size_so_far(parcel);
    say_ready();
}

static void give_half(void)
{
    struct sm_parcel parcel = sm_parcel_memory();
    pack_knowledge(&parcel);
    sm_frontier_pack(&sm_exploration->frontier, &parcel);
    send(&parcel);
}

double sm_processor_seconds(void)
{
    struct timespec time = {0};
    sm_syscall(SYS_clock_gettime, (long)CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Each part begins with the knowledge, since it is explored separately. */
static void save(bool split)
{
    struct sm_explored *explored = &sm_control->explored;
    struct sm_parcel parcel = sm_parcel_memory();
    if (split) {
        pack_knowledge(&parcel);
        sm_frontier_pack(&sm_exploration->frontier, &parcel);
        sm_estimate_renew();
    }
    explored->saved = (struct sm_explored_saved){.executions = sm_control->executions,
                                                 .blocked = explored->blocked,
                                                 .stands_for = explored->stands_for,
                                                 .given_size = size_so_far(&parcel),
                                                 .processor = sm_processor_seconds()};
    pack_knowledge(&parcel);
    sm_frontier_pack_copy(&sm_exploration->frontier, &parcel);
    explored->parcel_size = size_so_far(&parcel) - explored->saved.given_size;
    parcel.at += -size_so_far(&parcel) & 7;
    sm_races_publish();
    sm_outcomes_publish(&parcel);
    say_ready();
}

void sm_parcel_give(void)
{
    uint32_t pending = sm_exploration->frontier.n_pending, wanted = sm_control->explored.parcel;
    if (SM_LIKELY(wanted == SM_PARCEL_NONE || wanted == SM_PARCEL_READY) || !pending ||
        (pending < 2 && wanted != SM_PARCEL_SAVE))
        return;
    *is_part = true;
    if (wanted == SM_PARCEL_WANTED)
        give_half();
    else
        save(wanted == SM_PARCEL_SPLIT);
}

void sm_parcel_give_knowledge(void)
{
    sm_parcel_wait();
    struct sm_parcel parcel = sm_parcel_memory();
    pack_knowledge(&parcel);
    sm_frontier_pack_nothing(&parcel);
    sm_control->explored.state = SM_EXPLORED_GREW; /* before READY: this parcel is not to be handed
                                                      out */
    send(&parcel);
}

/* acquire: the driver has read everything before we write there */
void sm_parcel_wait(void)
{
    uint32_t *word = &sm_control->explored.parcel;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == SM_PARCEL_READY)
        sm_syscall(SYS_futex, word, (long)FUTEX_WAIT, (long)SM_PARCEL_READY, NULL);
}
