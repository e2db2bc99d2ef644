/*
 * stub_runtime.c - every hook of abi/hooks.def, done natively, for tests of the pass.
 *
 * Linked into a test program in place of the runtime, it shows what the pass emitted:
 *   STUB_WATCH=1   watch every site and function (2: with sm_enter, sm_leave, sm_local_ends)
 *   STUB_DUMP=1    print the tables when a module is added, one line a site
 *   STUB_COUNT=1   print how often each hook was called, at exit
 *   STUB_BUDGET=N  the back-edge counter starts at N and is refilled to N
 * A program must print the same whether it is watched or not: hooks do what the
 * instruction would have done. All output goes to stderr.
 */
#include "sample.h"
#include "site.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../plugin/fast/budget.h"

typedef void V;
typedef uint64_t U64;
typedef void *P;
typedef const struct sm_site *S;

enum hook {
#define SM_HOOK(result, name, parameters) HOOK_##name,
#include "hooks.def"
    HOOK_lib,
    HOOKS
};
static const char *const hook_names[] = {
#define SM_HOOK(result, name, parameters) #name,
#include "hooks.def"
    "sm_lib",
};
#define SM_HOOK(result, name, parameters) result name parameters;
#include "hooks.def"

static atomic_ulong counts[HOOKS];
uint8_t sm_iterations_watched; /* set with STUB_WATCH */
static int64_t full_budget = INT64_MAX;
__thread int64_t sm_budget = INT64_MAX;

static void count(enum hook hook)
{
    atomic_fetch_add_explicit(&counts[hook], 1, memory_order_relaxed);
}

static bool option(const char *name)
{
    const char *value = getenv(name);
    return value && *value && *value != '0';
}

static void check(bool truth, const char *what)
{
    if (truth)
        return;
    fprintf(stderr, "stub: %s\n", what);
    abort();
}

static U64 load(const void *addr, uint32_t size)
{
    U64 value = 0;
    check(size == 1 || size == 2 || size == 4 || size == 8, "size does not fit a register");
    memcpy(&value, addr, size);
    return value;
}

static void store(void *addr, U64 value, uint32_t size)
{
    check(size == 8 || value >> size * 8 == 0, "value is not zero-extended");
    memcpy(addr, &value, size);
}

U64 sm_load(P addr, S site)
{
    count(HOOK_sm_load);
    check(site->kind == SM_SITE_LOAD && site->order == SM_ORDER_PLAIN, "sm_load: wrong row");
    return load(addr, site->size);
}

V sm_store(P addr, U64 value, S site)
{
    count(HOOK_sm_store);
    check(site->kind == SM_SITE_STORE && site->order == SM_ORDER_PLAIN, "sm_store: wrong row");
    store(addr, value, site->size);
}

V sm_load_wide(P result, P addr, S site)
{
    count(HOOK_sm_load_wide);
    check(site->kind == SM_SITE_LOAD, "sm_load_wide: wrong row");
    memcpy(result, addr, site->size);
}

V sm_store_wide(P addr, P value, S site)
{
    count(HOOK_sm_store_wide);
    check(site->kind == SM_SITE_STORE, "sm_store_wide: wrong row");
    memcpy(addr, value, site->size);
}

/* One lock makes all hooked atomics atomic; they are only raced with by other hooks. */
static atomic_flag atomics = ATOMIC_FLAG_INIT;
static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&atomics, memory_order_seq_cst))
        ;
}
static void unlock(void)
{
    atomic_flag_clear_explicit(&atomics, memory_order_seq_cst);
}

U64 sm_atomic_load(P addr, S site)
{
    count(HOOK_sm_atomic_load);
    check(site->kind == SM_SITE_ATOMIC_LOAD && site->order < SM_ORDER_PLAIN, "atomic_load row");
    lock();
    U64 value = load(addr, site->size);
    unlock();
    return value;
}

V sm_atomic_store(P addr, U64 value, S site)
{
    count(HOOK_sm_atomic_store);
    check(site->kind == SM_SITE_ATOMIC_STORE && site->order < SM_ORDER_PLAIN, "atomic_store row");
    lock();
    store(addr, value, site->size);
    unlock();
}

V sm_atomic_load_wide(P result, P addr, S site)
{
    count(HOOK_sm_atomic_load_wide);
    check(site->kind == SM_SITE_ATOMIC_LOAD, "atomic_load_wide row");
    lock();
    memcpy(result, addr, site->size);
    unlock();
}

V sm_atomic_store_wide(P addr, P value, S site)
{
    count(HOOK_sm_atomic_store_wide);
    check(site->kind == SM_SITE_ATOMIC_STORE, "atomic_store_wide row");
    lock();
    memcpy(addr, value, site->size);
    unlock();
}

static int64_t extend(U64 value, uint32_t size)
{
    unsigned shift = 64 - size * 8;
    return (int64_t)(value << shift) >> shift;
}

static U64 apply_float(uint8_t op, U64 old, U64 operand, uint32_t size)
{
    double a, b;
    float f, g;
    if (size == 4) {
        memcpy(&f, &old, 4);
        memcpy(&g, &operand, 4);
        a = f, b = g;
    } else {
        memcpy(&a, &old, 8);
        memcpy(&b, &operand, 8);
    }
    a = op == SM_RMW_FADD   ? a + b
        : op == SM_RMW_FSUB ? a - b
        : op == SM_RMW_FMAX ? fmax(a, b)
                            : fmin(a, b);
    U64 bits = 0;
    f = (float)a;
    memcpy(&bits, size == 4 ? (void *)&f : (void *)&a, size);
    return bits;
}

static U64 apply(uint8_t op, U64 a, U64 b, uint32_t size)
{
    int64_t x = extend(a, size), y = extend(b, size);
    switch ((enum sm_rmw_op)op) {
    case SM_RMW_XCHG:
        return b;
    case SM_RMW_ADD:
        return a + b;
    case SM_RMW_SUB:
        return a - b;
    case SM_RMW_AND:
        return a & b;
    case SM_RMW_NAND:
        return ~(a & b);
    case SM_RMW_OR:
        return a | b;
    case SM_RMW_XOR:
        return a ^ b;
    case SM_RMW_MAX:
        return x > y ? a : b;
    case SM_RMW_MIN:
        return x < y ? a : b;
    case SM_RMW_UMAX:
        return a > b ? a : b;
    case SM_RMW_UMIN:
        return a < b ? a : b;
    case SM_RMW_UINC_WRAP:
        return a >= b ? 0 : a + 1;
    case SM_RMW_UDEC_WRAP:
        return a == 0 || a > b ? b : a - 1;
    default:
        return apply_float(op, a, b, size);
    }
}

U64 sm_atomic_rmw(P addr, U64 operand, S site)
{
    count(HOOK_sm_atomic_rmw);
    check(site->kind == SM_SITE_RMW, "rmw row");
    U64 mask = site->size == 8 ? ~0ull : (1ull << site->size * 8) - 1;
    lock();
    U64 old = load(addr, site->size);
    store(addr, apply(site->op, old, operand, site->size) & mask, site->size);
    unlock();
    return old;
}

U64 sm_atomic_cas(P addr, U64 expected, U64 desired, S site)
{
    count(HOOK_sm_atomic_cas);
    check(site->kind == SM_SITE_CAS && site->order_fail < SM_ORDER_PLAIN, "cas row");
    lock();
    U64 old = load(addr, site->size);
    if (old == expected)
        store(addr, desired, site->size);
    unlock();
    return old;
}

U64 sm_cas_failed(S site)
{
    count(HOOK_sm_cas_failed);
    check(site->kind == SM_SITE_CAS && (site->flags & SM_SITE_WEAK_CAS), "weak cas row");
    return 0;
}

V sm_atomic_rmw_wide(P old, P addr, P operand, S site)
{
    unsigned __int128 a, b;
    count(HOOK_sm_atomic_rmw_wide);
    lock();
    memcpy(old, addr, site->size);
    if (site->op == SM_RMW_XCHG) {
        memcpy(addr, operand, site->size);
    } else {
        check(site->size == 16, "arithmetic on a wide value that is not 16 bytes");
        memcpy(&a, addr, 16);
        memcpy(&b, operand, 16);
        a = site->op == SM_RMW_ADD   ? a + b
            : site->op == SM_RMW_SUB ? a - b
            : site->op == SM_RMW_AND ? (a & b)
            : site->op == SM_RMW_OR  ? (a | b)
            : site->op == SM_RMW_XOR ? (a ^ b)
                                     : ~(a & b);
        memcpy(addr, &a, 16);
    }
    unlock();
}

V sm_atomic_cas_wide(P old, P addr, P expected, P desired, S site)
{
    count(HOOK_sm_atomic_cas_wide);
    lock();
    memcpy(old, addr, site->size);
    if (memcmp(old, expected, site->size) == 0)
        memcpy(addr, desired, site->size);
    unlock();
}

V sm_fence(S site)
{
    count(HOOK_sm_fence);
    check(site->kind == SM_SITE_FENCE, "fence row");
    atomic_thread_fence(memory_order_seq_cst);
}

V sm_asm_access(P addr, U64 size, U64 write, S site)
{
    (void)addr;
    count(HOOK_sm_asm_access);
    check(site->kind == SM_SITE_ASM && size && write <= 1, "asm operand");
}

uint64_t sm_rdtsc(void);
uint64_t sm_rdtsc(void)
{
    return __builtin_ia32_rdtsc();
}

V sm_asm(S site)
{
    count(HOOK_sm_asm);
    check(site->kind == SM_SITE_ASM, "asm row");
}

V sm_copy(P to, P from, U64 size, S site)
{
    count(HOOK_sm_copy);
    check(site->kind == SM_SITE_COPY, "copy row");
    memmove(to, from, size);
}

V sm_fill(P to, U64 byte, U64 size, S site)
{
    count(HOOK_sm_fill);
    check(site->kind == SM_SITE_FILL && byte < 256, "fill row");
    memset(to, (int)byte, size);
}

V sm_iteration(U64 again, U64 state, U64 reload)
{
    (void)state;
    (void)reload;
    check(again <= 7, "an iteration begins over a back edge or not, its locals alive or not, with "
                      "an exit or not");
    count(HOOK_sm_iteration);
}

U64 sm_counted(U64 again, U64 state, U64 reload, U64 n)
{
    (void)state;
    (void)reload;
    (void)n;
    check(again <= 15, "an iteration of a loop that counts begins");
    count(HOOK_sm_counted);
    return 0;
}

V sm_iteration_effect(void)
{
    count(HOOK_sm_iteration_effect);
}

V sm_back_edge(void)
{
    count(HOOK_sm_back_edge);
    sm_budget = full_budget;
}

/* Frames of one thread: every leave must match the enter on top, but for those that an
 * exception or longjmp has removed, which lie below the frame that leaves. */
static __thread struct {
    const void *frame, *function;
} frames[4096];
static __thread unsigned depth;

V sm_line(S site)
{
    count(HOOK_sm_line);
    check(site->kind == SM_SITE_LINE, "line row");
}

V sm_enter(P frame, P function)
{
    count(HOOK_sm_enter);
    while (depth && frames[depth - 1].frame <= frame)
        depth--;
    check(depth < 4096, "too many frames");
    frames[depth].frame = frame;
    frames[depth++].function = function;
}

V sm_argument(P object)
{
    count(HOOK_sm_argument);
    check(depth != 0, "sm_argument without its sm_enter");
    (void)object;
}

V sm_lock_together(U64 begins)
{
    check(begins <= 1, "std::lock begins or ends");
    count(HOOK_sm_lock_together);
}

U64 sm_knows_waiters(void)
{
    count(HOOK_sm_knows_waiters);
    return 0;
}

V sm_ignore_result(void)
{
    count(HOOK_sm_ignore_result);
}

V sm_wait_loop(void)
{
    count(HOOK_sm_wait_loop);
}

V sm_wait_retried(void)
{
    count(HOOK_sm_wait_retried);
}

V sm_unchecked(P object, U64 result, U64 call)
{
    count(HOOK_sm_unchecked);
    check(object != NULL && result != 0, "sm_unchecked: of a call that did not fail");
    (void)call;
}

V sm_leave(P frame, P function)
{
    count(HOOK_sm_leave);
    while (depth && frames[depth - 1].frame < frame)
        depth--;
    check(depth && frames[depth - 1].frame == frame && frames[depth - 1].function == function,
          "sm_leave without its sm_enter");
    depth--;
}

/* Nobody may look at it any more. */
V sm_local_ends(P local, U64 size)
{
    count(HOOK_sm_local_ends);
    check(size != 0, "sm_local_ends of nothing");
    memset(local, 0xdd, size);
}

static void dump_site(const struct sm_module *module, const struct sm_site *site)
{
    static const char *const kinds[] = {
#define SM_SITE_KIND(name, word) #name,
#include "site_kinds.def"
    };
    static const char orders[SM_ORDERS][9] = {"relaxed", "consume", "acquire", "release",
                                              "acq_rel", "seq_cst", "plain"};
    const struct sm_function *function = &module->functions[site->function_index];
    long index = site - module->sites;
    check(index >= function->first_site && index < function->first_site + function->n_sites,
          "a site outside its function's range");
    fprintf(stderr, "site %s:%u:%u %s %s %s size=%u object=%s+%u order=%s fail=%s op=%u flags=%u\n",
            SM_SITE_TEXT(site, file), site->line, site->column, SM_SITE_TEXT(site, function),
            kinds[site->kind], *SM_SITE_TEXT(site, variable) ? SM_SITE_TEXT(site, variable) : "-",
            site->size, SM_SITE_TEXT(site, object) ? SM_SITE_TEXT(site, object) : "-", site->offset,
            orders[site->order], orders[site->order_fail], site->op, site->flags);
}

static void dump(const struct sm_module *module)
{
    fprintf(stderr, "module %s sites=%u functions=%u\n", module->source, module->n_sites,
            module->n_functions);
    for (uint32_t i = 0; i < module->n_functions; i++) {
        const struct sm_function *function = &module->functions[i];
        fprintf(stderr, "function %s %s:%u sites=%u external=%u\n", function->name, function->file,
                function->line, function->n_sites, function->external);
    }
    for (uint64_t i = 0; i < module->n_globals; i++) {
        const struct sm_global *global = &module->globals[i];
        fprintf(stderr, "global %s size=%lu type=%s element=%u local=%u\n", global->name,
                (unsigned long)global->size, global->type ? global->type : "-", global->element,
                global->local);
    }
    for (uint32_t i = 0; i < module->n_sites; i++)
        dump_site(module, &module->sites[i]);
}

static void print_counts(void)
{
    for (int i = 0; i < HOOKS; i++)
        if (counts[i])
            fprintf(stderr, "hook %s %lu\n", hook_names[i], (unsigned long)counts[i]);
}

static void first_module(void)
{
    const char *budget = getenv("STUB_BUDGET");
    if (budget)
        sm_budget = full_budget = atoll(budget);
    if (option("STUB_COUNT"))
        atexit(print_counts);
    /* Watched code looks there: abi/sample.h. */
    check(mmap((void *)SM_SAMPLE_BASE, SM_SAMPLE_SIZE, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
               0) == (void *)SM_SAMPLE_BASE,
          "no room for samples");
}

V sm_module_add(P module)
{
    struct sm_module *added = module;
    static bool again;
    check(added->version == SM_SITE_VERSION, "version");
    if (!again)
        first_module();
    again = true;
    count(HOOK_sm_module_add);
    if (option("STUB_WATCH")) {
        sm_iterations_watched = 1;
        memset(added->watch, SM_WATCH_EVERY, added->n_sites);
        memset(added->function_watch, atoi(getenv("STUB_WATCH")) > 1 ? 7 : 1, added->n_functions);
    }
    if (option("STUB_DUMP"))
        dump(added);
}

V sm_module_remove(P module)
{
    (void)module;
    count(HOOK_sm_module_remove);
}

/* sm_lib_name(arguments..., site) for LIBRARY in core/libc.def, by the type of each function. */
#define LIB(result, name, parameters, arguments)                                                   \
    result sm_lib_##name parameters;                                                               \
    result sm_lib_##name parameters                                                                \
    {                                                                                              \
        count(HOOK_lib);                                                                           \
        check(site->kind == SM_SITE_CALL, "sm_lib_" #name ": wrong row");                          \
        return name arguments;                                                                     \
    }
LIB(int, memcmp, (const void *a, const void *b, size_t n, S site), (a, b, n))
LIB(void *, memchr, (const void *a, int c, size_t n, S site), ((void *)a, c, n))
LIB(size_t, strlen, (const char *a, S site), (a))
LIB(size_t, strnlen, (const char *a, size_t n, S site), (a, n))
LIB(int, strcmp, (const char *a, const char *b, S site), (a, b))
LIB(int, strncmp, (const char *a, const char *b, size_t n, S site), (a, b, n))
LIB(char *, strcpy, (char *a, const char *b, S site), (a, b))
LIB(char *, strncpy, (char *a, const char *b, size_t n, S site), (a, b, n))
LIB(char *, strcat, (char *a, const char *b, S site), (a, b))
LIB(char *, strncat, (char *a, const char *b, size_t n, S site), (a, b, n))
LIB(char *, strchr, (const char *a, int c, S site), ((char *)a, c))
LIB(char *, strrchr, (const char *a, int c, S site), ((char *)a, c))
LIB(char *, strstr, (const char *a, const char *b, S site), ((char *)a, b))
LIB(char *, strdup, (const char *a, S site), (a))

static void library_call(S site, const char *name)
{
    count(HOOK_lib);
    check(site->kind == SM_SITE_CALL, name);
}

/* The number of arguments varies, or there is no result. */
int sm_lib_printf(S site, const char *format, ...);
int sm_lib_printf(S site, const char *format, ...)
{
    va_list arguments;
    library_call(site, "sm_lib_printf: wrong row");
    va_start(arguments, format);
    int n = vprintf(format, arguments);
    va_end(arguments);
    return n;
}

V sm_lib_qsort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *),
               S site)
{
    library_call(site, "sm_lib_qsort: wrong row");
    qsort(array, n, size, compare);
}
