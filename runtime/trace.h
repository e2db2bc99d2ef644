/*
 * trace.h - the runtime's side of the trace: writes records to shared memory, and hashes them.
 *
 * The hash covers events, not the auxiliary records (PART, EXTERNAL), and of an event everything
 * except its reads-from edge and stack: so it is the same whether or not records are kept.
 */
#ifndef SM_RUNTIME_TRACE_H
#define SM_RUNTIME_TRACE_H

#include "runtime/event.h"

void sm_trace_start(void);
/* Appends the event, and the parts of its read if it has any. Sets event->index. */
void sm_trace_append(struct sm_event *event);
/* Takes the value of the event appended last out of the hash: memory between blocks holds notes of
   the heap, which differ when an execution is recorded. */
void sm_trace_forget_value(const struct sm_event *event);
/* The record of an event that is appended later, by sm_trace_put. */
struct sm_record sm_trace_record(const struct sm_event *event);
void sm_trace_put(const struct sm_record *record);
/* A delayed store of `thread` lands. */
void sm_trace_flush(struct sm_thread *thread, uintptr_t addr, unsigned size, uint64_t value,
                    uint64_t store);
/* A store by uninstrumented code that the read `event` has found; returns its index. */
uint64_t sm_trace_external(const struct sm_event *event, uint64_t value);
/* For a read that came before its store: sets the record of the store. */
void sm_trace_set_source(uint64_t read, uint64_t store);
/* The index that the next record will have. */
uint64_t sm_trace_next(void);

/* The program has read from the descriptor: a replay names it when it diverges. */
void sm_trace_read_from(int fd);

#endif
