/*
 * hooks.c - what the pass calls: fill an event, take a step, return its value.
 *
 * A hook may be called by a thread that is not under control (before main, in a forked child whose
 * watch bytes were not yet cleared, from a signal handler inside the runtime): it then performs
 * the operation natively.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/sys.h"
#include "core/results.h"
#include "core/rmw.h"
#include "runtime/assume.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/engine.h"
#include "runtime/harm.h"
#include "runtime/intercept/real.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "runtime/policy/policy.h"
#include "runtime/sample.h"
#include "runtime/sched/sched.h"
#include "runtime/step.h"

typedef void V;
typedef uint64_t U64;
typedef void *P;
typedef const struct sm_site *S;
#define SM_HOOK(result, name, parameters) SM_EXPORT result name parameters;
#include "abi/hooks.def"

extern _Thread_local int64_t sm_budget __attribute__((tls_model("initial-exec")));

static uint8_t record_flags(S site)
{
    return (uint8_t)((site->flags & SM_SITE_VOLATILE ? SM_RECORD_VOLATILE : 0) |
                     (site->flags & SM_SITE_KEPT ? SM_RECORD_KEPT : 0));
}

/* --volatile seq_cst: like Java's volatile, an atomic. */
static bool is_java_volatile(S site)
{
    return (site->flags & SM_SITE_VOLATILE) && sm_option(volatile_as) == SM_VOLATILE_SEQ_CST;
}

static int atomic_kind(int kind)
{
    return kind == SM_EV_LOAD ? SM_EV_ATOMIC_LOAD : kind == SM_EV_STORE ? SM_EV_ATOMIC_STORE : kind;
}

/* Sites that take the slow path. */
static bool is_special(S site)
{
    return site->flags & (SM_SITE_VOLATILE | SM_SITE_ASSUMED);
}

/* The program's stack pointer when it called the hook. */
#define SM_STACK_POINTER() ((uintptr_t)__builtin_frame_address(0) + 16)

static struct sm_event access_event(struct sm_thread *self, int kind, P addr, unsigned size, S site)
{
    return (struct sm_event){.kind = (uint8_t)kind,
                             .size = (uint8_t)size,
                             .order = site->order,
                             .order_fail = site->order_fail,
                             .op = site->op,
                             .flags = record_flags(site),
                             .thread = self,
                             .site = site,
                             .addr = (uintptr_t)addr,
                             .rf = SM_RF_NONE};
}

/* ---- accesses of 1 to 8 bytes ---- */

static bool fits_granule(P addr, unsigned size)
{
    return (uintptr_t)addr % 8 + size <= 8;
}

/* This element is not sampled: as if the site were not watched. */
static bool is_unseen(int kind, P addr, S site)
{
    if (kind != SM_EV_LOAD && kind != SM_EV_STORE) {
        sm_sample_keep((uintptr_t)addr);
        return false;
    }
    return !sm_sample_has((uintptr_t)addr, site);
}

static void pass_over(int kind, uintptr_t addr, char *bytes, unsigned size)
{
    if (kind == SM_EV_LOAD)
        memcpy(bytes, (const void *)addr, size);
    else
        memcpy((void *)addr, bytes, size);
}

static void access_piece(struct sm_thread *self, int kind, P addr, char *bytes, unsigned size,
                         uint8_t more, S site)
{
    struct sm_event event = access_event(self, kind, addr, size, site);
    if (SM_UNLIKELY(is_java_volatile(site)))
        event.order = SM_ORDER_SEQ_CST;
    event.flags |= more;
    if (kind == SM_EV_STORE || kind == SM_EV_ATOMIC_STORE)
        memcpy(&event.value, bytes, size);
    if (more)
        sm_step_more(&event);
    else
        sm_step(&event);
    if (kind == SM_EV_LOAD || kind == SM_EV_ATOMIC_LOAD)
        memcpy(bytes, &event.value, size);
}

/* Reads or writes any number of bytes, a granule at a time, as one access; but with an engine that
   explores every order, others may come between the pieces of a non-atomic one. */
static void wide_access(struct sm_thread *self, int kind, P addr, P data, uint64_t size, S site)
{
    uintptr_t at = (uintptr_t)addr;
    char *bytes = data;
    uint8_t more = 0;
    if (is_java_volatile(site))
        kind = atomic_kind(kind);
    while (size) {
        unsigned piece = 8 - at % 8;
        if (piece > size)
            piece = (unsigned)size;
        if (is_unseen(kind, (P)at, site)) {
            pass_over(kind, at, bytes, piece);
        } else {
            access_piece(self, kind, (P)at, bytes, piece, more, site);
            more = sm_engine->by_bytes && kind <= SM_EV_STORE ? 0 : SM_RECORD_MORE;
        }
        at += piece;
        bytes += piece;
        size -= piece;
    }
}

/* ---- volatile and repaired accesses ---- */

/* The frame of the function that called the hook; it keeps its frame pointer. */
#define SM_CALLERS_FRAME() (*(uintptr_t *)__builtin_frame_address(0))
/* The call of the hook. */
#define SM_WHERE() ((struct where){SM_CALLERS_FRAME(), SM_CALLER()})
struct where {
    uintptr_t frame;
    void *pc;
};

/* The kind in the site's row, which a repair may have changed. */
static int row_kind(int kind, S site)
{
    bool reads = kind == SM_EV_LOAD || kind == SM_EV_ATOMIC_LOAD;
    if (reads)
        return site->kind == SM_SITE_LOAD ? SM_EV_LOAD : SM_EV_ATOMIC_LOAD;
    return site->kind == SM_SITE_STORE ? SM_EV_STORE : SM_EV_ATOMIC_STORE;
}

static void merged_access(struct sm_thread *self, int kind, P addr, P data, S site)
{
    bool reads = kind == SM_EV_LOAD || kind == SM_EV_ATOMIC_LOAD;
    struct sm_event event =
        access_event(self, reads ? SM_EV_ATOMIC_LOAD : SM_EV_RMW, addr, site->size, site);
    sm_sample_keep((uintptr_t)addr);
    if (reads)
        sm_assume_merged_load(&event);
    else
        memcpy(&event.value, data, site->size);
    if (reads)
        memcpy(data, &event.value, site->size);
    else
        sm_assume_merged_store(&event);
}

static void assumed_access(struct sm_thread *self, int kind, P addr, P data, S site,
                           struct where where)
{
    uint64_t result = 0, locked = sm_assume_before(site, where.frame, where.pc);
    if (sm_assume_merges(site) && fits_granule(addr, site->size))
        merged_access(self, kind, addr, data, site);
    else if (sm_site_is_watched(site))
        wide_access(self, row_kind(kind, site), addr, data, site->size, site);
    else
        pass_over(kind, (uintptr_t)addr, data, site->size);
    memcpy(&result, data, site->size < 8 ? site->size : 8);
    sm_assume_after(site, locked, result, where.pc);
}

/* A load or store whose site is_special, of any size and order. Inline, because passing `where`
   (two words) on costs a volatile access a third of its time. */
static inline __attribute__((always_inline)) void
special_access(struct sm_thread *self, int kind, P addr, P data, S site, struct where where)
{
    if (site->flags & SM_SITE_ASSUMED)
        assumed_access(self, kind, addr, data, site, where);
    else
        wide_access(self, kind, addr, data, site->size, site);
}

static inline __attribute__((always_inline)) U64 special_load(struct sm_thread *self, int kind,
                                                              P addr, S site, struct where where)
{
    uint64_t value = 0;
    special_access(self, kind, addr, &value, site, where);
    return value;
}

/* ---- plain accesses ---- */

U64 sm_load(P addr, S site)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(!self))
        return sm_memory_read((uintptr_t)addr, site->size);
    if (SM_UNLIKELY(is_special(site)))
        return special_load(self, SM_EV_LOAD, addr, site, SM_WHERE());
    if (SM_UNLIKELY(!fits_granule(addr, site->size))) {
        uint64_t value = 0;
        wide_access(self, SM_EV_LOAD, addr, &value, site->size, site);
        return value;
    }
    if (is_unseen(SM_EV_LOAD, addr, site))
        return sm_memory_read((uintptr_t)addr, site->size);
    struct sm_event event = access_event(self, SM_EV_LOAD, addr, site->size, site);
    event.frame = SM_STACK_POINTER();
    sm_step(&event);
    return event.value;
}

V sm_store(P addr, U64 value, S site)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(!self)) {
        sm_memory_write((uintptr_t)addr, site->size, value);
        return;
    }
    if (SM_UNLIKELY(is_special(site))) {
        special_access(self, SM_EV_STORE, addr, &value, site, SM_WHERE());
        return;
    }
    if (SM_UNLIKELY(!fits_granule(addr, site->size))) {
        wide_access(self, SM_EV_STORE, addr, &value, site->size, site);
        return;
    }
    if (is_unseen(SM_EV_STORE, addr, site)) {
        sm_memory_write((uintptr_t)addr, site->size, value);
        return;
    }
    struct sm_event event = access_event(self, SM_EV_STORE, addr, site->size, site);
    event.frame = SM_STACK_POINTER();
    event.value = value;
    sm_step(&event);
}

static void any_wide_access(struct sm_thread *self, int kind, P addr, P data, S site,
                            struct where where)
{
    if (SM_UNLIKELY(is_special(site)))
        special_access(self, kind, addr, data, site, where);
    else
        wide_access(self, kind, addr, data, site->size, site);
}

V sm_load_wide(P result, P addr, S site)
{
    struct sm_thread *self = sm_self();
    if (self)
        any_wide_access(self, SM_EV_LOAD, addr, result, site, SM_WHERE());
    else
        memcpy(result, addr, site->size);
}

V sm_store_wide(P addr, P value, S site)
{
    struct sm_thread *self = sm_self();
    if (self)
        any_wide_access(self, SM_EV_STORE, addr, value, site, SM_WHERE());
    else
        memcpy(addr, value, site->size);
}

/* ---- atomics ---- */

/* Without control, accesses are done with the strongest order. */

U64 sm_atomic_load(P addr, S site)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(!self))
        return (U64)sm_native_load(addr, site->size);
    if (SM_UNLIKELY(is_special(site)))
        return special_load(self, SM_EV_ATOMIC_LOAD, addr, site, SM_WHERE());
    sm_sample_keep((uintptr_t)addr);
    struct sm_event event = access_event(self, SM_EV_ATOMIC_LOAD, addr, site->size, site);
    event.frame = SM_STACK_POINTER();
    sm_step(&event);
    return event.value;
}

V sm_atomic_store(P addr, U64 value, S site)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(!self)) {
        sm_native_rmw(addr, value, SM_RMW_XCHG, site->size);
        return;
    }
    if (SM_UNLIKELY(is_special(site))) {
        special_access(self, SM_EV_ATOMIC_STORE, addr, &value, site, SM_WHERE());
        return;
    }
    sm_sample_keep((uintptr_t)addr);
    struct sm_event event = access_event(self, SM_EV_ATOMIC_STORE, addr, site->size, site);
    event.frame = SM_STACK_POINTER();
    event.value = value;
    sm_step(&event);
}

static struct sm_event rmw_event(struct sm_thread *self, P addr, unsigned size, S site)
{
    struct sm_event event = access_event(self, SM_EV_RMW, addr, size, site);
    if (SM_UNLIKELY(is_java_volatile(site)))
        event.order = SM_ORDER_SEQ_CST;
    return event;
}

static U64 rmw(struct sm_thread *self, P addr, U64 operand, U64 expected, uint8_t op, S site)
{
    sm_sample_keep((uintptr_t)addr);
    struct sm_event event = rmw_event(self, addr, site->size, site);
    event.op = op;
    event.value = operand;
    event.old = expected;
    sm_step(&event);
    return event.old;
}

/* Around an operation that is neither a load nor a store. */
static uint64_t before(S site, struct where where)
{
    return SM_UNLIKELY(site->flags & SM_SITE_ASSUMED)
               ? sm_assume_before(site, where.frame, where.pc)
               : 0;
}

static void after(S site, uint64_t locked, uint64_t result, void *pc)
{
    if (SM_UNLIKELY(site->flags & SM_SITE_ASSUMED))
        sm_assume_after(site, locked, result, pc);
}

U64 sm_atomic_rmw(P addr, U64 operand, S site)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(!self))
        return (U64)sm_native_rmw(addr, operand, site->op, site->size);
    uint64_t locked = before(site, SM_WHERE());
    uint64_t old = rmw(self, addr, operand, 0, site->op, site);
    after(site, locked, old, SM_CALLER());
    return old;
}

U64 sm_atomic_cas(P addr, U64 expected, U64 desired, S site)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(!self))
        return (U64)sm_native_cas(addr, expected, desired, site->size);
    uint64_t locked = before(site, SM_WHERE());
    uint64_t old = rmw(self, addr, desired, expected, SM_OP_CAS, site);
    after(site, locked, old, SM_CALLER());
    return old;
}

/* ---- atomics of 16 bytes: two records, one step ---- */

static sm_wide get128(const void *from)
{
    sm_wide value;
    memcpy(&value, from, sizeof value);
    return value;
}

V sm_atomic_load_wide(P result, P addr, S site)
{
    struct sm_thread *self = sm_self();
    if (self) {
        any_wide_access(self, SM_EV_ATOMIC_LOAD, addr, result, site, SM_WHERE());
        return;
    }
    sm_wide value = sm_native_load(addr, sizeof value);
    memcpy(result, &value, sizeof value);
}

V sm_atomic_store_wide(P addr, P value, S site)
{
    struct sm_thread *self = sm_self();
    if (self) {
        any_wide_access(self, SM_EV_ATOMIC_STORE, addr, value, site, SM_WHERE());
        return;
    }
    sm_native_rmw(addr, get128(value), SM_RMW_XCHG, sizeof(sm_wide));
}

U64 sm_cas_failed(S site)
{
    (void)site;
    struct sm_thread *self = sm_self();
    bool failed = self && self->cas_failed;
    if (failed)
        self->cas_failed = false;
    return failed;
}

static void rmw_halves(struct sm_thread *self, P addr, uint8_t op, sm_wide operand,
                       sm_wide expected, S site)
{
    for (unsigned i = 0; i < 2; i++) {
        sm_sample_keep((uintptr_t)addr + 8 * i);
        struct sm_event event = rmw_event(self, (char *)addr + 8 * i, 8, site);
        event.op = op;
        event.value = (uint64_t)(operand >> 64 * i);
        event.old = (uint64_t)(expected >> 64 * i);
        event.flags |= i ? SM_RECORD_MORE : 0;
        sm_step_more(&event);
    }
}

/* Exchanges both halves for values computed here: no thread runs in between. */
static void exchange128(struct sm_thread *self, P addr, sm_wide value, S site)
{
    rmw_halves(self, addr, SM_RMW_XCHG, value, 0, site);
}

/* Reads both halves like a failing compare-exchange, even if one of them has the expected value. */
static void fail128(struct sm_thread *self, P addr, sm_wide seen, S site)
{
    rmw_halves(self, addr, SM_OP_CAS, 0, ~seen, site);
}

/* No thread runs between this read and the step that reads it again. */
static sm_wide read128(struct sm_thread *self, P addr, S site)
{
    struct sm_event pending = rmw_event(self, addr, 8, site);
    sm_point(&pending);
    return get128(addr);
}

V sm_atomic_rmw_wide(P old, P addr, P operand, S site)
{
    struct sm_thread *self = sm_self();
    sm_wide seen;
    if (self) {
        uint64_t locked = before(site, SM_WHERE());
        seen = read128(self, addr, site);
        exchange128(self, addr, sm_rmw_result(seen, get128(operand), site->op, sizeof seen), site);
        after(site, locked, (uint64_t)seen ^ (uint64_t)(seen >> 64), SM_CALLER());
    } else {
        seen = sm_native_rmw(addr, get128(operand), site->op, sizeof seen);
    }
    memcpy(old, &seen, sizeof seen);
}

V sm_atomic_cas_wide(P old, P addr, P expected, P desired, S site)
{
    struct sm_thread *self = sm_self();
    sm_wide seen;
    if (self) {
        uint64_t locked = before(site, SM_WHERE());
        seen = read128(self, addr, site);
        if (seen == get128(expected))
            exchange128(self, addr, get128(desired), site);
        else
            fail128(self, addr, seen, site);
        after(site, locked, (uint64_t)seen ^ (uint64_t)(seen >> 64), SM_CALLER());
    } else {
        seen = sm_native_cas(addr, get128(expected), get128(desired), sizeof seen);
    }
    memcpy(old, &seen, sizeof seen);
}

/* ---- fences, assembly ---- */

V sm_fence(S site)
{
    struct sm_thread *self = sm_self();
    if (!self) {
        atomic_thread_fence(memory_order_seq_cst); /* at least what the program asked for */
        return;
    }
    if (site->flags & SM_SITE_SINGLE_THREAD)
        return;
    uint64_t locked = before(site, SM_WHERE());
    struct sm_event event = access_event(self, SM_EV_FENCE, NULL, 0, site);
    if (site->order != SM_ORDER_RELAXED) /* a repair has removed it */
        sm_step(&event);
    after(site, locked, 0, SM_CALLER());
}

/* For the command's notes: each site once. */
static void note_unknown(S site)
{
    uint32_t number = sm_site_number(site), n = sm_control->n_unknown_asm;
    sm_count(UNKNOWN_ASM);
    for (uint32_t i = 0; i < n; i++)
        if (sm_control->unknown_asm[i] == number)
            return;
    if (n < SM_MAX_UNKNOWN_ASM) {
        sm_control->unknown_asm[n] = number;
        sm_control->n_unknown_asm = n + 1;
    }
}

/* Assembly that does not clobber memory orders nothing: only its operands count. */
V sm_asm(S site)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    before(site, SM_WHERE());
    note_unknown(site);
    if (sm_engine->unknown_asm && !site->size)
        sm_engine->unknown_asm(site);
    struct sm_event event = access_event(self, SM_EV_ASM, NULL, 0, site);
    event.order = SM_ORDER_SEQ_CST;
    if (site->flags & SM_SITE_SINGLE_THREAD)
        sm_point(&event);
    else
        sm_step(&event);
}

V sm_asm_access(P addr, U64 size, U64 write, S site)
{
    if (sm_self())
        sm_range_atomic(write ? SM_EV_ATOMIC_STORE : SM_EV_ATOMIC_LOAD, addr, size, site);
}

/* ---- ranges ---- */

/* A length that no memory has, such as one below zero: a lie, or a bug. Reading on must end in a
   failure, which is reported; a buffer for it cannot be had. */
static bool is_endless(uint64_t size)
{
    return size > 1ul << 40;
}

static void read_all(struct sm_thread *self, P from, uint64_t size, S site)
{
    char piece[256];
    for (uint64_t done = 0; done < size; done += sizeof piece)
        wide_access(self, SM_EV_LOAD, (char *)from + done, piece, sizeof piece, site);
}

V sm_copy(P to, P from, U64 size, S site)
{
    struct sm_thread *self = sm_self();
    if (!self || size == 0) {
        memmove(to, from, size);
        return;
    }
    if (SM_UNLIKELY(is_endless(size)))
        read_all(self, from, size, site);
    char small[256];
    char *buffer = size <= sizeof small ? small : sm_alloc(size);
    wide_access(self, SM_EV_LOAD, from, buffer, size, site);
    wide_access(self, SM_EV_STORE, to, buffer, size, site);
    if (buffer != small)
        sm_free(buffer, size);
}

V sm_fill(P to, U64 byte, U64 size, S site)
{
    struct sm_thread *self = sm_self();
    if (!self) {
        memset(to, (int)byte, size);
        return;
    }
    char piece[256];
    memset(piece, (int)byte, sizeof piece);
    for (uint64_t done = 0; done < size; done += sizeof piece)
        wide_access(self, SM_EV_STORE, (char *)to + done, piece,
                    size - done < sizeof piece ? size - done : sizeof piece, site);
}

/* ---- control flow ---- */

V sm_back_edge(void)
{
    struct sm_thread *self = sm_self();
    if (!self) {
        sm_budget = INT64_MAX;
        return;
    }
    sm_budget = (int64_t)sm_option(back_edges);
    sm_count(BACK_EDGE);
    sm_yield(SM_CALLER());
}

static U64 begin_iteration(struct sm_iteration at, U64 bits)
{
    at.again = bits & 1;
    at.leaves = bits & 4;
    at.counts = bits & 8;
    return sm_self() && sm_engine->iteration && sm_engine->iteration(&at) && at.counts;
}

V sm_iteration(U64 again, U64 state, U64 reload)
{
    const uintptr_t *frame = __builtin_frame_address(0);
    begin_iteration((struct sm_iteration){.loop = (uintptr_t)SM_CALLER(),
                                          .frame = (uintptr_t)frame,
                                          .forgotten = again & 2 ? *frame : (uintptr_t)frame,
                                          .state = state,
                                          .reload = reload},
                    again);
}

U64 sm_counted(U64 again, U64 state, U64 reload, U64 count)
{
    const uintptr_t *frame = __builtin_frame_address(0);
    return begin_iteration((struct sm_iteration){.loop = (uintptr_t)SM_CALLER(),
                                                 .frame = (uintptr_t)frame,
                                                 .forgotten = again & 2 ? *frame : (uintptr_t)frame,
                                                 .state = state,
                                                 .reload = reload,
                                                 .count = count},
                           again);
}

V sm_iteration_effect(void)
{
    if (sm_self() && sm_engine->iteration_effect)
        sm_engine->iteration_effect();
}

V sm_line(S site)
{
    if (sm_self())
        sm_assume_visit(site, SM_CALLERS_FRAME(), SM_CALLER());
}

V sm_enter(P frame, P function)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    sm_assume_enter((uintptr_t)frame, function, SM_CALLER());
    struct sm_event event = sm_sync_event(SM_EV_ENTER, function, (uintptr_t)frame, SM_CALLER());
    if (sm_option(atomicity))
        sm_sync(&event);
}

V sm_argument(P object)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    struct sm_event event = sm_sync_event(SM_EV_ARGUMENT, object, 0, SM_CALLER());
    if (sm_option(atomicity))
        sm_sync(&event);
}

V sm_ignore_result(void)
{
    struct sm_thread *self = sm_self();
    if (self)
        self->ignores_result = true;
}

V sm_lock_together(U64 begins)
{
    if (sm_self() && sm_engine->lock_together)
        sm_engine->lock_together(begins);
}

U64 sm_knows_waiters(void)
{
    return sm_self() && sm_engine->knows_waiters && sm_engine->knows_waiters();
}

V sm_wait_loop(void)
{
    if (sm_self() && sm_engine->wait_loop)
        sm_engine->wait_loop();
}

V sm_wait_retried(void)
{
    struct sm_thread *self = sm_self();
    if (self)
        self->retries_wait = true;
}

V sm_unchecked(P object, U64 result, U64 call)
{
    char name[64] = "", text[SM_HARM_DETAIL];
    int number = errno;
    if (!sm_self())
        return;
    if (object)
        sm_format(name, sizeof name, "{name 0x%lx}", (unsigned long)(uintptr_t)object);
    sm_result_describe((enum sm_result_of)call, (int64_t)result, number, name, text, sizeof text);
    if (*text)
        sm_harm(SM_FAILURE_UNCHECKED, (uintptr_t)object, NULL, 0, "%s", text);
    errno = number;
}

V sm_leave(P frame, P function)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    sm_assume_leave((uintptr_t)frame, function, SM_CALLER());
    struct sm_event event = sm_sync_event(SM_EV_LEAVE, function, (uintptr_t)frame, SM_CALLER());
    if (sm_option(atomicity))
        sm_sync(&event);
}

V sm_local_ends(P local, U64 size)
{
    struct sm_thread *self = sm_self();
    if (self && sm_engine->returning)
        sm_engine->returning(local, size);
}
