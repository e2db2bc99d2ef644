/*
 * retries.c - iterations that have no effect (verify/loops/iteration.h) make no difference: random
 * programs whose threads retry, with and without them.
 *
 * Writes one C file with N programs, of which the argument of the compiled program picks one. Each
 * has two or three threads that run one or two statements out of the list below, on three atomic
 * locations and a lock, and shows what each thread has seen. In every second program threads take
 * shares of one location, which they give back if there was none left (verify/loops/undone.h). In
 * every fourth they use a mutex, which iterations take and give back, or try, and in every eighth
 * two, which a function with the name of std::lock takes together (verify/loops/together.h); not
 * under hb and oota, where such iterations are all explored.
 *
 * RETRY(body) repeats its body while that is true. Compiled as it is, it does so for ever, and
 * verify drops iterations that have no effect. With -DBOUNDED an execution with more than ATTEMPTS
 * iterations is assumed away: together with --count that is the reference, in which nothing is
 * dropped. An execution without iterations that have no effect needs at most as many as there are
 * other writers, so both have the same outcomes. There a weak compare-exchange is a strong one: a
 * spurious failure is an iteration without effect. POLL is the same for those that use a mutex,
 * where two statements of others change what it guards; with ATTEMPTS a program took minutes.
 *
 * Usage: verify-retries write N SEED
 *        verify-retries compare PROGRAM BOUNDED-PROGRAM N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/control.h"
#include "base/random.h"
#include "tests/verify/explored.h"

static struct sm_random rng;

static unsigned below(unsigned n)
{
    return (unsigned)(sm_random_next(&rng) % n);
}

static const char *pick(const char *const *names, unsigned n)
{
    return names[below(n)];
}

static const char *load_order(void)
{
    static const char *const names[] = {"memory_order_relaxed", "memory_order_acquire",
                                        "memory_order_seq_cst"};
    return pick(names, 3);
}

static const char *store_order(void)
{
    static const char *const names[] = {"memory_order_relaxed", "memory_order_release",
                                        "memory_order_seq_cst"};
    return pick(names, 3);
}

static const char *rmw_order(void)
{
    static const char *const names[] = {"memory_order_relaxed", "memory_order_acquire",
                                        "memory_order_release", "memory_order_acq_rel",
                                        "memory_order_seq_cst"};
    return pick(names, 5);
}

static const char *location(void)
{
    static const char *const names[] = {"x", "y"};
    return pick(names, 2);
}

static void store(void)
{
    printf("        atomic_store_explicit(&%s, %u, %s);\n", location(), 1 + below(2),
           store_order());
}

static void load(void)
{
    printf("        see(atomic_load_explicit(&%s, %s));\n", location(), load_order());
}

/* The value that a failed exchange returns is the next one expected. */
static void reload(void)
{
    const char *x = location();
    printf("        int old = atomic_load_explicit(&%s, %s);\n", x, load_order());
    printf("        RETRY(!atomic_compare_exchange_%s_explicit(&%s, &old, old + %u, %s, %s));\n",
           below(2) ? "strong" : "weak", x, 1 + below(2), rmw_order(), load_order());
    printf("        see(old);\n");
}

/* The location is loaded anew in each iteration, with something else between. */
static void load_each_time(void)
{
    const char *x = location();
    printf(
        "        int old, other;\n"
        "        RETRY((old = atomic_load_explicit(&%s, %s),\n"
        "               other = atomic_load_explicit(&%s, %s),\n"
        "               !atomic_compare_exchange_strong_explicit(&%s, &old, old + 1, %s, %s)));\n"
        "        see(old);\n        see(other);\n",
        x, load_order(), location(), load_order(), x, rmw_order(), load_order());
}

/* An exchange that fails leaves the lock as it was. */
static void spin_lock(void)
{
    printf("        RETRY(atomic_exchange_explicit(&lock, 1, %s));\n", rmw_order());
    printf("        see(atomic_load_explicit(&%s, memory_order_relaxed));\n", location());
    printf("        atomic_store_explicit(&lock, 0, %s);\n", store_order());
}

static void test_and_set(void)
{
    printf("        RETRY2((INNER(atomic_load_explicit(&lock, memory_order_relaxed)),\n"
           "                atomic_exchange_explicit(&lock, 1, %s)));\n",
           rmw_order());
    printf("        atomic_fetch_add_explicit(&%s, 1, memory_order_relaxed);\n", location());
    printf("        atomic_store_explicit(&lock, 0, %s);\n", store_order());
}

static void await(void)
{
    printf("        RETRY(atomic_load_explicit(&%s, %s) != %u);\n", location(), load_order(),
           1 + below(2));
}

/* What a failed iteration leaves in a local, in thread-local memory or on the heap is an effect. */
static void remember_failure(void)
{
    static const char *const effects[] = {"failed = 1",     "tries++",    "box[0]++",
                                          "failed = other", "box[0] = 1", "box[0] = old"};
    const char *x = location();
    printf(
        "        int old = 0, failed = 0, other = 0;\n"
        "        RETRY((old = atomic_load_explicit(&%s, %s),\n"
        "               other = atomic_load_explicit(&%s, %s),\n"
        "               !atomic_compare_exchange_strong_explicit(&%s, &old, old + 1, %s, %s) &&\n"
        "                   (%s, true)));\n"
        "        see(failed);\n        see(tries);\n        see(box[0]);\n",
        x, load_order(), location(), load_order(), x, rmw_order(), load_order(), pick(effects, 6));
}

/* A failed iteration that stores, or reads what others store plainly under the lock. */
static void help(void)
{
    const char *x = location();
    printf(
        "        int old;\n"
        "        RETRY((old = atomic_load_explicit(&%s, %s), old == 1 &&\n"
        "               (atomic_compare_exchange_strong_explicit(&%s, &old, 2, %s, %s), true)));\n"
        "        see(old);\n",
        x, load_order(), x, rmw_order(), load_order());
}

/* Takes a share of z, gives it back if there was none left, waits and tries again. */
static void take_share(void)
{
    unsigned share = 1 + below(2);
    printf("        RETRY2((atomic_fetch_add_explicit(&z, %u, %s) >= 1 &&\n"
           "                (atomic_fetch_sub_explicit(&z, %u, %s),\n"
           "                 INNER(atomic_load_explicit(&z, %s) >= 1), true)));\n",
           share, rmw_order(), share, rmw_order(), load_order());
    printf("        see(atomic_load_explicit(&%s, memory_order_relaxed));\n", location());
    if (below(4))
        printf("        atomic_fetch_sub_explicit(&z, %u, %s);\n", share, rmw_order());
}

/* What others see of such a share: nothing, a comparison, or all. */
static void look_at_shares(void)
{
    static const char *const looks[] = {
        "atomic_fetch_add_explicit(&z, 1, memory_order_relaxed)",
        "atomic_fetch_sub_explicit(&z, 1, memory_order_acq_rel)",
        "see(atomic_fetch_add_explicit(&z, 1, memory_order_acquire) > 1)",
        "see(atomic_fetch_sub_explicit(&z, 1, memory_order_relaxed) == 1)",
        "see(atomic_load_explicit(&z, memory_order_relaxed) > 1)",
        "see(atomic_load_explicit(&z, memory_order_acquire) == 1)",
        "see(atomic_load_explicit(&z, memory_order_relaxed) < 3)",
        "see(atomic_load_explicit(&z, memory_order_relaxed))",
        "see(atomic_fetch_add_explicit(&z, 1, memory_order_relaxed))",
        "see(atomic_exchange_explicit(&z, 0, memory_order_relaxed) > 0)",
        "atomic_store_explicit(&z, 1, memory_order_release)",
        "RETRY(atomic_load_explicit(&z, memory_order_acquire) != 1)",
        "RETRY(atomic_load_explicit(&z, memory_order_relaxed) < 2)"};
    printf("        %s;\n", pick(looks, sizeof looks / sizeof *looks));
}

/* A loop that counts how often it has tried: the same in both compilations. What its result, and an
   iteration, may depend on besides. */
static void count(void)
{
    static const char *const pauses[] = {"if (i < 1) sched_yield()",
                                         "sched_yield()",
                                         "i < 1 ? (void)sched_yield() : (void)0",
                                         "tries++",
                                         "if (i == 1) atomic_store(&y, 2)",
                                         "(void)0"};
    static const char *const results[] = {"see(found)", "see(found)", "see(found)", "see(i)",
                                          "see(found); see(tries)"};
    const char *x = location();
    printf("        int i, found = 0, old = 0;\n        for (i = 0; i < %u; i++) {\n",
           2 + below(2));
    switch (below(6)) {
    case 0:
        printf("            found = atomic_load_explicit(&%s, %s) > 0 &&\n"
               "                    atomic_load_explicit(&%s, %s) == 0;\n",
               x, load_order(), location(), load_order());
        break;
    case 1:
        printf("            found = !atomic_exchange_explicit(&lock, 1, %s);\n", rmw_order());
        break;
    case 2:
        printf(
            "            old = %u;\n"
            "            found = atomic_compare_exchange_strong_explicit(&%s, &old, 2, %s, %s);\n",
            below(2), x, rmw_order(), load_order());
        break;
    case 3:
        printf("            atomic_thread_fence(%s);\n", rmw_order());
        /* fall through */
    default:
        printf("            found = atomic_load_explicit(&%s, %s) == %u;\n", x, load_order(),
               1 + below(2));
    }
    printf("            if (found)\n                break;\n            %s;\n        }\n"
           "        %s;\n",
           pick(pauses, sizeof pauses / sizeof *pauses), pick(results, 5));
}

static void fence(void)
{
    printf("        atomic_thread_fence(%s);\n", rmw_order());
}

static void statement(void)
{
    static void (*const statements[])(void) = {
        store,          store,     load,         load,  reload, reload,
        load_each_time, spin_lock, test_and_set, await, fence,  remember_failure,
        help,           count,     count};
    printf("    {\n");
    statements[below(sizeof statements / sizeof *statements)]();
    printf("    }\n");
}

/* One share for each thread: two that take one twice could prevent each other for ever. */
static void thread_with_share(unsigned statements)
{
    unsigned share = below(statements + 1);
    for (unsigned i = 0; i < statements; i++) {
        if (i == share) {
            printf("    {\n");
            take_share();
            printf("    }\n");
        } else if (below(2)) {
            printf("    {\n");
            look_at_shares();
            printf("    }\n");
        } else {
            statement();
        }
    }
}

/* What a thread does with a mutex: changes what it guards; polls under it, or tries it. Not both: a
   program that tries the mutex has no end if others poll under it (undone.h). */
static void mutex_statement(bool tries)
{
    static const char *const sections[] = {
        "LOCK; guarded++; UNLOCK",
        "LOCK; guarded++; atomic_store_explicit(&x, 1, memory_order_relaxed); UNLOCK",
        "LOCK; see(guarded); UNLOCK"};
    static const char *const polls[] = {
        "int v; POLL((LOCK, v = guarded, UNLOCK, v < 1)); see(v)",
        "int v; POLL((LOCK, v = guarded, UNLOCK, v == 1)); see(v)",
        "int v; POLL((LOCK, v = atomic_load_explicit(&x, memory_order_relaxed), UNLOCK, v != 1))",
        "int v, failed = 0; POLL((LOCK, v = guarded, UNLOCK, v < 2 && (failed = 1))); see(failed)",
        "int v; POLL((LOCK, v = guarded++, UNLOCK, v < 1)); see(v)",
        "int v; POLL((LOCK, v = guarded, (v == 1 && (guarded = 2)), UNLOCK, v < 1)); see(v)"};
    static const char *const attempts[] = {
        "POLL(pthread_mutex_trylock(&mutex) != 0); guarded++; UNLOCK",
        "POLL(pthread_mutex_trylock(&mutex) != 0); see(guarded); UNLOCK",
        "if (pthread_mutex_trylock(&mutex) == 0) { guarded++; UNLOCK; } else see(9)",
        "POLL(atomic_load(&x) == 0 && pthread_mutex_trylock(&mutex) != 0)"};
    const char *text = below(3) == 0 ? pick(sections, 3)
                       : tries       ? pick(attempts, 4)
                                     : pick(polls, 6);
    printf("        %s;\n", text);
}

static void thread_with_mutex(unsigned statements, bool tries)
{
    for (unsigned i = 0; i < statements; i++) {
        if (i && below(3) == 0) {
            statement();
            continue;
        }
        printf("    {\n");
        mutex_statement(tries);
        printf("    }\n");
    }
}

/* std::lock of two mutexes, in either order, beside locks of one of them, or of both in turn. */
static void thread_with_both(unsigned statements)
{
    static const char *const sections[] = {
        "lock_both(&mutex, &other); guarded++; UNLOCK; UNLOCK_OTHER",
        "lock_both(&other, &mutex); guarded++; UNLOCK; UNLOCK_OTHER",
        "lock_both(&other, &mutex); see(guarded); UNLOCK_OTHER; UNLOCK",
        "lock_both(&mutex, &other); see(guarded); atomic_store(&x, 1); UNLOCK_OTHER; UNLOCK",
        "LOCK; guarded++; see(guarded); UNLOCK",
        "pthread_mutex_lock(&other); see(atomic_fetch_add(&x, 1)); UNLOCK_OTHER",
        "LOCK; pthread_mutex_lock(&other); guarded++; UNLOCK; UNLOCK_OTHER",
        "pthread_mutex_lock(&other); LOCK; see(guarded); UNLOCK; UNLOCK_OTHER"};
    for (unsigned i = 0; i < statements; i++)
        printf("    {\n        %s;\n    }\n", sections[below(i ? 8 : 5)]);
}

enum kind { PLAIN_RETRIES, WITH_SHARES, WITH_MUTEX, WITH_BOTH };

static enum kind kind_of(unsigned program)
{
    static const enum kind kinds[] = {PLAIN_RETRIES, WITH_SHARES, WITH_MUTEX, WITH_SHARES,
                                      WITH_BOTH,     WITH_SHARES, WITH_MUTEX, WITH_SHARES};
    return kinds[program % 8];
}

static void thread(unsigned program, unsigned nth, unsigned statements)
{
    enum kind kind = kind_of(program);
    printf("static void *p%u_t%u(void *arg)\n{\n    struct seen *seen = arg;\n"
           "    int *box = calloc(1, sizeof *box);\n    (void)seen;\n    (void)box;\n",
           program, nth);
    if (kind == WITH_SHARES)
        thread_with_share(statements);
    if (kind == WITH_MUTEX)
        thread_with_mutex(statements, program % 8 > 4);
    if (kind == WITH_BOTH)
        thread_with_both(statements);
    for (unsigned i = 0; i < statements && kind == PLAIN_RETRIES; i++)
        statement();
    printf("    return NULL;\n}\n");
}

static void header(void)
{
    printf(
        "#include <pthread.h>\n#include <sched.h>\n#include <stalemate.h>\n#include <stdatomic.h>\n"
        "#include <stdbool.h>\n#include <stdlib.h>\n\n"
        "enum { ATTEMPTS = 4, POLLS = 2, MOST = 8 };\n"
        "struct seen { int values[MOST]; int n; };\n"
        "static atomic_int x, y, z, lock;\n"
        "static _Thread_local int tries;\n"
        "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n"
        "static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;\n"
        "static int guarded;\n"
        "#define LOCK pthread_mutex_lock(&mutex)\n"
        "#define UNLOCK pthread_mutex_unlock(&mutex)\n"
        "#define UNLOCK_OTHER pthread_mutex_unlock(&other)\n"
        "#define see(value) (seen->values[seen->n++] = (value))\n"
        "#ifdef BOUNDED\n"
        "#undef atomic_compare_exchange_weak_explicit\n"
        "#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit\n"
        "#define LOOP(n, most, body) \\\n"
        "    do for (int n = 0; (body); n++) stalemate_assume(n < most); while (0)\n"
        "#define INNER(body) stalemate_assume(!(body))\n"
        "#else\n"
        "#define LOOP(n, most, body) do while (body) continue; while (0)\n"
        "#define INNER(body) ({ while (body) continue; })\n"
        "#endif\n"
        "#define RETRY(body) LOOP(n1, ATTEMPTS, body)\n"
        "#define RETRY2(body) LOOP(n2, ATTEMPTS, body)\n"
        "#define POLL(body) LOOP(n1, POLLS, body)\n\n"
        "#ifndef BOUNDED\n"
        "#define lock_both _ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_\n"
        "#endif\n"
        "void lock_both(pthread_mutex_t *a, pthread_mutex_t *b);\n"
        "void lock_both(pthread_mutex_t *a, pthread_mutex_t *b)\n{\n"
        "    for (int n = 0;; n++) {\n"
        "        stalemate_assume(n < ATTEMPTS);\n"
        "        pthread_mutex_lock(n %% 2 ? b : a);\n"
        "        if (pthread_mutex_trylock(n %% 2 ? a : b) == 0)\n            return;\n"
        "        pthread_mutex_unlock(n %% 2 ? b : a);\n    }\n}\n\n");
}

static void program(unsigned nth)
{
    unsigned threads = 2 + below(2);
    for (unsigned t = 0; t < threads; t++)
        thread(nth, t, threads == 2 ? 1 + below(2) : 1);
    printf("static void *(*const program%u[])(void *) = {", nth);
    for (unsigned t = 0; t < 3; t++)
        t < threads ? printf("p%u_t%u, ", nth, t) : printf("NULL, ");
    printf("};\n\n");
}

static void write_programs(unsigned n)
{
    header();
    for (unsigned i = 0; i < n; i++)
        program(i);
    printf("static void *(*const *const programs[])(void *) = {");
    for (unsigned i = 0; i < n; i++)
        printf("program%u, ", i);
    printf("};\n\nstatic struct seen seen[3];\n\n"
           "int main(int argc, char **argv)\n{\n"
           "    int nth = 0;\n"
           "    for (const char *c = argc > 1 ? argv[1] : \"\"; *c; c++)\n"
           "        nth = 10 * nth + (*c - '0');\n"
           "    void *(*const *threads)(void *) = programs[nth];\n"
           "    pthread_t ids[3];\n"
           "    for (int i = 0; i < 3 && threads[i]; i++)\n"
           "        pthread_create(&ids[i], NULL, threads[i], &seen[i]);\n"
           "    for (int i = 0; i < 3 && threads[i]; i++)\n        pthread_join(ids[i], NULL);\n"
           "    for (int i = 0; i < 3; i++)\n        for (int k = 0; k < seen[i].n; k++)\n"
           "            stalemate_outcome(\"%%d:%%d\", i, seen[i].values[k]);\n"
           "    stalemate_outcome(\"%%d %%d %%d\", atomic_load(&x), atomic_load(&y), "
           "atomic_load(&z));\n"
           "    return 0;\n}\n");
}

/* ---- comparing ---- */

static bool explore(struct explored *explored, char *program, unsigned nth, uint64_t model,
                    bool count)
{
    char number[16];
    char *arguments[] = {program, number, NULL};
    struct sm_options options = explore_options(model);
    options.count = count;
    snprintf(number, sizeof number, "%u", nth);
    return explore_program(explored, arguments, &options, 1);
}

/* Sums over all programs and models. */
struct sums {
    uint64_t executions, bounded;
    unsigned compared, wrong;
};

/* hb and oota are not complete where seq_cst and weaker accesses meet (docs/verify.md). */
static bool may_be_cut(uint64_t model)
{
    return model == SM_MODEL_HB || model == SM_MODEL_OOTA;
}

static void compare_one(struct sums *sums, char **programs, unsigned nth, uint64_t model)
{
    struct explored free, bounded;
    if (kind_of(nth) >= WITH_MUTEX && may_be_cut(model))
        return;
    bool complete = explore(&free, programs[0], nth, model, false) &&
                    explore(&bounded, programs[1], nth, model, true);
    if (!complete && may_be_cut(model))
        return;
    sums->compared++;
    sums->executions += complete ? free.executions : 0;
    sums->bounded += complete ? bounded.executions : 0;
    if (complete && free.outcomes == bounded.outcomes)
        return;
    printf("program %u, model %lu: %s\n", nth, model, complete ? "other outcomes" : "not complete");
    sums->wrong++;
}

/* With all iterations there must be more executions, else nothing was compared. */
static int compare(char **programs, unsigned n)
{
    struct sums sums = {0};
    for (unsigned i = 0; i < n; i++)
        for (uint64_t model = 0; model < SM_MODELS; model++)
            compare_one(&sums, programs, i, model);
    printf(
        "%u programs, %d models, %u compared: %lu executions, %lu with every iteration, %u wrong\n",
        n, SM_MODELS, sums.compared, sums.executions, sums.bounded, sums.wrong);
    return sums.wrong || sums.executions >= sums.bounded;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0) {
        rng = sm_random_seed(strtoul(argv[3], NULL, 10), 0);
        write_programs((unsigned)strtoul(argv[2], NULL, 10));
        return 0;
    }
    if (argc == 5 && strcmp(argv[1], "compare") == 0)
        return compare(argv + 2, (unsigned)strtoul(argv[4], NULL, 10));
    return 2;
}
