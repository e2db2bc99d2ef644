#include "interpreter.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct litmus_location litmus_locations[LITMUS_LOCATIONS];
int litmus_reads[LITMUS_THREADS][LITMUS_READS];
int litmus_n_reads[LITMUS_THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *location(const char *word)
{
    return &litmus_locations[*word - 'x'].value;
}

enum order litmus_order(const char *word)
{
    static const char *const words[] = {"", "vol", "rlx", "acq", "rel", "ar", "sc"};
    for (unsigned i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum order)i;
    return PLAIN;
}

static void step(int thread, char *words[4])
{
    int *read = &litmus_reads[thread][litmus_n_reads[thread]];
    switch (*words[0]) {
    case 'R':
        *read = litmus_load(location(words[1]), litmus_order(words[2]));
        litmus_n_reads[thread]++;
        break;
    case 'U':
        *read = litmus_exchange(location(words[1]), atoi(words[2]), litmus_order(words[3]));
        litmus_n_reads[thread]++;
        break;
    case 'C':
        *read = litmus_compare(location(words[1]), atoi(words[2]), litmus_order(words[3]));
        litmus_n_reads[thread]++;
        break;
    case 'W':
        litmus_store(location(words[1]), atoi(words[2]), litmus_order(words[3]));
        break;
    case 'F':
        litmus_fence(litmus_order(words[1]));
        break;
    case 'L':
        pthread_mutex_lock(&lock);
        break;
    case 'B':
        __VERIFIER_atomic_begin();
        break;
    case 'E':
        __VERIFIER_atomic_end();
        break;
    default:
        pthread_mutex_unlock(&lock);
    }
}

int litmus_split(char *text, const char *separators, char **pieces, int most)
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
    int n = litmus_split(start->text, ";", instructions, 16);
    for (int i = 0; i < n; i++) {
        char *words[4] = {0};
        litmus_split(instructions[i], " ", words, 4);
        step(start->thread, words);
    }
    return NULL;
}

int litmus_run(const char *program)
{
    static char copy[512];
    char *texts[LITMUS_THREADS];
    pthread_t threads[LITMUS_THREADS];
    struct start starts[LITMUS_THREADS];
    strncpy(copy, program, sizeof copy - 1);
    int n = litmus_split(copy, "|", texts, LITMUS_THREADS);
    for (int i = 0; i < n; i++) {
        starts[i] = (struct start){i, texts[i]};
        pthread_create(&threads[i], NULL, run, &starts[i]);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return n;
}
