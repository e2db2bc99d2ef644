/*
 * Every atomic operation with every order it may have, by one thread and by two on one variable;
 * some in other sizes and by two threads on variables of their own. Only clang's own library of
 * atomics is used; 16 bytes would need -latomic.
 */
#include "cell.h"
#include <stdatomic.h>

#define LINE 64

static _Alignas(64) _Atomic uint32_t word;
static struct {
    _Alignas(LINE) _Atomic uint32_t word;
} own[MAX_THREADS];
static _Atomic uint8_t of1;
static _Atomic uint16_t of2;
static _Atomic uint64_t of8;
static atomic_flag flag = ATOMIC_FLAG_INIT;

#define ORDERS(X, operation)                                                                       \
    X(operation, relaxed)                                                                          \
    X(operation, acquire)                                                                          \
    X(operation, release)                                                                          \
    X(operation, acq_rel)                                                                          \
    X(operation, seq_cst)
#define OPERATIONS(X)                                                                              \
    X(load, relaxed)                                                                               \
    X(load, consume)                                                                               \
    X(load, acquire)                                                                               \
    X(load, seq_cst)                                                                               \
    X(store, relaxed)                                                                              \
    X(store, release)                                                                              \
    X(store, seq_cst)                                                                              \
    ORDERS(X, exchange)                                                                            \
    ORDERS(X, add)                                                                                 \
    ORDERS(X, sub)                                                                                 \
    ORDERS(X, and)                                                                                 \
    ORDERS(X, or)                                                                                  \
    ORDERS(X, xor)                                                                                 \
    ORDERS(X, strong)                                                                              \
    ORDERS(X, weak)                                                                                \
    ORDERS(X, fails)                                                                               \
    X(fence, acquire)                                                                              \
    X(fence, release)                                                                              \
    X(fence, acq_rel)                                                                              \
    X(fence, seq_cst)                                                                              \
    X(flag, acquire)                                                                               \
    X(flag, seq_cst)

#define do_load(at, order) USE(atomic_load_explicit(at, order))
#define do_store(at, order) atomic_store_explicit(at, (unsigned char)i, order)
#define do_exchange(at, order) USE(atomic_exchange_explicit(at, (unsigned char)i, order))
#define do_add(at, order) USE(atomic_fetch_add_explicit(at, 3, order))
#define do_sub(at, order) USE(atomic_fetch_sub_explicit(at, 3, order))
#define do_and(at, order) USE(atomic_fetch_and_explicit(at, (unsigned char)i, order))
#define do_or(at, order) USE(atomic_fetch_or_explicit(at, (unsigned char)i, order))
#define do_xor(at, order) USE(atomic_fetch_xor_explicit(at, (unsigned char)i, order))
#define do_strong(at, order)                                                                       \
    expected = atomic_load_explicit(at, memory_order_relaxed);                                     \
    atomic_compare_exchange_strong_explicit(at, &expected, expected + 1, order,                    \
                                            memory_order_relaxed)
#define do_weak(at, order)                                                                         \
    expected = atomic_load_explicit(at, memory_order_relaxed);                                     \
    atomic_compare_exchange_weak_explicit(at, &expected, expected + 1, order, memory_order_relaxed)
#define do_fails(at, order)                                                                        \
    expected = 0xabcdef;                                                                           \
    atomic_compare_exchange_strong_explicit(at, &expected, 0xabcdef, order, memory_order_acquire)
#define do_fence(at, order)                                                                        \
    atomic_store_explicit(at, (unsigned char)i, memory_order_relaxed);                             \
    atomic_thread_fence(order)
#define do_flag(at, order)                                                                         \
    USE(atomic_flag_test_and_set_explicit(&flag, order));                                          \
    atomic_flag_clear_explicit(&flag, memory_order_release)

#define ATOMIC_BODY(operation, order)                                                              \
    BODY(operation##_##order)                                                                      \
    {                                                                                              \
        uint32_t expected = 0;                                                                     \
        for (long i = 0; i < context->rounds; i++) {                                               \
            do_##operation(&word, memory_order_##order);                                           \
        }                                                                                          \
        USE(expected);                                                                             \
    }
OPERATIONS(ATOMIC_BODY)

#define OWN(X)                                                                                     \
    X(load, acquire)                                                                               \
    X(store, release)                                                                              \
    X(store, seq_cst)                                                                              \
    X(add, relaxed)                                                                                \
    X(add, seq_cst)                                                                                \
    X(strong, acq_rel)
#define OWN_BODY(operation, order)                                                                 \
    BODY(own_##operation##_##order)                                                                \
    {                                                                                              \
        uint32_t expected = 0;                                                                     \
        for (long i = 0; i < context->rounds; i++) {                                               \
            do_##operation(&own[context->id].word, memory_order_##order);                          \
        }                                                                                          \
        USE(expected);                                                                             \
    }
OWN(OWN_BODY)

#define SIZES(X)                                                                                   \
    X(1, load, acquire)                                                                            \
    X(1, store, release)                                                                           \
    X(1, add, relaxed)                                                                             \
    X(1, add, seq_cst)                                                                             \
    X(2, load, acquire)                                                                            \
    X(2, store, release)                                                                           \
    X(2, add, relaxed)                                                                             \
    X(2, add, seq_cst)                                                                             \
    X(8, load, acquire)                                                                            \
    X(8, store, release)                                                                           \
    X(8, add, relaxed)                                                                             \
    X(8, add, seq_cst)
#define SIZE_BODY(size, operation, order)                                                          \
    BODY(of##size##_##operation##_##order)                                                         \
    {                                                                                              \
        for (long i = 0; i < context->rounds; i++)                                                 \
            do_##operation(&of##size, memory_order_##order);                                       \
    }
SIZES(SIZE_BODY)

/* Atomic accesses between plain ones. */
static uint64_t plain[MAX_THREADS][64];
BODY(among_plain)
{
    for (long i = 0; i < context->rounds; i++) {
        plain[context->id][i % 8] += 1;
        plain[context->id][8 + i % 8] += 1;
        atomic_fetch_add_explicit(&own[context->id].word, 1, memory_order_acq_rel);
    }
}

#define CELLS(operation, order)                                                                    \
    {"atomic/" #operation "/" #order "/alone", 1, operation##_##order, NULL},                      \
        {"atomic/" #operation "/" #order "/contended", 2, operation##_##order, NULL},
#define OWN_CELL(operation, order)                                                                 \
    {"atomic/" #operation "/" #order "/own", 2, own_##operation##_##order, NULL},
#define SIZE_CELL(size, operation, order)                                                          \
    {"atomic/" #operation "/" #order "/size" #size, 1, of##size##_##operation##_##order, NULL},

/* The macros bring their commas. */
/* clang-format off */
const struct cell cells[] = {
    OPERATIONS(CELLS)
    OWN(OWN_CELL)
    SIZES(SIZE_CELL)
    {"atomic/among-plain", 2, among_plain, NULL},
    {"atomic/load/acquire/many", 16, load_acquire, NULL},
    {"atomic/add/seq_cst/many", 16, add_seq_cst, NULL},
    {NULL, 0, NULL, NULL},
};
/* clang-format on */

TWIN(twin_adds)
{
    atomic_fetch_add(&word, 1);
}

TWIN(twin_loads)
{
    USE(atomic_load(&word));
}

TWIN(twin_writes)
{
    *(volatile uint32_t *)(void *)&word = 1;
}

TWIN(twin_reads)
{
    USE(*(volatile uint32_t *)(void *)&word);
}

/* A fence of the wrong kind on one side only. */
static volatile uint64_t datum;
static atomic_int ready;

TWIN(twin_fences)
{
    datum = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

TWIN(twin_forgets)
{
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        __asm__ volatile("pause");
    USE(datum);
}

const struct twin twins[] = {
    {"atomic-and-write", twin_adds, twin_writes},
    {"atomic-load-and-write", twin_loads, twin_writes},
    {"atomic-and-read", twin_adds, twin_reads},
    {"one-fence", twin_fences, twin_forgets},
    {NULL, NULL, NULL},
};
