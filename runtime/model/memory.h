/*
 * memory.h - real memory, and the provenance of each byte.
 *
 * Shared by the models: reading and writing the program's memory by size, computing
 * read-modify-writes, and provenance (which record stored this byte?), which the trace needs for
 * its reads-from edges. Uninstrumented code writes memory unnoticed; a read that finds bytes with
 * no known store adds an EXTERNAL store to the trace, so that the checker sees what happened.
 */
#ifndef SM_RUNTIME_MODEL_MEMORY_H
#define SM_RUNTIME_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/event.h"

uint64_t sm_memory_read(uintptr_t addr, unsigned size);
void sm_memory_write(uintptr_t addr, unsigned size, uint64_t value);

/* Computes what an RMW stores. A failing CAS turns the event into CAS_FAIL and returns false. */
bool sm_rmw_apply(struct sm_event *event, uint64_t read);
/* The same, but a weak compare-exchange that reads the expected value may fail: a choice. */
bool sm_rmw_perform(struct sm_event *event, uint64_t read);
bool sm_rmw_is_weak(const struct sm_event *event);
/* A weak compare-exchange fails, whatever it has read. */
void sm_rmw_fail(struct sm_event *event, uint64_t read);

void sm_provenance_start(void);
/* For each of `size` bytes at addr, which hold `value` in memory, its record. */
void sm_provenance_get(const struct sm_event *event, uint64_t value, uint64_t rf[8]);
void sm_provenance_set(uintptr_t addr, unsigned size, uint64_t value, uint64_t record);
/* The message of the bytes at addr, kept until other bytes are stored there; for bytes from several
   stores, the join of their messages. */
struct sm_message *sm_provenance_message(uintptr_t addr, unsigned size);
void sm_provenance_set_message(uintptr_t addr, unsigned size, struct sm_message *message);
/* Provenance is needed at all: by the trace or by happens-before. */
bool sm_provenance_on(void);
void sm_provenance_forget(uintptr_t addr, size_t size);

/* Sets event->rf from the records of its bytes; if they differ, sm_parts has them. */
void sm_read_from(struct sm_event *event, const uint64_t rf[8]);

struct sm_parts {
    uint32_t n;
    struct {
        uint8_t offset, size;
        uint64_t rf;
    } part[8];
};
extern struct sm_parts sm_parts; /* of the read just made, if its rf is SM_RF_PARTS */

/* Sequentially consistent accesses: of current memory and provenance. */
void sm_memory_load(struct sm_event *event);
void sm_memory_store(struct sm_event *event);
void sm_memory_rmw(struct sm_event *event);
/* The same; has the value changed? */
bool sm_memory_update(struct sm_event *event);

#endif
