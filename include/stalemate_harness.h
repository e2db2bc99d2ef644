/*
 * stalemate_harness.h - the common part of all tests written by `stalemate harness`. C and C++.
 *
 * A test calls a library from several threads and asks: is there an order in which the same calls,
 * made one after the other on a fresh object, have the same results? The order must respect program
 * order, the calls of main before and after the threads, and the orders that a combination imposes
 * between two threads. Those are imposed by semaphores, hence part of happens-before, and mean the
 * same in each memory model. If there is no such order, the test fails.
 *
 * A combination is text: what main calls first, what each thread calls, and imposed orders.
 *
 *     push(1) push(2) | pop() push(3) | pop() push(4) | A1<B2
 *
 * A1<B2: the first call of thread A returns before the second call of thread B begins.
 *
 * Results are compared by value. A pointer that is neither NULL nor one that the test passed in is
 * opaque: only equality of opaque values counts, until one is used up (see `needs`).
 */
#ifndef STALEMATE_HARNESS_H
#define STALEMATE_HARNESS_H

#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stalemate.h"

enum {
    STALEMATE_MOST_THREADS = 6,
    STALEMATE_MOST_CALLS = 16, /* of one thread */
    STALEMATE_MOST_STEPS = 40, /* of all threads, with those of main */
    STALEMATE_MOST_VALUES = 6, /* of one call: arguments, or results */
    STALEMATE_MOST_EDGES = 4,
    STALEMATE_MOST_PAYLOADS = 64,
};

enum stalemate_kind {
    STALEMATE_NUMBER,
    STALEMATE_BOOL,
    STALEMATE_POINTER, /* NULL, a payload, or opaque */
    STALEMATE_HANDLE,  /* a number that stands for a resource: opaque, unless it is negative */
    STALEMATE_TEXT,    /* argument: one of a few strings */
};

struct stalemate_value {
    const char *name; /* of an out-parameter; "": the result itself */
    enum stalemate_kind kind;
};

struct stalemate_function {
    const char *name;
    int n_arguments, n_results;
    struct stalemate_value arguments[STALEMATE_MOST_VALUES], results[STALEMATE_MOST_VALUES];
    int needs;    /* a success of this function by the same thread, which is used up; or -1 */
    int reuses;   /* the same, but if there is none the call is made with a new payload */
    int may_fail; /* a call that fails has no effect, and may fail in any state */
    int waits_for, tokens; /* blocks unless that function was called; the first `tokens` do not */
};

/* Values passed as void * and as strings. */
static char stalemate_bytes[STALEMATE_MOST_PAYLOADS][16];
static const char *const stalemate_strings[] = {"", "a", "b", "c"};

struct stalemate_call {
    int function;
    long long arguments[STALEMATE_MOST_VALUES];
};

struct stalemate_results {
    int made; /* 0: not made, because its thread lacks what it needs */
    int n;
    long long handle; /* used up; 0: none */
    long long values[STALEMATE_MOST_VALUES];
};

struct stalemate_holding {
    int function;
    long long value;
};

struct stalemate_thread {
    int n, n_held;
    int calls; /* begun */
    struct stalemate_results results[STALEMATE_MOST_CALLS];
    struct stalemate_holding held[STALEMATE_MOST_CALLS];
};

struct stalemate_payloads {
    const char *base;
    size_t size; /* of one */
    size_t n;
};

struct stalemate_record;
struct stalemate_library {
    const struct stalemate_function *functions;
    int n_functions;
    int has_object; /* 0: global state */
    void *(*create)(void);
    void (*destroy)(void *object);
    void (*call)(void *object, const struct stalemate_call *call, struct stalemate_results *got);
    void (*reset)(void); /* resets payloads to their state before the first call */
    const struct stalemate_payloads *payloads;
    int n_payloads;
    const char *finally;              /* calls of main at the end; a star: until it fails */
    struct stalemate_record *records; /* room for all orders of the calls */
    int n_records;
};

struct stalemate_sequence {
    int n;
    struct stalemate_call calls[STALEMATE_MOST_CALLS];
};

struct stalemate_edge {
    int from, from_call, to, to_call;
};

struct stalemate_plan {
    struct stalemate_sequence before, threads[STALEMATE_MOST_THREADS];
    int n_threads, n_edges;
    struct stalemate_edge edges[STALEMATE_MOST_EDGES];
};

struct stalemate_record;
/* The calls at the end are made by main, too, but use what a thread of their own holds. */
struct stalemate_run {
    const struct stalemate_library *library;
    const struct stalemate_plan *plan;
    void *object;
    struct stalemate_thread before, threads[STALEMATE_MOST_THREADS], finally;
    struct stalemate_sequence finals;
    unsigned long long digests[STALEMATE_MOST_THREADS];
};

/* The test's own memory need not be seen by Stalemate: there is less to record, and nothing of it
   is in the report of a failure. But verify assumes that main depends on a joined thread only
   through what the thread was seen to store: so each thread stores a digest of its results. And a
   loop that is not seen to store anything is a waiting loop: so each call is counted. */
#if defined(__clang__)
#define STALEMATE_UNSEEN                                                                           \
    __attribute__((disable_sanitizer_instrumentation, no_builtin("memcpy", "memmove", "memset")))
#else
#define STALEMATE_UNSEEN
#endif

/* ---- a call ---- */

STALEMATE_UNSEEN static inline void stalemate_got(struct stalemate_results *got, long long value)
{
    got->values[got->n++] = value;
}

STALEMATE_UNSEEN static inline void stalemate_got_pointer(struct stalemate_results *got,
                                                          const volatile void *value)
{
    stalemate_got(got, (long long)(intptr_t)value);
}

/* A number above 0 is success; so is a handle that is not negative. */
STALEMATE_UNSEEN static int stalemate_succeeded(const struct stalemate_function *function,
                                                const struct stalemate_results *results)
{
    if (!results->made || !function->n_results || *function->results[0].name)
        return results->made;
    long long value = results->values[0];
    switch (function->results[0].kind) {
    case STALEMATE_HANDLE:
        return value >= 0;
    case STALEMATE_NUMBER:
        return value > 0;
    default:
        return value != 0;
    }
}

STALEMATE_UNSEEN static int stalemate_take(struct stalemate_thread *thread, int function,
                                           long long *value)
{
    for (int i = 0; i < thread->n_held; i++) {
        if (thread->held[i].function != function)
            continue;
        *value = thread->held[i].value;
        thread->n_held--;
        for (; i < thread->n_held; i++)
            thread->held[i] = thread->held[i + 1];
        return 1;
    }
    return 0;
}

/* Seen. */
static void stalemate_count_call(struct stalemate_thread *thread)
{
    thread->calls++;
}

STALEMATE_UNSEEN static struct stalemate_results *
stalemate_make(const struct stalemate_library *library, void *object,
               const struct stalemate_call *call, struct stalemate_thread *thread)
{
    const struct stalemate_function *function = &library->functions[call->function];
    struct stalemate_results *results = &thread->results[thread->n++];
    results->made = results->n = 0;
    results->handle = 0;
    if (function->needs >= 0 && !stalemate_take(thread, function->needs, &results->handle))
        return results;
    if (function->reuses >= 0)
        stalemate_take(thread, function->reuses, &results->handle);
    results->made = 1;
    stalemate_count_call(thread);
    library->call(object, call, results);
    if (stalemate_succeeded(function, results) && thread->n_held < STALEMATE_MOST_CALLS) {
        struct stalemate_holding *holding = &thread->held[thread->n_held++];
        holding->function = call->function;
        holding->value = results->values[0];
    }
    return results;
}

/* Digest of all results of a thread (FNV-1a, by words). */
STALEMATE_UNSEEN static unsigned long long stalemate_digest(const struct stalemate_thread *thread)
{
    unsigned long long digest = 14695981039346656037ull;
    for (int i = 0; i < thread->n; i++) {
        const struct stalemate_results *results = &thread->results[i];
        digest = (digest ^ (unsigned long long)results->made) * 1099511628211ull;
        for (int k = 0; k < results->n; k++)
            digest = (digest ^ (unsigned long long)results->values[k]) * 1099511628211ull;
    }
    return digest;
}

/* ---- parsing a combination ----

   Without strtol, strlen and the like: a program that calls library functions unknown to verify is
   explored without its reductions (docs/verify.md). */

STALEMATE_UNSEEN static void stalemate_wrong(const char *why, const char *at)
{
    fprintf(stderr, "combination: %s at \"%s\"\n", why, at);
    exit(2);
}

STALEMATE_UNSEEN static int stalemate_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

STALEMATE_UNSEEN static void stalemate_skip_blanks(const char **at)
{
    while (**at == ' ')
        ++*at;
}

STALEMATE_UNSEEN static void stalemate_expect(const char **at, char c)
{
    char why[] = "' ' expected";
    why[1] = c;
    if (**at != c)
        stalemate_wrong(why, *at);
    ++*at;
}

STALEMATE_UNSEEN static long long stalemate_number(const char **at)
{
    int negative = **at == '-';
    long long number = 0;
    *at += negative;
    if (!stalemate_is_digit(**at))
        stalemate_wrong("number expected", *at);
    for (; stalemate_is_digit(**at); ++*at)
        number = number * 10 + (**at - '0');
    return negative ? -number : number;
}

/* The function's name up to its bracket, or NULL. */
STALEMATE_UNSEEN static const char *stalemate_behind(const char *at, const char *name)
{
    while (*name && *at == *name)
        at++, name++;
    return *name || *at != '(' ? NULL : at;
}

STALEMATE_UNSEEN static int stalemate_parse_name(const struct stalemate_library *library,
                                                 const char **at)
{
    for (int i = 0; i < library->n_functions; i++) {
        const char *end = stalemate_behind(*at, library->functions[i].name);
        if (end)
            return *at = end, i;
    }
    return stalemate_wrong("no such function", *at), 0;
}

STALEMATE_UNSEEN static void stalemate_parse_call(const struct stalemate_library *library,
                                                  const char **at, struct stalemate_call *call)
{
    int n = 0;
    call->function = stalemate_parse_name(library, at);
    for (stalemate_expect(at, '('); **at && **at != ')'; *at += **at == ',') {
        if (n == library->functions[call->function].n_arguments)
            stalemate_wrong("too many arguments", *at);
        call->arguments[n++] = stalemate_number(at);
    }
    stalemate_expect(at, ')');
}

STALEMATE_UNSEEN static void stalemate_parse_calls(const struct stalemate_library *library,
                                                   const char **at,
                                                   struct stalemate_sequence *sequence)
{
    for (stalemate_skip_blanks(at); **at && **at != '|'; stalemate_skip_blanks(at)) {
        if (sequence->n == STALEMATE_MOST_CALLS)
            break;
        stalemate_parse_call(library, at, &sequence->calls[sequence->n++]);
    }
}

STALEMATE_UNSEEN static void stalemate_parse_end(const char **at, int n_threads, int *thread,
                                                 int *call)
{
    *thread = **at - 'A';
    if (*thread < 0 || *thread >= n_threads)
        stalemate_wrong("no such thread", *at);
    ++*at;
    *call = (int)stalemate_number(at) - 1;
}

STALEMATE_UNSEEN static void stalemate_parse_edge(const char **at, int n_threads,
                                                  struct stalemate_edge *edge)
{
    stalemate_parse_end(at, n_threads, &edge->from, &edge->from_call);
    stalemate_expect(at, '<');
    stalemate_parse_end(at, n_threads, &edge->to, &edge->to_call);
    stalemate_skip_blanks(at);
}

STALEMATE_UNSEEN static void stalemate_parse(const struct stalemate_library *library,
                                             const char *text, struct stalemate_plan *plan)
{
    const char *at = text;
    plan->before.n = plan->n_threads = plan->n_edges = 0;
    stalemate_parse_calls(library, &at, &plan->before);
    while (*at == '|') {
        at++;
        stalemate_skip_blanks(&at);
        if (*at >= 'A' && *at <= 'F' && stalemate_is_digit(at[1]))
            while (*at && plan->n_edges < STALEMATE_MOST_EDGES)
                stalemate_parse_edge(&at, plan->n_threads, &plan->edges[plan->n_edges++]);
        else if (plan->n_threads < STALEMATE_MOST_THREADS)
            stalemate_parse_calls(library, &at, &plan->threads[plan->n_threads++]);
    }
}

/* ---- runs ---- */

STALEMATE_UNSEEN static int stalemate_calls(const struct stalemate_plan *plan)
{
    int n = 0;
    for (int i = 0; i < plan->n_threads; i++)
        n += plan->threads[i].n;
    return n;
}

STALEMATE_UNSEEN static void stalemate_begin(struct stalemate_run *run,
                                             const struct stalemate_library *library,
                                             const struct stalemate_plan *plan)
{
    run->before.n = run->before.n_held = run->finally.n = run->finally.n_held = run->finals.n = 0;
    for (int i = 0; i < plan->n_threads; i++)
        run->threads[i].n = run->threads[i].n_held = 0;
    run->library = library;
    run->plan = plan;
    library->reset();
    run->object = library->create();
    if (library->has_object && !run->object)
        stalemate_wrong("the object cannot be created", "the beginning");
    for (int i = 0; i < plan->before.n; i++)
        stalemate_make(library, run->object, &plan->before.calls[i], &run->before);
}

/* A star repeats the call until it fails, at most once more than there were calls. */
STALEMATE_UNSEEN static void stalemate_finish(struct stalemate_run *run)
{
    const char *at = run->library->finally;
    int most = stalemate_calls(run->plan) + run->plan->before.n + 1;
    for (stalemate_skip_blanks(&at); *at; stalemate_skip_blanks(&at)) {
        struct stalemate_call call;
        stalemate_parse_call(run->library, &at, &call);
        int times = *at == '*' ? most : 1;
        at += *at == '*';
        while (times-- > 0 && run->finals.n < STALEMATE_MOST_CALLS) {
            run->finals.calls[run->finals.n++] = call;
            if (!stalemate_succeeded(
                    &run->library->functions[call.function],
                    stalemate_make(run->library, run->object, &call, &run->finally)))
                break;
        }
    }
    run->library->destroy(run->object);
}

static sem_t stalemate_semaphores[STALEMATE_MOST_EDGES];

STALEMATE_UNSEEN static unsigned long long stalemate_run_thread(struct stalemate_run *run,
                                                                int thread)
{
    const struct stalemate_plan *plan = run->plan;
    const struct stalemate_sequence *sequence = &plan->threads[thread];
    for (int i = 0; i < sequence->n; i++) {
        for (int k = 0; k < plan->n_edges; k++)
            if (plan->edges[k].to == thread && plan->edges[k].to_call == i)
                sem_wait(&stalemate_semaphores[k]);
        stalemate_make(run->library, run->object, &sequence->calls[i], &run->threads[thread]);
        for (int k = 0; k < plan->n_edges; k++)
            if (plan->edges[k].from == thread && plan->edges[k].from_call == i)
                sem_post(&stalemate_semaphores[k]);
    }
    return stalemate_digest(&run->threads[thread]);
}

/* Reports name a thread after its start function. */
#define STALEMATE_THREAD(letter, number)                                                           \
    static void *stalemate_##letter(void *argument)                                                \
    {                                                                                              \
        struct stalemate_run *run = (struct stalemate_run *)argument;                              \
        run->digests[number] = stalemate_run_thread(run, number);                                  \
        return NULL;                                                                               \
    }
STALEMATE_THREAD(A, 0)
STALEMATE_THREAD(B, 1)
STALEMATE_THREAD(C, 2)
STALEMATE_THREAD(D, 3)
STALEMATE_THREAD(E, 4)
STALEMATE_THREAD(F, 5)

/* Seen. */
static int stalemate_is_digest(const unsigned long long *digest,
                               const struct stalemate_thread *thread)
{
    return *digest == stalemate_digest(thread);
}

STALEMATE_UNSEEN static void stalemate_start(pthread_t *thread, void *(*function)(void *),
                                             void *argument, const char *what)
{
    if (pthread_create(thread, NULL, function, argument) == 0)
        return;
    fprintf(stderr, "a thread cannot be created for %s\n", what);
    exit(3);
}

STALEMATE_UNSEEN static void stalemate_run_threads(struct stalemate_run *run)
{
    static void *(*const functions[])(void *) = {stalemate_A, stalemate_B, stalemate_C,
                                                 stalemate_D, stalemate_E, stalemate_F};
    pthread_t threads[STALEMATE_MOST_THREADS];
    for (int i = 0; i < run->plan->n_threads; i++)
        stalemate_start(&threads[i], functions[i], run, "the calls");
    for (int i = 0; i < run->plan->n_threads; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < run->plan->n_threads; i++)
        if (!stalemate_is_digest(&run->digests[i], &run->threads[i]))
            stalemate_wrong("results changed", "the end");
}

/* ---- comparing ---- */

/* Opaque values of the threads' run, and the corresponding ones of the sequential run. */
struct stalemate_pairs {
    int n;
    long long left[2 * STALEMATE_MOST_CALLS], right[2 * STALEMATE_MOST_CALLS];
};

STALEMATE_UNSEEN static int stalemate_payload(const struct stalemate_library *library,
                                              long long value)
{
    for (int i = 0; i < library->n_payloads; i++) {
        const struct stalemate_payloads *payloads = &library->payloads[i];
        uintptr_t offset = (uintptr_t)value - (uintptr_t)payloads->base;
        if (offset < payloads->size * payloads->n)
            return (int)(offset / payloads->size);
    }
    return -1;
}

STALEMATE_UNSEEN static int stalemate_is_opaque(const struct stalemate_library *library,
                                                enum stalemate_kind kind, long long value)
{
    if (kind == STALEMATE_HANDLE)
        return value >= 0;
    return kind == STALEMATE_POINTER && value && stalemate_payload(library, value) < 0;
}

STALEMATE_UNSEEN static int stalemate_pair(struct stalemate_pairs *pairs, long long left,
                                           long long right)
{
    for (int i = 0; i < pairs->n; i++)
        if (pairs->left[i] == left || pairs->right[i] == right)
            return pairs->left[i] == left && pairs->right[i] == right;
    if (pairs->n < 2 * STALEMATE_MOST_CALLS) {
        pairs->left[pairs->n] = left;
        pairs->right[pairs->n++] = right;
    }
    return 1;
}

STALEMATE_UNSEEN static void stalemate_unpair(struct stalemate_pairs *pairs, long long left)
{
    for (int i = 0; i < pairs->n; i++)
        if (pairs->left[i] == left) {
            pairs->left[i] = pairs->left[--pairs->n];
            pairs->right[i] = pairs->right[pairs->n];
        }
}

STALEMATE_UNSEEN static int stalemate_same(const struct stalemate_library *library, int function,
                                           const struct stalemate_results *left,
                                           const struct stalemate_results *right,
                                           struct stalemate_pairs *pairs)
{
    const struct stalemate_function *called = &library->functions[function];
    if (left->made != right->made)
        return 0;
    if (left->handle)
        stalemate_unpair(pairs, left->handle);
    for (int i = 0; i < left->n; i++) {
        long long l = left->values[i], r = right->values[i];
        int opaque = stalemate_is_opaque(library, called->results[i].kind, l) &&
                     stalemate_is_opaque(library, called->results[i].kind, r);
        if (opaque ? !stalemate_pair(pairs, l, r) : l != r)
            return 0;
    }
    return 1;
}

/* ---- sequential runs ----

   They are made before the threads start: then a failing execution ends with what the threads did,
   and verify makes them once for all executions of a combination. A separate thread makes them:
   each thread has its own heap under Stalemate, so the object that the threads share is at
   addresses that no sequential run has used for anything else. */

/* One order of the calls, and their results: those of main before, of the threads, of main at the
   end. */
struct stalemate_record {
    int threads[STALEMATE_MOST_STEPS], n_calls; /* the thread of the i-th call */
    int fails[STALEMATE_MOST_STEPS];            /* not made: it failed without effect */
    int n_finals;
    struct stalemate_results results[STALEMATE_MOST_STEPS];
};

struct stalemate_search {
    const struct stalemate_library *library;
    const struct stalemate_plan *plan;
    struct stalemate_record *records;
    int n, room;
    struct stalemate_record next;
};

STALEMATE_UNSEEN static int stalemate_count_made(const struct stalemate_plan *plan, const int *made,
                                                 int function)
{
    int n = 0;
    for (int i = 0; i < plan->before.n; i++)
        n += plan->before.calls[i].function == function;
    for (int t = 0; t < plan->n_threads; t++)
        for (int i = 0; i < made[t]; i++)
            n += plan->threads[t].calls[i].function == function;
    return n;
}

/* An order in which a call would block is not valid. */
STALEMATE_UNSEEN static int stalemate_may_be_next(const struct stalemate_search *search,
                                                  const int *made, int thread)
{
    const struct stalemate_plan *plan = search->plan;
    if (made[thread] == plan->threads[thread].n)
        return 0;
    int next = plan->threads[thread].calls[made[thread]].function;
    const struct stalemate_function *function = &search->library->functions[next];
    if (function->waits_for >= 0 &&
        function->tokens + stalemate_count_made(plan, made, function->waits_for) <=
            stalemate_count_made(plan, made, next))
        return 0;
    for (int i = 0; i < plan->n_edges; i++) {
        const struct stalemate_edge *edge = &plan->edges[i];
        if (edge->to == thread && edge->to_call == made[thread] &&
            made[edge->from] <= edge->from_call)
            return 0;
    }
    return 1;
}

STALEMATE_UNSEEN static void stalemate_run_in_order(const struct stalemate_search *search,
                                                    struct stalemate_record *record)
{
    static struct stalemate_run run;
    int n = search->plan->before.n;
    stalemate_begin(&run, search->library, search->plan);
    for (int i = 0; i < n; i++)
        record->results[i] = run.before.results[i];
    for (int i = 0; i < record->n_calls; i++) {
        int t = record->threads[i];
        struct stalemate_thread *thread = &run.threads[t];
        const struct stalemate_call *call = &search->plan->threads[t].calls[thread->n];
        if (record->fails[i])
            record->results[n++].made = thread->results[thread->n++].made = 0;
        else
            record->results[n++] = *stalemate_make(run.library, run.object, call, thread);
    }
    stalemate_finish(&run);
    for (int i = 0; i < run.finals.n && n < STALEMATE_MOST_STEPS; i++)
        record->results[n++] = run.finally.results[i];
    record->n_finals = run.finals.n;
}

STALEMATE_UNSEEN static void stalemate_enumerate(struct stalemate_search *search, int *made)
{
    struct stalemate_record *next = &search->next;
    if (next->n_calls == stalemate_calls(search->plan)) {
        if (search->n == search->room)
            stalemate_wrong("too many orders", "the combination");
        struct stalemate_record *record = &search->records[search->n++];
        record->n_calls = next->n_calls;
        for (int i = 0; i < next->n_calls; i++) {
            record->threads[i] = next->threads[i];
            record->fails[i] = next->fails[i];
        }
        stalemate_run_in_order(search, record);
        return;
    }
    for (int t = 0; t < search->plan->n_threads; t++) {
        if (!stalemate_may_be_next(search, made, t))
            continue;
        int function = search->plan->threads[t].calls[made[t]++].function, i = next->n_calls++;
        next->threads[i] = t;
        for (next->fails[i] = search->library->functions[function].may_fail; next->fails[i] >= 0;
             next->fails[i]--)
            stalemate_enumerate(search, made);
        made[t]--;
        next->n_calls--;
    }
}

STALEMATE_UNSEEN static void *stalemate_sequential_runs(void *argument)
{
    int made[STALEMATE_MOST_THREADS] = {0};
    stalemate_enumerate((struct stalemate_search *)argument, made);
    return NULL;
}

/* ---- is there an explanation? ---- */

struct stalemate_verdict {
    int explained;
    /* The order with the longest prefix of agreeing results, its length, and the next call
       there. */
    const struct stalemate_record *nearest;
    int agreed;
};

/* The number of results that equal those observed. */
STALEMATE_UNSEEN static int stalemate_agree(const struct stalemate_run *observed,
                                            const struct stalemate_record *record)
{
    const struct stalemate_plan *plan = observed->plan;
    struct stalemate_pairs pairs;
    int made[STALEMATE_MOST_THREADS] = {0}, n = 0;
    pairs.n = 0;
    for (; n < plan->before.n; n++)
        if (!stalemate_same(observed->library, plan->before.calls[n].function,
                            &observed->before.results[n], &record->results[n], &pairs))
            return n;
    for (int i = 0; i < record->n_calls; i++, n++) {
        int t = record->threads[i], call = made[t]++;
        const struct stalemate_results *results = &observed->threads[t].results[call];
        int function = plan->threads[t].calls[call].function;
        if (record->fails[i] && results->made &&
            !stalemate_succeeded(&observed->library->functions[function], results))
            continue;
        if (record->fails[i] ||
            !stalemate_same(observed->library, function, results, &record->results[n], &pairs))
            return n;
    }
    for (int i = 0; i < observed->finals.n; i++, n++)
        if (i == record->n_finals ||
            !stalemate_same(observed->library, observed->finals.calls[i].function,
                            &observed->finally.results[i], &record->results[n], &pairs))
            return n;
    return n;
}

STALEMATE_UNSEEN static struct stalemate_verdict
stalemate_explain(const struct stalemate_run *observed, const struct stalemate_search *search)
{
    struct stalemate_verdict verdict = {0, NULL, -1};
    int all = search->plan->before.n + stalemate_calls(search->plan) + observed->finals.n;
    for (int i = 0; i < search->n && !verdict.explained; i++) {
        int agreed = stalemate_agree(observed, &search->records[i]);
        verdict.explained = agreed == all;
        if (agreed <= verdict.agreed)
            continue;
        verdict.agreed = agreed;
        verdict.nearest = &search->records[i];
    }
    return verdict;
}

/* ---- the report of a failure ---- */

struct stalemate_text {
    size_t n;
    char text[3000];
};

STALEMATE_UNSEEN static void stalemate_put(struct stalemate_text *to, const char *text)
{
    while (*text && to->n + 1 < sizeof to->text)
        to->text[to->n++] = *text++;
    to->text[to->n] = 0;
}

STALEMATE_UNSEEN static void stalemate_put_number(struct stalemate_text *to, long long number)
{
    char digits[24];
    unsigned long long left =
        number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
    int at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0)
        digits[--at] = '-';
    stalemate_put(to, &digits[at]);
}

/* Opaque values are numbered within this failure: addresses mean nothing to a reader. */
STALEMATE_UNSEEN static void stalemate_put_opaque(struct stalemate_text *to, long long value)
{
    static struct stalemate_pairs seen;
    int i = 0;
    while (i < seen.n && seen.left[i] != value)
        i++;
    if (i == seen.n)
        stalemate_pair(&seen, value, value);
    stalemate_put(to, "#");
    stalemate_put_number(to, i + 1);
}

STALEMATE_UNSEEN static void stalemate_put_value(struct stalemate_text *to,
                                                 const struct stalemate_library *library,
                                                 enum stalemate_kind kind, long long value)
{
    int payload = kind == STALEMATE_POINTER ? stalemate_payload(library, value) : -1;
    if (kind == STALEMATE_BOOL)
        stalemate_put(to, value ? "true" : "false");
    else if (kind == STALEMATE_POINTER && !value)
        stalemate_put(to, "NULL");
    else if (payload >= 0)
        stalemate_put(to, "p"), stalemate_put_number(to, payload);
    else if (kind == STALEMATE_POINTER)
        stalemate_put_opaque(to, value);
    else
        stalemate_put_number(to, value);
}

STALEMATE_UNSEEN static void stalemate_put_results(struct stalemate_text *to,
                                                   const struct stalemate_library *library,
                                                   int function,
                                                   const struct stalemate_results *results)
{
    const struct stalemate_function *called = &library->functions[function];
    if (!results->made)
        stalemate_put(to, " is not made: nothing got to use up");
    for (int i = 0; i < results->n; i++) {
        stalemate_put(to, i ? ", " : " ");
        stalemate_put(to, called->results[i].name);
        stalemate_put(to, *called->results[i].name ? " = " : "= ");
        stalemate_put_value(to, library, called->results[i].kind, results->values[i]);
    }
}

STALEMATE_UNSEEN static void stalemate_put_call(struct stalemate_text *to,
                                                const struct stalemate_library *library,
                                                const struct stalemate_call *call,
                                                const struct stalemate_results *results)
{
    const struct stalemate_function *called = &library->functions[call->function];
    stalemate_put(to, called->name);
    stalemate_put(to, "(");
    for (int i = 0; i < called->n_arguments; i++) {
        stalemate_put(to, i ? ", " : "");
        stalemate_put(to, called->arguments[i].kind == STALEMATE_POINTER ? "p" : "");
        stalemate_put_number(to, call->arguments[i]);
    }
    stalemate_put(to, ")");
    stalemate_put_results(to, library, call->function, results);
}

STALEMATE_UNSEEN static void stalemate_put_thread(struct stalemate_text *to,
                                                  const struct stalemate_library *library,
                                                  const char *who,
                                                  const struct stalemate_sequence *sequence,
                                                  const struct stalemate_thread *thread)
{
    for (int i = 0; i < thread->n; i++) {
        stalemate_put(to, i ? "; " : "\n  ");
        stalemate_put(to, i ? "" : who);
        stalemate_put(to, i ? "" : ": ");
        stalemate_put_call(to, library, &sequence->calls[i], &thread->results[i]);
    }
}

STALEMATE_UNSEEN static void stalemate_put_name(struct stalemate_text *to, int thread, int call)
{
    char letter[] = "A";
    letter[0] = (char)('A' + thread);
    stalemate_put(to, letter);
    stalemate_put_number(to, call + 1);
}

STALEMATE_UNSEEN static void stalemate_put_edges(struct stalemate_text *to,
                                                 const struct stalemate_plan *plan)
{
    for (int i = 0; i < plan->n_edges; i++) {
        stalemate_put(to, "\n  ");
        stalemate_put_name(to, plan->edges[i].from, plan->edges[i].from_call);
        stalemate_put(to, " returned before ");
        stalemate_put_name(to, plan->edges[i].to, plan->edges[i].to_call);
        stalemate_put(to, " began");
    }
}

/* The order that agrees longest, up to the call whose result differs. */
STALEMATE_UNSEEN static void stalemate_put_nearest(struct stalemate_text *to,
                                                   const struct stalemate_run *run,
                                                   const struct stalemate_verdict *verdict)
{
    const struct stalemate_record *record = verdict->nearest;
    int made[STALEMATE_MOST_THREADS] = {0}, n = verdict->agreed - run->plan->before.n;
    stalemate_put(to, "\n  nearest order: ");
    for (int i = 0; i < record->n_calls && i <= n; i++) {
        int t = record->threads[i], call = made[t]++;
        stalemate_put(to, i ? ", " : "");
        stalemate_put_name(to, t, call);
        if (i < n)
            continue;
        stalemate_put(to, ", which is ");
        stalemate_put_call(to, run->library, &run->plan->threads[t].calls[call],
                           &record->results[verdict->agreed]);
    }
    if (n >= record->n_calls) {
        stalemate_put(to, "; then, at the end, ");
        stalemate_put_call(to, run->library, &run->finals.calls[n - record->n_calls],
                           &record->results[verdict->agreed]);
    }
}

STALEMATE_UNSEEN static void stalemate_put_failure(struct stalemate_text *to,
                                                   const struct stalemate_run *run,
                                                   const struct stalemate_verdict *verdict,
                                                   const char *combination)
{
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    stalemate_put(to, "a sequential order of the calls explains their results: no, none does");
    stalemate_put_thread(to, run->library, "before", &run->plan->before, &run->before);
    for (int i = 0; i < run->plan->n_threads; i++)
        stalemate_put_thread(to, run->library, names[i], &run->plan->threads[i], &run->threads[i]);
    stalemate_put_thread(to, run->library, "at the end", &run->finals, &run->finally);
    stalemate_put_edges(to, run->plan);
    stalemate_put_nearest(to, run, verdict);
    stalemate_put(to, "\n  this combination alone: '");
    stalemate_put(to, combination);
    stalemate_put(to, "'");
}

/* ---- main ---- */

static const char *stalemate_combination(const char *const *combinations, unsigned n, int argc,
                                         char **argv)
{
    if (argc < 2)
        return combinations[stalemate_choose(n)];
    if (!stalemate_is_digit(*argv[1]))
        return argv[1];
    const char *at = argv[1];
    long long number = stalemate_number(&at);
    if (number < n)
        return combinations[number];
    fprintf(stderr, "there are combinations 0 to %u\n", n - 1);
    exit(2);
}

STALEMATE_UNSEEN static void stalemate_judge(const struct stalemate_run *run,
                                             const struct stalemate_search *search,
                                             const char *combination)
{
    static struct stalemate_text text;
    struct stalemate_verdict verdict = stalemate_explain(run, search);
    if (verdict.explained)
        return;
    stalemate_put_failure(&text, run, &verdict, combination);
    __assert_fail(text.text, __FILE__, __LINE__, __func__);
}

STALEMATE_UNSEEN static inline int stalemate_harness(const struct stalemate_library *library,
                                                     const char *const *combinations, unsigned n,
                                                     int argc, char **argv)
{
    static struct stalemate_plan plan;
    static struct stalemate_run run;
    static struct stalemate_search search;
    pthread_t sequential;
    const char *combination = stalemate_combination(combinations, n, argc, argv);
    stalemate_parse(library, combination, &plan);
    for (int i = 0; i < plan.n_edges; i++)
        sem_init(&stalemate_semaphores[i], 0, 0);
    search.library = library;
    search.plan = &plan;
    search.records = library->records;
    search.room = library->n_records;
    stalemate_start(&sequential, stalemate_sequential_runs, &search, "sequential runs");
    pthread_join(sequential, NULL);
    stalemate_begin(&run, library, &plan);
    stalemate_run_threads(&run);
    stalemate_finish(&run);
    stalemate_judge(&run, &search, combination);
    return 0;
}

#endif
