/*
 * model.h - which stores may this load return, and when does this store take effect?
 *
 * An execution has one model. step.c calls it with the event of the running thread, after the
 * scheduling point; it fills in what was read (value, old, rf), or takes what is stored. It calls
 * sm_choose whenever more than one answer is legal.
 *
 * An access is within one aligned 8-byte granule (hooks.c splits larger ones). Uninstrumented code
 * reads memory directly, so memory always holds what the running thread must see: its own newest
 * stores, delayed or not, over what has landed.
 *
 * Accesses without SM_RECORD_LIED are sequentially consistent in every model.
 */
#ifndef SM_RUNTIME_MODEL_MODEL_H
#define SM_RUNTIME_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/event.h"

struct sm_model {
    bool needs_hb;         /* uses threads' views (hb.h) */
    bool plain_is_relaxed; /* plain accesses take part in synchronisation by fences */
    void (*start)(void);
    /* A scheduling point: delayed stores may land. NULL: none are delayed. */
    void (*point)(struct sm_thread *self);
    /* Another thread is about to run: memory must hold its view. NULL: it does. */
    void (*switched)(struct sm_thread *from, struct sm_thread *to);
    void (*load)(struct sm_event *event);
    void (*store)(struct sm_event *event);
    void (*rmw)(struct sm_event *event);         /* RMW, and CAS (which may become CAS_FAIL) */
    void (*sync)(struct sm_event *event);        /* fences and everything that is not an access */
    void (*forget)(uintptr_t addr, size_t size); /* the memory was freed */
    /* Or NULL. A free; true: it waits behind delayed stores, and the model records it when they
       have landed. */
    bool (*delays_free)(const struct sm_event *event);
    /* The thread's next event flushes its delayed stores. May be NULL. */
    bool (*lands)(const struct sm_thread *thread);
};

#define SM_MODEL(name, word, needs) extern const struct sm_model sm_model_##word;
#include "abi/models.def"

/* For the models that delay no stores: nothing to do. */
void sm_model_no_sync(struct sm_event *event);

/* The model of this execution. */
extern const struct sm_model *sm_model;
void sm_model_start(void);

#endif
