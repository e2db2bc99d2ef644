/*
 * hb.h - happens-before, as vector clocks, kept up with every event (docs/memory-models.md).
 *
 * step.c calls sm_hb_before an access reaches the model and sm_hb_after when it has: the
 * model may ask for the thread's clock in between, and says in event->message which
 * message clock the store it read from carries. A store's own message is made here and
 * handed to the model, which keeps it with the store for as long as it can be read.
 *
 * Only kept when something asks for it (sm_hb_on): the race analysis, or a model whose
 * legality depends on it.
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

/* What was known at the seq_cst fences so far: a seq_cst access, too, is ordered after it. */
const struct sm_clock *sm_hb_sc_fences(void);
/* The number of a seq_cst store, from 1; it is taken when the store is made. */
uint64_t sm_hb_sc_store(void);

const struct sm_view *sm_hb_view(const struct sm_thread *thread);
/* Changes with the view; no other thread ever has the same. */
uint64_t sm_hb_version(const struct sm_thread *thread);
/* The current time of a thread in its own clock. */
uint32_t sm_hb_time(const struct sm_thread *thread);

/* A view that went with a store, or was true at one; shared, and counted. */
struct sm_message {
    struct sm_view view;
    uint32_t references;
    struct sm_message *next; /* once it has been dropped */
};
struct sm_message *sm_message_new(void); /* empty, kept once */
void sm_message_add(struct sm_message *to, const struct sm_message *from);
struct sm_message *sm_message_keep(struct sm_message *message); /* NULL is fine */
void sm_message_drop(struct sm_message *message);
/* The thread's view now. The caller keeps it for as long as it needs it. */
struct sm_message *sm_hb_snapshot(const struct sm_thread *thread);
/* What happens before the store of this event, itself included: the thread's view, and what
   a read-modify-write acquires by its read. Kept for the caller. */
struct sm_message *sm_hb_view_of_store(const struct sm_event *event);

#endif
