/*
 * Runs the litmus test given on the command line, in the language of tests/litmus/litmus.def,
 * and says by stalemate_outcome what was read: by R and U as they stand in the program, then
 * the last values of x, y and z. Not instrumented: the accesses are in ../litmus/accesses.c.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../litmus/accesses.h"

enum { MAX_THREADS = 8, MAX_READS = 16 };

void stalemate_outcome(const char *format, ...);

static struct {
    _Alignas(64) int value;
} locations[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int reads[MAX_THREADS][MAX_READS];
static int n_reads[MAX_THREADS];

static int *location(const char *word)
{
    return &locations[*word - 'x'].value;
}

static enum order order_of(const char *word)
{
    static const char *const words[] = {"", "vol", "rlx", "acq", "rel", "ar", "sc"};
    for (unsigned i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum order)i;
    return PLAIN;
}

static void step(int thread, char *words[4])
{
    int *read = &reads[thread][n_reads[thread]];
    switch (*words[0]) {
    case 'R':
        *read = litmus_load(location(words[1]), order_of(words[2]));
        n_reads[thread]++;
        break;
    case 'U':
        *read = litmus_exchange(location(words[1]), atoi(words[2]), order_of(words[3]));
        n_reads[thread]++;
        break;
    case 'W':
        litmus_store(location(words[1]), atoi(words[2]), order_of(words[3]));
        break;
    case 'F':
        litmus_fence(order_of(words[1]));
        break;
    case 'L':
        pthread_mutex_lock(&lock);
        break;
    default:
        pthread_mutex_unlock(&lock);
    }
}

static int split(char *text, const char *separators, char **pieces, int most)
{
    int n = 0;
    char *rest = text;
    for (char *piece; n < most && (piece = strtok_r(rest, separators, &rest)); n++)
        pieces[n] = piece;
    return n;
}

struct start {
    int thread;
    char *text;
};

static void *run(void *arg)
{
    struct start *start = arg;
    char *instructions[16];
    int n = split(start->text, ";", instructions, 16);
    for (int i = 0; i < n; i++) {
        char *words[4] = {0};
        split(instructions[i], " ", words, 4);
        step(start->thread, words);
    }
    return NULL;
}

static int run_threads(const char *program)
{
    static char copy[512];
    char *texts[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    struct start starts[MAX_THREADS];
    strncpy(copy, program, sizeof copy - 1);
    int n = split(copy, "|", texts, MAX_THREADS);
    for (int i = 0; i < n; i++) {
        starts[i] = (struct start){i, texts[i]};
        pthread_create(&threads[i], NULL, run, &starts[i]);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s 'W x 1; R y | W y 1; R x'\n", argv[0]);
        return 2;
    }
    char text[256];
    int used = 0, n = run_threads(argv[1]);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < n_reads[t]; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%d ", reads[t][i]);
    for (int l = 0; l < 3; l++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%c=%d ", "xyz"[l],
                         litmus_load(&locations[l].value, RLX));
    stalemate_outcome("%s", text);
    return 0;
}
