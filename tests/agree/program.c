/*
 * program FILE: runs the program in the first line of the file, in the language of
 * tests/litmus/litmus.def with locations x and y and a branch ("C 1": if the last read gave another
 * value, the next instruction is skipped). Says by stalemate_outcome what was read, and with an F
 * in front of the second line what x and y hold in the end. If that is what stands in the second
 * line after the F or a blank, it fails. Not instrumented: the accesses are in accesses.c.
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accesses.h"

void stalemate_outcome(const char *format, ...);

enum { THREADS = 4, STEPS = 16, READS = 16 };

static struct thread {
    struct step {
        char op;
        int location, value;
        enum order order;
    } steps[STEPS];
    int n_steps, reads[READS], n_reads;
} all[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(struct thread *thread, int value)
{
    thread->reads[thread->n_reads++] = value;
}

static void *run(void *arg)
{
    struct thread *thread = arg;
    for (int i = 0; i < thread->n_steps; i++) {
        const struct step *step = &thread->steps[i];
        switch (step->op) {
        case 'R':
            note(thread, agree_load(step->location, step->order));
            break;
        case 'W':
            agree_store(step->location, step->value, step->order);
            break;
        case 'U':
            note(thread, agree_exchange(step->location, step->value, step->order));
            break;
        case 'C':
            i += thread->reads[thread->n_reads - 1] != step->value;
            break;
        case 'L':
            pthread_mutex_lock(&lock);
            break;
        default:
            pthread_mutex_unlock(&lock);
        }
    }
    return arg;
}

static enum order order_of(const char *word)
{
    static const char *const words[] = {"", "vol", "rlx", "acq", "rel", "ar", "sc"};
    for (unsigned i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum order)i;
    return PLAIN;
}

static struct step parse(char *text)
{
    char *save, *op = strtok_r(text, " ", &save), *word = strtok_r(NULL, " ", &save);
    struct step step = {.op = *op};
    if (step.op == 'C')
        step.value = atoi(word);
    if (!strchr("RWU", step.op))
        return step;
    step.location = *word - 'x';
    if (step.op != 'R')
        step.value = atoi(strtok_r(NULL, " ", &save));
    step.order = order_of(strtok_r(NULL, " ", &save));
    return step;
}

static int parse_all(char *text)
{
    char *threads, *steps;
    int n = 0;
    for (char *t = strtok_r(text, "|", &threads); t; t = strtok_r(NULL, "|", &threads), n++)
        for (char *s = strtok_r(t, ";", &steps); s; s = strtok_r(NULL, ";", &steps))
            all[n].steps[all[n].n_steps++] = parse(s);
    return n;
}

int main(int argc, char **argv)
{
    static char text[1024], outcome[256];
    pthread_t threads[THREADS];
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || read(file, text, sizeof text - 1) < 0)
        return 2;
    close(file);
    char *second = strchr(text, '\n');
    *second++ = 0;
    second[strcspn(second, "\n")] = 0;
    int n = parse_all(text), used = 0;
    for (int t = 0; t < n; t++)
        pthread_create(&threads[t], NULL, run, &all[t]);
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < all[t].n_reads; i++)
            used += sprintf(outcome + used, "%d ", all[t].reads[i]);
    for (int l = 0; *second == 'F' && l < AGREE_LOCATIONS; l++)
        used += sprintf(outcome + used, "%c=%d ", "xy"[l], agree_load(l, RLX));
    assert(!second[1] || strcmp(outcome, second + 1) != 0);
    stalemate_outcome("%s", outcome);
    return 0;
}
