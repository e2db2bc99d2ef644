/*
 * Does what program.c does, with nothing that is not instrumented, and no library but threads: so
 * verify sees all that is stored (verify/whole.h), and joining a thread is answered by what it has
 * left.
 */
#include <pthread.h>
#include <stddef.h>

#include "../litmus/accesses.h"

void stalemate_outcome(const char *format, ...);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { THREADS = 4, STEPS = 16, LOCATIONS = 3 };

struct step {
    char kind;
    int location, value;
    enum order order;
};

static struct step steps[THREADS][STEPS];
static int n_steps[THREADS], reads[THREADS][STEPS], n_reads[THREADS], locations[LOCATIONS][16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static enum order order_of(const char *word)
{
    switch (word[0]) {
    case 'v':
        return VOL;
    case 'a':
        return word[1] == 'r' ? AR : ACQ;
    case 's':
        return SC;
    default:
        return word[1] == 'l' ? RLX : REL;
    }
}

/* One word of an instruction: its kind, a location, a value or an order. */
static void read_word(struct step *step, const char *word)
{
    if (*word >= 'A' && *word <= 'Z')
        step->kind = *word;
    else if (*word >= 'x' && *word <= 'z')
        step->location = *word - 'x';
    else if (*word >= '0' && *word <= '9')
        step->value = *word - '0';
    else
        step->order = order_of(word);
}

static int parse(const char *text)
{
    int thread = 0;
    for (char before = ' '; *text; before = *text++) {
        struct step *step = &steps[thread][n_steps[thread]];
        if (*text == ';' || *text == '|')
            n_steps[thread] += step->kind != 0;
        else if (*text != ' ' && (before == ' ' || before == ';' || before == '|'))
            read_word(step, text);
        thread += *text == '|';
    }
    n_steps[thread] += steps[thread][n_steps[thread]].kind != 0;
    return thread + 1;
}

static void take(int thread, const struct step *step)
{
    int *location = locations[step->location];
    switch (step->kind) {
    case 'R':
        reads[thread][n_reads[thread]++] = litmus_load(location, step->order);
        break;
    case 'U':
        reads[thread][n_reads[thread]++] = litmus_exchange(location, step->value, step->order);
        break;
    case 'W':
        litmus_store(location, step->value, step->order);
        break;
    case 'F':
        litmus_fence(step->order);
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

static void *run(void *arg)
{
    int thread = (int)((struct step(*)[STEPS])arg - steps);
    for (int i = 0; i < n_steps[thread]; i++)
        take(thread, &steps[thread][i]);
    return NULL;
}

static char text[256];
static int length;

static void say(const char *before, int value)
{
    while (*before)
        text[length++] = *before++;
    if (value >= 10)
        text[length++] = (char)('0' + value / 10);
    text[length++] = (char)('0' + value % 10);
    text[length++] = ' ';
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int n = parse(argv[1]);
    for (int t = 0; t < n; t++)
        pthread_create(&threads[t], NULL, run, &steps[t]);
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < n_reads[t]; i++)
            say("", reads[t][i]);
    static const char *const names[] = {"x=", "y=", "z="};
    for (int l = 0; argc == 2 && l < LOCATIONS; l++)
        say(names[l], litmus_load(locations[l], RLX));
    stalemate_outcome("%s", text);
    return 0;
}
