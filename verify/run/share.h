/*
 * share.h - which memory is shared, and so needs events: see explore.h.
 *
 * Locations that are shared have numbers, which stay for the whole exploration. A location
 * is an address and a size. Where accesses of different sizes overlap, their bytes are cut into
 * locations so that each access is one of them or several: a plain access of several is that many
 * events, which are one step (order.h), since reads-from of each is one write. Atomics are not
 * taken apart.
 */
#ifndef SM_VERIFY_RUN_SHARE_H
#define SM_VERIFY_RUN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"
#include "verify/results/parcel.h"

enum { SM_PRIVATE = UINT16_MAX };

void sm_share_start(void); /* once */
void sm_share_begin(void); /* before each execution */

/* The locations that an access is made of, from the lowest on; none: it is private. Notices
   conflicts: see sm_share_grew. */
struct sm_pieces {
    unsigned n;
    struct {
        uint16_t loc;
        uint8_t size;
        int offset; /* from the address of the access */
    } at[8];
};
struct sm_pieces sm_share_access(const struct sm_event *event, bool write);
/* Of the granule of this address, which is freed: where stores are to be made, whether that is
   shared or not. Where nobody has accessed anything: nowhere, or (`first`) to all of it. */
struct sm_pieces sm_share_freed(uintptr_t addr, bool first);
/* An access to the granule may be unordered with what this thread does now. */
bool sm_share_is_open(uintptr_t addr, uint32_t thread);
/* Every other thread has ended and was joined: all that was done happens before what is done now.
 */
bool sm_share_is_alone(uint32_t thread);
/* The event accesses this location. */
bool sm_share_is(uint16_t loc, const struct sm_event *event);
/* A synchronisation object always has a number. */
uint16_t sm_share_object(uintptr_t addr);
/* What threads do with an object, in some execution: each is a set of threads. Who is in it is
   learnt, as is what is shared. */
enum sm_share_use {
    SM_USE_WAITS, /* at a condition or barrier; rwlock: reads */
    SM_USE_LOOKS, /* barrier: at what it returns; rwlock: whether it can be had (try) */
    SM_SHARE_USES,
};
void sm_share_user(uint16_t loc, enum sm_share_use use, uint32_t thread);
uint32_t sm_share_users(uint16_t loc, enum sm_share_use use);
/* More is shared than was known when this exploration began. */
bool sm_share_grew(void);
void sm_share_settle(void);

/* The initial thread is not alone: a thread was created, or ended by being joined. */
void sm_share_spawned(uint32_t parent, uint32_t child);
void sm_share_joined(uint32_t thread, uint32_t child);
/* The number of the next thread that `parent` creates: always the same for its nth. */
uint32_t sm_share_child(uint32_t parent);
/* How many numbers are in use, 0 among them. */
uint32_t sm_share_thread_count(void);
bool sm_share_threads(void); /* there is or was more than one */

/* Numbers of locations and threads (parcel.h); unpacked in a process that has none yet. */
void sm_share_pack(struct sm_parcel *parcel);
void sm_share_unpack(struct sm_parcel *parcel);

#endif
