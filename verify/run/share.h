/*
 * share.h - which memory is shared, and so needs events: see explore.h.
 *
 * Shared locations have numbers, which are fixed for the whole exploration. A location is an
 * address and a size. Where accesses of different sizes overlap, their bytes are split into
 * locations so that each access consists of one or more of them: a plain access of several is that
 * many events, which are one step (order.h), because each reads from one write. Atomics are not
 * split.
 */
#ifndef SM_VERIFY_RUN_SHARE_H
#define SM_VERIFY_RUN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"
#include "verify/graph/threads.h"
#include "verify/results/parcel.h"

enum { SM_PRIVATE = UINT16_MAX };

void sm_share_start(void); /* once */
void sm_share_begin(void); /* before each execution */

/* The locations of an access, lowest first; none: it is private. Detects conflicts: see
   sm_share_grew. */
struct sm_pieces {
    unsigned n;
    struct {
        uint16_t loc;
        uint8_t size;
        int offset; /* from the address of the access */
    } at[8];
};
struct sm_pieces sm_share_access(const struct sm_event *event, bool write);
/* Of the granule of this address, which is freed: where to store, shared or not. If it was never
   accessed: nowhere, or (`first`) to all of it. */
struct sm_pieces sm_share_freed(uintptr_t addr, bool first);
/* An access to the granule may be unordered with this thread's next event. */
bool sm_share_is_open(uintptr_t addr, uint32_t thread);
/* Every other thread has ended and was joined: everything so far happens before this thread's next
   event. */
bool sm_share_is_alone(uint32_t thread);
/* The event accesses this location. */
bool sm_share_is(uint16_t loc, const struct sm_event *event);
/* A synchronisation object always has a number. */
uint16_t sm_share_object(uintptr_t addr);
/* What threads do with an object, in some execution: each is a set of threads, learnt as shared
   memory is. */
enum sm_share_use {
    SM_USE_WAITS, /* at a condition or barrier; rwlock: reads */
    SM_USE_LOOKS, /* barrier: uses the return value; rwlock: tries the lock */
    SM_SHARE_USES,
};
void sm_share_user(uint16_t loc, enum sm_share_use use, uint32_t thread);
sm_threads sm_share_users(uint16_t loc, enum sm_share_use use);
/* More is shared than was known when this exploration began. */
bool sm_share_grew(void);
void sm_share_settle(void);

/* The program is no longer sequential: a thread was created; a thread was joined. */
void sm_share_spawned(uint32_t parent, uint32_t child);
void sm_share_joined(uint32_t thread, uint32_t child);
/* The number of the next thread that `parent` creates: always the same for its nth. */
uint32_t sm_share_child(uint32_t parent);
/* How many numbers are in use, 0 among them. */
uint32_t sm_share_thread_count(void);
bool sm_share_threads(void); /* there are or were other threads */

/* Numbers of locations and threads (parcel.h); unpacked in a process that has none yet. */
void sm_share_pack(struct sm_parcel *parcel);
void sm_share_unpack(struct sm_parcel *parcel);

#endif
