#include "checker/structure.h"

#include <stdlib.h>

enum thread_state { ABSENT, SPAWNED, RUNNING, ENDED };

void sm_structure_start(struct sm_structure *s, uint32_t n_threads)
{
    *s = (struct sm_structure){0};
    s->threads = sm_check_alloc(n_threads, sizeof *s->threads);
    s->threads[0] = SPAWNED;
}

void sm_structure_destroy(struct sm_structure *s)
{
    free(s->threads);
    free(s->index.slots);
    free(s->locks.at);
}

/* The initial thread has no SPAWN, and need not have a BEGIN. */
static bool take_start(struct sm_execution *x, struct sm_structure *s, uint32_t i)
{
    const struct sm_record *r = &x->records[i];
    uint8_t *state = &s->threads[r->thread];
    if (*state == SPAWNED && (r->kind == SM_EV_BEGIN || r->thread == 0)) {
        *state = RUNNING;
        return true;
    }
    if (*state == ABSENT)
        return SM_BROKEN_RECORD(x, THREADS, "{0} comes before its thread is created", i);
    /* By the kernel, for another thread's membarrier. One more fence at the end of a thread can
       only forbid executions. */
    if (*state == ENDED && r->kind == SM_EV_FENCE)
        return true;
    if (*state == ENDED)
        return SM_BROKEN_RECORD(x, THREADS, "{0} comes after the end of its thread", i);
    if (*state == SPAWNED)
        return SM_BROKEN_RECORD(x, THREADS, "{0} comes before the start of its thread", i);
    if (r->kind == SM_EV_BEGIN)
        return SM_BROKEN_RECORD(x, THREADS, "{0} starts its thread a second time", i);
    return true;
}

static bool take_thread(struct sm_execution *x, struct sm_structure *s, uint32_t i)
{
    const struct sm_record *r = &x->records[i];
    if (!take_start(x, s, i))
        return false;
    switch (r->kind) {
    case SM_EV_SPAWN:
        if (s->threads[r->old] != ABSENT)
            return SM_BROKEN_RECORD(x, THREADS, "{0} creates a thread that exists", i);
        s->threads[r->old] = SPAWNED;
        return true;
    case SM_EV_END:
        s->threads[r->thread] = ENDED;
        return true;
    case SM_EV_JOIN:
        if (s->threads[r->old] != ENDED)
            return SM_BROKEN_RECORD(x, THREADS, "{0} joins a thread that has not ended", i);
        return true;
    default:
        return true;
    }
}

static struct sm_lock_state *lock_at(struct sm_structure *s, uint64_t addr)
{
    uint32_t i = sm_index_get(&s->index, addr);
    if (i == SM_ABSENT) {
        struct sm_lock_state fresh = {.addr = addr, .owner = SM_NONE};
        i = (uint32_t)s->locks.n;
        SM_PUSH(&s->locks, fresh);
        sm_index_put(&s->index, addr, i);
    }
    return &s->locks.at[i];
}

static bool is_held(const struct sm_lock_state *lock)
{
    return lock->owner != SM_NONE || lock->readers;
}

/* A robust mutex can be taken from an owner that has ended. */
static bool held_by_other(const struct sm_structure *s, const struct sm_lock_state *lock,
                          uint32_t thread)
{
    return lock->owner != SM_NONE && lock->owner != thread && s->threads[lock->owner] != ENDED;
}

static bool take_lock(struct sm_execution *x, struct sm_structure *s, uint32_t i)
{
    const struct sm_record *r = &x->records[i];
    struct sm_lock_state *lock = lock_at(s, r->addr);
    if (held_by_other(s, lock, r->thread))
        return SM_BROKEN_RECORD(
            x, EXCLUSION, "{0} takes the lock that {1} took and nobody released", i, lock->record);
    s->n_held += !is_held(lock);
    if (r->kind == SM_EV_READ_LOCK) {
        lock->readers++;
    } else {
        if (lock->readers)
            return SM_BROKEN_RECORD(x, EXCLUSION,
                                    "{0} takes a lock that readers hold, {1} one of them", i,
                                    lock->record);
        lock->depth = lock->owner == r->thread ? lock->depth + 1 : 1;
        lock->owner = r->thread;
    }
    lock->record = i;
    return true;
}

/* Unlocking an unlocked lock is a bug of the program, not an illegal execution. */
static void take_unlock(struct sm_structure *s, const struct sm_record *r)
{
    struct sm_lock_state *lock = lock_at(s, r->addr);
    bool held = is_held(lock);
    if (r->kind == SM_EV_READ_UNLOCK) {
        lock->readers -= lock->readers > 0;
    } else if (lock->owner != SM_NONE && --lock->depth == 0) {
        lock->owner = SM_NONE;
    }
    s->n_held -= held && !is_held(lock);
}

/* Freeing or initialising a held lock releases it. Locks are rarely held when memory is freed, so
   the loop is rarely entered. */
static void renew_locks(struct sm_structure *s, uint64_t low, uint64_t high)
{
    for (size_t i = 0; s->n_held && i < s->locks.n; i++) {
        struct sm_lock_state *lock = &s->locks.at[i];
        if (lock->addr < low || lock->addr >= high || !is_held(lock))
            continue;
        *lock = (struct sm_lock_state){.addr = lock->addr, .owner = SM_NONE};
        s->n_held--;
    }
}

bool sm_structure_take(struct sm_execution *x, struct sm_structure *s, uint32_t record)
{
    const struct sm_record *r = &x->records[record];
    if (!take_thread(x, s, record))
        return false;
    switch (r->kind) {
    case SM_EV_LOCK:
    case SM_EV_READ_LOCK:
    case SM_EV_WRITE_LOCK:
        return take_lock(x, s, record);
    case SM_EV_UNLOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_UNLOCK:
        take_unlock(s, r);
        return true;
    case SM_EV_INIT:
        renew_locks(s, r->addr, r->addr + 1);
        return true;
    case SM_EV_FREE:
        renew_locks(s, r->addr, r->addr + r->old);
        return true;
    default:
        return true;
    }
}
