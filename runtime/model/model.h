/*
 * model.h - which stores may this load return, and when does this store take effect?
 *
 * One model serves an execution. It is called by step.c with the event of the running
 * thread, after the scheduling point, and fills in what was read (value, old, rf), or
 * takes what is stored. It asks sm_choose whenever more than one answer is legal.
 *
 * An access lies within one aligned 8-byte granule (hooks.c splits larger ones).
 * Code that is not instrumented reads memory directly, so memory always shows what the
 * running thread must see: its own newest stores, delayed or not, over what has landed.
 *
 * Accesses without SM_RECORD_LIED are sequentially consistent in every model.
 */
#ifndef SM_RUNTIME_MODEL_MODEL_H
#define SM_RUNTIME_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/event.h"

struct sm_model {
    bool needs_hb;         /* asks for threads' views (hb.h) */
    bool plain_is_relaxed; /* plain accesses take part in synchronisation by fences */
    void (*start)(void);
    void (*point)(struct sm_thread *self); /* a scheduling point: delayed stores may land */
    /* Another thread is about to run: memory must show its view. */
    void (*switched)(struct sm_thread *from, struct sm_thread *to);
    void (*load)(struct sm_event *event);
    void (*store)(struct sm_event *event);
    void (*rmw)(struct sm_event *event);         /* RMW, and CAS (which may become CAS_FAIL) */
    void (*sync)(struct sm_event *event);        /* fences and everything that is not an access */
    void (*forget)(uintptr_t addr, size_t size); /* the memory was freed */
    /* What the thread is about to do ends the delay of stores it has made. May be NULL. */
    bool (*lands)(const struct sm_thread *thread);
};

#define SM_MODEL(name, word, needs) extern const struct sm_model sm_model_##word;
#include "abi/models.def"

/* For the models that delay no store: there is nothing to do at these. */
void sm_model_no_point(struct sm_thread *self);
void sm_model_no_switch(struct sm_thread *from, struct sm_thread *to);
void sm_model_no_sync(struct sm_event *event);

/* The model of this execution. */
extern const struct sm_model *sm_model;
void sm_model_start(void);

#endif
