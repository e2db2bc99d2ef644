/*
 * generate.c - `generate SEED` writes a random program with two threads, for random.sh.
 *
 * What the pass leaves out, moves and merges depends on the code around an access, so here that is
 * random: scalars of several sizes, fields and rows, in branches and loops of every kind, with
 * and without synchronisation between. Thread b begins when a has done everything, and nothing
 * orders that but what the program itself does: so which races there are is certain, and both
 * flavours must find them. Mostly b has seen what a released, and changes everything: then those
 * scalars race that a accessed after that, once more. Scalars are accessed as volatile, so that the
 * compiler keeps each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned any(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

#define PICK(...)                                                                                  \
    ((const char *const[]){__VA_ARGS__}[any(sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))])

/* Few, so that most are accessed more than once. */
static const char *const scalars[] = {"long, x",         "int, z",           "long, row[4]",
                                      "long, row[9]",    "long, items[2].a", "long, items[2].b",
                                      "int, items[2].d", "char, text[3]",    "char, text[6]"};
#define SCALARS (sizeof scalars / sizeof *scalars)

static void access_scalar(const char *scalar)
{
    printf(any(2) ? "V(%s) = 1;\n" : "sum += V(%s);\n", scalar);
}

/* What becomes a range, stripes or a check of its own. */
static void loop_over_array(void)
{
    unsigned from = any(8), to = from + 2 + any(10), step = 1 + any(2);
    if (any(3))
        printf("for (int k = %u; k < %u; k += %u)\n", from, to, step);
    else
        printf("for (int k = %u; k >= %u; k -= %u)\n", to, from + 1, step);
    printf("    %s\n    USE(sum);\n",
           PICK("sum += row[k];", "row[k] = k;", "row[k] += row[k - 1];",
                "sum += items[k].a * items[k].b;", "{ items[k].a = k; items[k].b = sum; }",
                "sum += items[k].c;", "sum += text[k];", "text[k] = 1;"));
}

static void synchronise(void)
{
    puts(PICK("atomic_store_explicit(&flag, 1, memory_order_release);",
              "sum += atomic_load_explicit(&flag, memory_order_acquire);",
              "atomic_thread_fence(memory_order_release);\n"
              "    atomic_store_explicit(&other, 1, memory_order_relaxed);",
              "sum += atomic_load_explicit(&other, memory_order_relaxed);\n"
              "    atomic_thread_fence(memory_order_acquire);",
              "pthread_mutex_lock(&guard);\n    V(long, x) = 5;\n    pthread_mutex_unlock(&guard);",
              "release();", "pass_guard();", "sum += mix(sum);",
              "sum += strtol(\"3\", NULL, 10);"));
}

static void statements(unsigned n, unsigned depth);

static void nest(unsigned depth)
{
    puts(PICK("if (yes) {", "if (no) {", "for (int i = 0; i < few; i++) {",
              "for (int i = few; i; i /= 2) {"));
    statements(1 + any(3), depth - 1);
    puts("}");
}

static void statements(unsigned n, unsigned depth)
{
    while (n--) {
        unsigned kind = any(10);
        if (kind < 5)
            access_scalar(scalars[any(SCALARS)]);
        else if (kind < 6)
            loop_over_array();
        else if (kind < 8 && depth)
            nest(depth);
        else
            synchronise();
    }
}

static void begin(char thread)
{
    printf("\nstatic void *%c(void *unused)\n{\n    long sum = 0;\n", thread);
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    any(1);
    puts("#include \"race.h\"\n#include <stdatomic.h>\n"
         "#define V(type, place) (*(volatile type *)&(place))\n"
         "struct item { long a, b; int c, d; long e; } items[20];\n"
         "long row[40], x;\nint z;\nchar text[64];\n"
         "static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;\n"
         "static atomic_int flag, other;\nstatic volatile int yes = 1, no, few = 3;\n"
         "#define APART __attribute__((noinline)) static\n"
         "APART long mix(long by) { return by * 3 + 1; }\n"
         "APART void release(void) { atomic_store_explicit(&flag, 1, memory_order_release); }\n"
         "APART void pass_guard(void)\n"
         "{ pthread_mutex_lock(&guard); pthread_mutex_unlock(&guard); }");
    begin('a');
    statements(16 + any(8), 2);
    puts("    done(0);\n    return sum ? unused : NULL;\n}");
    begin('b');
    puts("    after(0);");
    if (any(4))
        puts("    sum += atomic_load_explicit(&flag, memory_order_acquire);\n    pass_guard();");
    loop_over_array();
    for (unsigned i = 0; i < SCALARS; i++)
        printf("    V(%s) = 2;\n", scalars[i]);
    puts("    return sum ? unused : NULL;\n}\n\nint main(void)\n{\n    run(a, b);\n"
         "    return no && mix(1) && (release(), pass_guard(), 1);\n}");
    return 0;
}
