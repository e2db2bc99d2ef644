/*
 * tsan.c - the functions of the headers sanitizer/, for both runtimes.
 *
 * The pass calls sm_lib_NAME, which has the site, in place of NAME. NAME itself is for code that
 * the pass has not seen (compiled with -fsanitize=thread, for example). The functions that query
 * ThreadSanitizer's reports answer that there is none.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi/site.h"
#include "base/sys.h"
#include "core/libc/dynamic_annotations.h"
#include "core/libc/range.h"
#include "core/libc/real.h"
#include "core/rmw.h"

typedef const struct sm_site *S;
typedef void V;
typedef uint64_t U64;
typedef void *P;
#define SM_HOOK(result, name, parameters) SM_EXPORT result name parameters;
#include "abi/hooks.def"

/* No declarations: programs have the headers of their compiler. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-declarations"

/* ---- checks ---- */

#define SM_TSAN_CHECK(name, size, kind)                                                            \
    SM_EXPORT void sm_lib_##name(void *addr, S site)                                               \
    {                                                                                              \
        sm_range(SM_EV_##kind, addr, size, site);                                                  \
    }                                                                                              \
    SM_EXPORT void name(void *addr)                                                                \
    {                                                                                              \
        sm_range_called(SM_EV_##kind, addr, size);                                                 \
    }
#define SM_TSAN_RANGE(name, kind)                                                                  \
    SM_EXPORT void sm_lib_##name(void *addr, unsigned long size, S site)                           \
    {                                                                                              \
        sm_range(SM_EV_##kind, addr, size, site);                                                  \
    }                                                                                              \
    SM_EXPORT void name(void *addr, unsigned long size)                                            \
    {                                                                                              \
        sm_range_called(SM_EV_##kind, addr, size);                                                 \
    }
#include "core/tsan.def"

/* A store that does not change a vtable pointer does not race with reads of it. */
SM_EXPORT void sm_lib___tsan_vptr_update(void **place, void *value, S site)
{
    if (*place != value)
        sm_range(SM_EV_STORE, place, sizeof *place, site);
}

SM_EXPORT void __tsan_vptr_update(void **place, void *value)
{
    if (*place != value)
        sm_range_called(SM_EV_STORE, place, sizeof *place);
}

SM_EXPORT void __tsan_external_read(void *addr, SM_UNUSED void *pc, SM_UNUSED void *tag)
{
    sm_range_called(SM_EV_LOAD, addr, 1);
}

SM_EXPORT void __tsan_external_write(void *addr, SM_UNUSED void *pc, SM_UNUSED void *tag)
{
    sm_range_called(SM_EV_STORE, addr, 1);
}

#define UNALIGNED(bits)                                                                            \
    SM_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void *from)                    \
    {                                                                                              \
        uint##bits##_t value;                                                                      \
        sm_range_called(SM_EV_LOAD, from, sizeof value);                                           \
        memcpy(&value, from, sizeof value);                                                        \
        return value;                                                                              \
    }                                                                                              \
    SM_EXPORT void __sanitizer_unaligned_store##bits(void *to, uint##bits##_t value)               \
    {                                                                                              \
        sm_range_called(SM_EV_STORE, to, sizeof value);                                            \
        memcpy(to, &value, sizeof value);                                                          \
    }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)

/* What clang calls in place of memcpy and its like with -fsanitize=thread. A copy of a struct to
   itself is legal there. */
static void *move(void *to, const void *from, size_t size)
{
    sm_range_called(SM_EV_LOAD, from, size);
    sm_range_called(SM_EV_STORE, to, size);
    return memmove(to, from, size);
}

SM_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    return move(to, from, size);
}

SM_EXPORT void *__tsan_memmove(void *to, const void *from, size_t size)
{
    return move(to, from, size);
}

SM_EXPORT void *__tsan_memset(void *to, int byte, size_t size)
{
    sm_range_called(SM_EV_STORE, to, size);
    return memset(to, byte, size);
}

/* ---- system calls ---- */

#define ARGUMENTS_2 a, b
#define ARGUMENTS_3 a, b, c
#define ARGUMENTS_4 a, b, c, d
#define ARGUMENTS_6 a, b, c, d, e, f
#define PARAMETERS_2 long a, long b
#define PARAMETERS_3 PARAMETERS_2, long c
#define PARAMETERS_4 PARAMETERS_3, long d
#define PARAMETERS_6 PARAMETERS_4, long e, long f

static void call_wrote(const long *arguments, unsigned nth, long result, S site)
{
    const void *buffer = (const void *)arguments[nth];
    if (result > 0 && site)
        sm_range_more(SM_EV_STORE, buffer, (size_t)result, site);
    else if (result > 0)
        sm_range_called(SM_EV_STORE, buffer, (size_t)result);
}

static void call_reads(const long *arguments, unsigned nth, unsigned size, S site)
{
    const void *buffer = (const void *)arguments[nth];
    if (site)
        sm_range(SM_EV_LOAD, buffer, (size_t)arguments[size], site);
    else
        sm_range_called(SM_EV_LOAD, buffer, (size_t)arguments[size]);
}

#define SM_SYSCALL_IN(name, n, nth)                                                                \
    SM_EXPORT void __sanitizer_syscall_pre_impl_##name(void) {}                                    \
    SM_EXPORT void sm_lib___sanitizer_syscall_post_impl_##name(long result, PARAMETERS_##n,        \
                                                               S site)                             \
    {                                                                                              \
        call_wrote((long[]){ARGUMENTS_##n}, nth, result, site);                                    \
    }                                                                                              \
    SM_EXPORT void __sanitizer_syscall_post_impl_##name(long result, PARAMETERS_##n)               \
    {                                                                                              \
        call_wrote((long[]){ARGUMENTS_##n}, nth, result, NULL);                                    \
    }
#define SM_SYSCALL_OUT(name, n, nth, size)                                                         \
    SM_EXPORT void __sanitizer_syscall_post_impl_##name(void) {}                                   \
    SM_EXPORT void sm_lib___sanitizer_syscall_pre_impl_##name(PARAMETERS_##n, S site)              \
    {                                                                                              \
        call_reads((long[]){ARGUMENTS_##n}, nth, size, site);                                      \
    }                                                                                              \
    SM_EXPORT void __sanitizer_syscall_pre_impl_##name(PARAMETERS_##n)                             \
    {                                                                                              \
        call_reads((long[]){ARGUMENTS_##n}, nth, size, NULL);                                      \
    }
#define SM_SYSCALL_ONLY(name)                                                                      \
    SM_EXPORT void __sanitizer_syscall_pre_impl_##name(void) {}                                    \
    SM_EXPORT void __sanitizer_syscall_post_impl_##name(void) {}
#include "core/syscalls.def"

/* ---- atomics ---- */

enum { ORDERS = SM_ORDER_SEQ_CST + 1 };

/* ThreadSanitizer's numbers are C11's. */
static unsigned order_of(int order)
{
    return order >= 0 && order < ORDERS ? (unsigned)order : SM_ORDER_SEQ_CST;
}

#define SITE(kind_, size_, op_, order_, fail_)                                                     \
    {.file = "?",                                                                                  \
     .function = "?",                                                                              \
     .variable = "",                                                                               \
     .kind = SM_SITE_##kind_,                                                                      \
     .size = size_,                                                                                \
     .op = SM_RMW_##op_,                                                                           \
     .order = order_,                                                                              \
     .order_fail = fail_}
#define SITES(kind, size, op, fail)                                                                \
    {SITE(kind, size, op, 0, fail), SITE(kind, size, op, 1, fail), SITE(kind, size, op, 2, fail),  \
     SITE(kind, size, op, 3, fail), SITE(kind, size, op, 4, fail), SITE(kind, size, op, 5, fail)}

static sm_wide load(const volatile void *from, S site)
{
    sm_wide value = 0;
    if (site->size <= sizeof(U64))
        return sm_atomic_load((void *)from, site);
    sm_atomic_load_wide(&value, (void *)from, site);
    return value;
}

static void store(volatile void *to, sm_wide value, S site)
{
    if (site->size <= sizeof(U64))
        sm_atomic_store((void *)to, (U64)value, site);
    else
        sm_atomic_store_wide((void *)to, &value, site);
}

static sm_wide rmw(volatile void *at, sm_wide operand, S site)
{
    sm_wide old = 0;
    if (site->size <= sizeof(U64))
        return sm_atomic_rmw((void *)at, (U64)operand, site);
    sm_atomic_rmw_wide(&old, (void *)at, &operand, site);
    return old;
}

static sm_wide cas(volatile void *at, sm_wide expected, sm_wide desired, S site)
{
    sm_wide old = 0;
    if (site->size <= sizeof(U64))
        return sm_atomic_cas((void *)at, (U64)expected, (U64)desired, site);
    sm_atomic_cas_wide(&old, (void *)at, &expected, &desired, site);
    return old;
}

#define ATOMIC_RMW(bits, type, word, op_)                                                          \
    SM_EXPORT type __tsan_atomic##bits##_##word(volatile type *at, type operand, int order)        \
    {                                                                                              \
        static const struct sm_site sites[] = SITES(RMW, bits / 8, op_, 0);                        \
        return (type)rmw(at, operand, &sites[order_of(order)]);                                    \
    }
#define ATOMIC_RMWS(bits, type)                                                                    \
    ATOMIC_RMW(bits, type, exchange, XCHG)                                                         \
    ATOMIC_RMW(bits, type, fetch_add, ADD)                                                         \
    ATOMIC_RMW(bits, type, fetch_sub, SUB)                                                         \
    ATOMIC_RMW(bits, type, fetch_and, AND)                                                         \
    ATOMIC_RMW(bits, type, fetch_or, OR)                                                           \
    ATOMIC_RMW(bits, type, fetch_xor, XOR)                                                         \
    ATOMIC_RMW(bits, type, fetch_nand, NAND)
#define ATOMIC(bits, type)                                                                         \
    SM_EXPORT type __tsan_atomic##bits##_load(const volatile type *from, int order)                \
    {                                                                                              \
        static const struct sm_site sites[] = SITES(ATOMIC_LOAD, bits / 8, XCHG, 0);               \
        return (type)load(from, &sites[order_of(order)]);                                          \
    }                                                                                              \
    SM_EXPORT void __tsan_atomic##bits##_store(volatile type *to, type value, int order)           \
    {                                                                                              \
        static const struct sm_site sites[] = SITES(ATOMIC_STORE, bits / 8, XCHG, 0);              \
        store(to, value, &sites[order_of(order)]);                                                 \
    }                                                                                              \
    ATOMIC_RMWS(bits, type)                                                                        \
    SM_EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected,    \
                                                              type desired, int order, int fail)   \
    {                                                                                              \
        static const struct sm_site sites[ORDERS][ORDERS] = {                                      \
            SITES(CAS, bits / 8, XCHG, 0), SITES(CAS, bits / 8, XCHG, 1),                          \
            SITES(CAS, bits / 8, XCHG, 2), SITES(CAS, bits / 8, XCHG, 3),                          \
            SITES(CAS, bits / 8, XCHG, 4), SITES(CAS, bits / 8, XCHG, 5)};                         \
        return (type)cas(at, expected, desired, &sites[order_of(fail)][order_of(order)]);          \
    }                                                                                              \
    SM_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, \
                                                                type desired, int order, int fail) \
    {                                                                                              \
        type old =                                                                                 \
            __tsan_atomic##bits##_compare_exchange_val(at, *expected, desired, order, fail);       \
        bool exchanged = old == *expected;                                                         \
        if (!exchanged)                                                                            \
            *expected = old;                                                                       \
        return exchanged;                                                                          \
    }                                                                                              \
    SM_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected,   \
                                                              type desired, int order, int fail)   \
    {                                                                                              \
        return __tsan_atomic##bits##_compare_exchange_strong(at, expected, desired, order, fail);  \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, sm_wide)

SM_EXPORT void __tsan_atomic_thread_fence(int order)
{
    static const struct sm_site sites[] = SITES(FENCE, 0, XCHG, 0);
    sm_fence(&sites[order_of(order)]);
}

SM_EXPORT void __tsan_atomic_signal_fence(SM_UNUSED int order) {}

/* ---- without effect ---- */

SM_EXPORT void __tsan_func_entry(SM_UNUSED void *pc) {}
SM_EXPORT void __tsan_func_exit(void) {}
SM_EXPORT void __tsan_flush_memory(void) {}
SM_EXPORT void __tsan_check_no_mutexes_held(void) {}

SM_EXPORT void *__tsan_external_register_tag(const char *type)
{
    return (void *)type;
}

SM_EXPORT void __tsan_external_register_header(SM_UNUSED void *tag, SM_UNUSED const char *header) {}
SM_EXPORT void __tsan_external_assign_tag(SM_UNUSED void *addr, SM_UNUSED void *tag) {}

SM_EXPORT void *__tsan_get_current_report(void)
{
    return NULL;
}

#define NO_REPORT(name)                                                                            \
    SM_EXPORT int __tsan_get_report_##name(void)                                                   \
    {                                                                                              \
        return 0;                                                                                  \
    }
NO_REPORT(data)
NO_REPORT(stack)
NO_REPORT(mop)
NO_REPORT(loc)
NO_REPORT(mutex)
NO_REPORT(thread)
NO_REPORT(unique_tid)

SM_EXPORT void __sanitizer_report_error_summary(const char *summary)
{
    sm_warn("%s", summary);
}

/* True once: who asks first may report a crash. */
SM_EXPORT int __sanitizer_acquire_crash_state(void)
{
    static bool taken;
    return !__atomic_test_and_set(&taken, __ATOMIC_RELAXED);
}

SM_EXPORT int __sanitizer_get_module_and_offset_for_pc(void *pc, char *module, size_t room,
                                                       void **offset)
{
    Dl_info found;
    if (!dladdr(pc, &found) || !found.dli_fname)
        return 0;
    if (room)
        snprintf(module, room, "%s", found.dli_fname);
    *offset = (void *)((uintptr_t)pc - (uintptr_t)found.dli_fbase);
    return 1;
}

/* The format asks for lines, which only a symboliser knows: this has what the loader knows. */
SM_EXPORT void __sanitizer_symbolize_pc(void *pc, SM_UNUSED const char *format, char *text,
                                        size_t room)
{
    Dl_info found;
    if (!room)
        return;
    if (!dladdr(pc, &found) || !found.dli_fname)
        found = (Dl_info){.dli_fname = "<unknown module>"};
    snprintf(text, room, "in %s (%s+%#lx)", found.dli_sname ? found.dli_sname : "??",
             found.dli_fname, (unsigned long)((uintptr_t)pc - (uintptr_t)found.dli_fbase));
}

SM_EXPORT void __sanitizer_symbolize_global(void *place, SM_UNUSED const char *format, char *text,
                                            size_t room)
{
    Dl_info found;
    if (room)
        snprintf(text, room, "%s",
                 dladdr(place, &found) && found.dli_sname ? found.dli_sname : "??");
}

/* Functions of AddressSanitizer and of fuzzers: nothing is ever wrong with a container. */
#define NO_EFFECT(type, name, result)                                                              \
    SM_EXPORT type name(void)                                                                      \
    {                                                                                              \
        return result;                                                                             \
    }
NO_EFFECT(void, __sanitizer_annotate_contiguous_container, )
NO_EFFECT(void, __sanitizer_annotate_double_ended_contiguous_container, )
NO_EFFECT(int, __sanitizer_verify_contiguous_container, 1)
NO_EFFECT(int, __sanitizer_verify_double_ended_contiguous_container, 1)
NO_EFFECT(void *, __sanitizer_contiguous_container_find_bad_address, NULL)
NO_EFFECT(void *, __sanitizer_double_ended_contiguous_container_find_bad_address, NULL)
NO_EFFECT(void, __sanitizer_print_memory_profile, )
NO_EFFECT(void, __sanitizer_start_switch_fiber, )
NO_EFFECT(void, __sanitizer_finish_switch_fiber, )
NO_EFFECT(void, __sanitizer_weak_hook_memcmp, )
NO_EFFECT(void, __sanitizer_weak_hook_memmem, )
NO_EFFECT(void, __sanitizer_weak_hook_strcmp, )
NO_EFFECT(void, __sanitizer_weak_hook_strncmp, )
NO_EFFECT(void, __sanitizer_weak_hook_strcasecmp, )
NO_EFFECT(void, __sanitizer_weak_hook_strncasecmp, )
NO_EFFECT(void, __sanitizer_weak_hook_strstr, )
NO_EFFECT(void, __sanitizer_weak_hook_strcasestr, )

SM_EXPORT void __sanitizer_sandbox_on_notify(SM_UNUSED void *arguments) {}
SM_EXPORT void __sanitizer_set_death_callback(SM_UNUSED void (*callback)(void)) {}
SM_EXPORT void __sanitizer_print_stack_trace(void) {}
