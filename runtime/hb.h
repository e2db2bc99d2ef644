/*
 * hb.h - happens-before, as vector clocks, updated with every event (docs/memory-models.md).
 *
 * step.c calls sm_hb_before before an access reaches the model and sm_hb_after afterwards: the
 * model may use the thread's clock in between, and sets event->message_read to the message of the
 * store read from. A store's own message (event->message) is made here; the model keeps it with
 * the store as long as that can be read.
 *
 * Only maintained if needed (sm_hb_on): by the race analysis, or a model that depends on it.
 */
#ifndef SM_RUNTIME_HB_H
#define SM_RUNTIME_HB_H

#include <stdbool.h>

#include "core/view.h"
#include "runtime/event.h"

extern bool sm_hb_on;

void sm_hb_start(bool on, bool coherent, bool plain_is_relaxed);
void sm_hb_before(struct sm_event *event);
void sm_hb_after(struct sm_event *event);
/* An event that is not an access. */
void sm_hb_sync(const struct sm_event *event);

/* The view at the seq_cst fences so far: seq_cst accesses, too, are ordered after it. */
const struct sm_clock *sm_hb_sc_fences(void);
/* The number of a seq_cst store, from 1; drawn when the store is made. */
uint64_t sm_hb_sc_store(void);

const struct sm_view *sm_hb_view(const struct sm_thread *thread);
/* Changes with the view; unique among all threads. */
uint64_t sm_hb_version(const struct sm_thread *thread);
/* The current time of a thread in its own clock. */
uint32_t sm_hb_time(const struct sm_thread *thread);

/* A view that is attached to a store, or was that of its thread; shared, with a reference count. */
struct sm_message {
    struct sm_view view;
    uint32_t references;
    struct sm_message *next; /* once it has been dropped */
};
struct sm_message *sm_message_new(void); /* empty, kept once */
void sm_message_add(struct sm_message *to, const struct sm_message *from);
struct sm_message *sm_message_keep(struct sm_message *message); /* NULL is fine */
void sm_message_drop(struct sm_message *message);
/* The thread's current view. The caller keeps it for as long as it needs it. */
struct sm_message *sm_hb_snapshot(const struct sm_thread *thread);
/* What happens before the store of this event, including the store: the thread's view, and what a
   read-modify-write acquires by its read. The caller owns a reference. */
struct sm_message *sm_hb_view_of_store(const struct sm_event *event);

#endif
