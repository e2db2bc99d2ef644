/* Barriers. The last thread to arrive picks the serial thread and releases all. */
#include "core/objects/objects.h"

enum { ARRIVED = 0, RELEASED = 16, SERIAL = 32, THREADS_MASK = 0xffff };
enum { ARG_NEEDED = 8, ARG_SERIAL = 16, ARG_MASK = 0xff };

uint64_t sm_barrier_argument(uint32_t thread, uint32_t needed)
{
    return thread | (uint64_t)needed << ARG_NEEDED;
}

static uint64_t arrived(uint64_t state, uint64_t arg)
{
    return (state >> ARRIVED & THREADS_MASK) | 1ull << (arg & ARG_MASK);
}

static bool is_last(uint64_t state, uint64_t arg)
{
    return (uint64_t)__builtin_popcountll(arrived(state, arg)) >= (arg >> ARG_NEEDED & ARG_MASK);
}

uint32_t sm_barrier_candidates(uint64_t state, uint64_t arg)
{
    return is_last(state, arg) ? (uint32_t)arrived(state, arg) : 0;
}

uint64_t sm_barrier_pick(uint64_t arg, uint32_t thread)
{
    return arg | (uint64_t)thread << ARG_SERIAL;
}

bool sm_barrier_is_serial(uint64_t state, uint32_t thread)
{
    return state >> (SERIAL + thread) & 1;
}

enum sm_step sm_barrier_arrive_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    uint64_t all = arrived(state, arg), serial = arg >> ARG_SERIAL;
    if (!is_last(state, arg))
        return sm_step_take(next, state | all << ARRIVED);
    return sm_step_take(next, (state & ~(uint64_t)THREADS_MASK) | all << RELEASED |
                                  1ull << (SERIAL + serial - 1));
}

enum sm_step sm_barrier_depart_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    uint64_t bit = 1ull << arg;
    return state & bit << RELEASED ? sm_step_take(next, state & ~(bit << RELEASED | bit << SERIAL))
                                   : SM_STEP_WAITS;
}

bool sm_barrier_is_full(uint64_t *arrived, uint32_t needed)
{
    if (++*arrived < needed)
        return false;
    *arrived = 0;
    return true;
}
