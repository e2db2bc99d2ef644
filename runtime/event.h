/*
 * event.h - one operation of a thread, on its way through sm_step().
 *
 * A hook or an interceptor fills in an event and calls sm_step (an access) or sm_sync (anything
 * else). The event then passes, in this order, the scheduler (which thread runs first?), the model
 * (which value?), the trace (which index?) and the analyses. It is on the stack of its thread for
 * the duration of that call.
 */
#ifndef SM_RUNTIME_EVENT_H
#define SM_RUNTIME_EVENT_H

#include <stdbool.h>

#include "abi/record.h"
#include "abi/site.h"

struct sm_thread;
struct sm_message;

struct sm_event {
    uint8_t kind;       /* enum sm_event_kind */
    uint8_t size;       /* accesses: 1..8, never across an 8-byte boundary when atomic */
    uint8_t order;      /* enum sm_order */
    uint8_t flags;      /* enum sm_record_flag */
    uint8_t order_fail; /* CAS: order when it fails */
    uint8_t op;         /* RMW: enum sm_rmw_op; CAS: SM_OP_CAS */
    struct sm_thread *thread;
    const struct sm_site *site; /* NULL when the event has none (an intercepted call) */
    uintptr_t addr;             /* real address */
    uintptr_t pc;               /* return address into user code, when there is no site */
    uintptr_t frame;            /* the program's stack pointer at its call; 0: not set */
    uint64_t value;             /* in: to store (RMW: operand; CAS: desired). out: read/stored */
    uint64_t old;               /* CAS in: expected. RMW, CAS out: the value read. Sync: aux */
    uint64_t rf;                /* out: index of the record read from */
    uint64_t index;             /* out: index of this event's own record */
    uint32_t nth;               /* load that may look ahead: its number, see model/speculation.h */
    uint32_t time;              /* the thread's own clock at the event; see hb.h */
    struct sm_message *message; /* what a reader of this store acquires; see hb.h */
    struct sm_message *message_read; /* out: that of the store read; not owned */
};

#define SM_OP_CAS 0xff
#define SM_OP_FREE 0xfe   /* of a store: made by free() (verify/run/frees.h) */
#define SM_OP_RETURN 0xfd /* the same: of a local, when its function returns */

static inline bool sm_op_ends_memory(uint8_t op)
{
    return op == SM_OP_FREE || op == SM_OP_RETURN;
}

#endif
