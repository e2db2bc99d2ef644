/*
 * record.h - one event of an execution, as stored in a trace.
 *
 * The runtime appends records to shared memory while the program runs; the driver
 * stores them in a witness; the checker and the reports read them there. The layout
 * is the wire format: fixed size, little endian, no pointers.
 *
 * An access of more than 8 bytes is several records, the first without and the others with
 * SM_RECORD_MORE. A read that was assembled from several stores has rf == SM_RF_PARTS and is
 * followed by one PART record for each piece (addr, size, rf). A read of memory that was not stored
 * to in this trace has rf == SM_RF_INITIAL.
 *
 * Addresses are normalised (see runtime/region.h), so that two executions with the same events have
 * the same records wherever the program was loaded.
 */
#ifndef SM_ABI_RECORD_H
#define SM_ABI_RECORD_H

#include <stdint.h>

enum sm_event_kind {
#define SM_EVENT(name, word, hb) SM_EV_##name,
#include "abi/events.def"
    SM_EVENTS
};

enum sm_hb {
    SM_HB_NONE,
    SM_HB_ACQ,
    SM_HB_ACQ_BOTH,
    SM_HB_REL,
    SM_HB_SPAWN,
    SM_HB_BEGIN,
    SM_HB_END,
    SM_HB_JOIN,
    SM_HB_FORGET,
};

#define SM_RF_INITIAL UINT64_MAX
#define SM_RF_PARTS (UINT64_MAX - 1)
#define SM_RF_NONE (UINT64_MAX - 2) /* not a read */
#define SM_NO_SITE UINT32_MAX

enum sm_record_flag {
    SM_RECORD_MORE = 1 << 0, /* continues the access of the previous record */
    SM_RECORD_VOLATILE = 1 << 1,
    SM_RECORD_STALE = 1 << 2,    /* read: not the newest store in execution order */
    SM_RECORD_FUTURE = 1 << 3,   /* read: from a store that comes later in the trace */
    SM_RECORD_DELAYED = 1 << 4,  /* store: reaches memory at its FLUSH record */
    SM_RECORD_LIED = 1 << 5,     /* access to a variable about which the model may lie */
    SM_RECORD_EXTERNAL = 1 << 6, /* STORE by code that is not instrumented, noticed only by
                                    the read that follows; not an event, not in the hash */
    SM_RECORD_KEPT = 1 << 7,     /* plain access that the compiler must make: as relaxed in hb */
};

struct sm_record {
    uint8_t kind;    /* enum sm_event_kind */
    uint8_t size;    /* 1..8 for accesses, else 0 */
    uint8_t order;   /* enum sm_order */
    uint8_t flags;   /* enum sm_record_flag */
    uint32_t thread; /* 0 is the initial thread; numbers are given in order of creation */
    uint32_t site;   /* row in the site table, or SM_NO_SITE */
    uint32_t stack;  /* number of its call (sm_control.calls, sm_witness.calls), 0 if none */
    uint64_t addr;   /* accesses and sync objects: normalised address */
    uint64_t value;  /* read: the value seen; write, RMW: the value stored */
    uint64_t old;    /* RMW: the value read. Sync events: aux (see events.def) */
    uint64_t rf;     /* read, RMW: index of the store's record; FLUSH: of the store flushed */
};
_Static_assert(sizeof(struct sm_record) == 48, "wire format");

#endif
