/*
 * A register machine running many small scripts, several at a time. Code and constants are only
 * read; strings are interned in a table all interpreters share, in shards with a mutex each, and
 * counted: who gives up the last reference to a string takes it out of the table and frees it.
 */
#include "bench.h"
#include <stdatomic.h>
#include <string.h>

#define SHARDS 8
#define BUCKETS 256
#define REGISTERS 8
#define MEMORY 256

struct string {
    atomic_int references;
    uint32_t hash;
    struct string *next;
    char text[];
};

struct shard {
    pthread_mutex_t mutex;
    struct string *buckets[BUCKETS];
};

/* Either a string, of which it holds one reference, or a number. */
struct value {
    struct string *string;
    int64_t number;
};

enum opcode {
    SET,
    ADD,
    ADDI,
    MULI,
    DIVI,
    MODI,
    IF_ZERO,
    IF_LESS,
    GOTO,
    LOAD,
    STORE,
    TEXT,
    LITERAL,
    JOIN,
    PRINT,
    END
};

/* a, b: registers, of which 0 holds the limit; c: a register, a number or an instruction. */
struct instruction {
    uint8_t opcode, a, b;
    int16_t c;
};

struct job {
    int script, limit;
    uint64_t digest;
};

static const char *const literals[] = {"longest: ", "prime "};
static const struct instruction longest_collatz[] = {
    {SET, 1, 0, 1},      {ADDI, 2, 1, 0},    {SET, 3, 0, 0},   {ADDI, 4, 2, -1},
    {IF_ZERO, 4, 0, 12}, {ADDI, 3, 3, 1},    {MODI, 4, 2, 2},  {IF_ZERO, 4, 0, 10},
    {MULI, 2, 2, 3},     {ADDI, 2, 2, 1},    {DIVI, 2, 2, 2},  {GOTO, 0, 0, 3},
    {IF_LESS, 6, 3, 14}, {GOTO, 0, 0, 18},   {ADDI, 6, 3, 0},  {LITERAL, 5, 0, 0},
    {TEXT, 7, 1, 0},     {JOIN, 5, 5, 7},    {TEXT, 7, 3, 0},  {STORE, 7, 1, 0},
    {ADDI, 1, 1, 1},     {IF_LESS, 1, 0, 1}, {PRINT, 5, 0, 0}, {END, 0, 0, 0}};

static const struct instruction primes[] = {
    {SET, 1, 0, 2},      {SET, 6, 0, 1},     {LOAD, 2, 1, 0},  {IF_ZERO, 2, 0, 5}, {GOTO, 0, 0, 15},
    {LITERAL, 3, 0, 1},  {TEXT, 4, 1, 0},    {JOIN, 3, 3, 4},  {PRINT, 3, 0, 0},   {ADD, 2, 1, 1},
    {IF_LESS, 2, 0, 12}, {GOTO, 0, 0, 15},   {STORE, 6, 2, 0}, {ADD, 2, 2, 1},     {GOTO, 0, 0, 10},
    {ADDI, 1, 1, 1},     {IF_LESS, 1, 0, 2}, {END, 0, 0, 0}};

static const struct instruction *const scripts[] = {longest_collatz, primes};

static struct shard shards[SHARDS];
static struct job *jobs;
static int n_jobs;
static atomic_int next_job;

static struct string *intern(const char *text)
{
    uint32_t hash = 2166136261u;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    struct shard *shard = &shards[(hash >> 16) % SHARDS];
    struct string **bucket = &shard->buckets[hash % BUCKETS];
    pthread_mutex_lock(&shard->mutex);
    struct string *string = *bucket;
    while (string != NULL && (string->hash != hash || strcmp(string->text, text) != 0))
        string = string->next;
    if (string == NULL) {
        string = malloc(sizeof *string + strlen(text) + 1);
        atomic_init(&string->references, 0);
        string->hash = hash;
        strcpy(string->text, text);
        string->next = *bucket;
        *bucket = string;
    }
    atomic_fetch_add_explicit(&string->references, 1, memory_order_relaxed);
    pthread_mutex_unlock(&shard->mutex);
    return string;
}

/* The count may fall to zero only under the lock, where no one can find the string meanwhile. */
static void release(struct string *string)
{
    int n = atomic_load_explicit(&string->references, memory_order_relaxed);
    while (n > 1)
        if (atomic_compare_exchange_weak_explicit(&string->references, &n, n - 1,
                                                  memory_order_release, memory_order_relaxed))
            return;
    struct shard *shard = &shards[(string->hash >> 16) % SHARDS];
    pthread_mutex_lock(&shard->mutex);
    if (atomic_fetch_sub_explicit(&string->references, 1, memory_order_acq_rel) == 1) {
        struct string **link = &shard->buckets[string->hash % BUCKETS];
        while (*link != string)
            link = &(*link)->next;
        *link = string->next;
        free(string);
    }
    pthread_mutex_unlock(&shard->mutex);
}

/* The reference to the string, if there is one, becomes the value's. */
static void set(struct value *value, int64_t number, struct string *string)
{
    if (value->string != NULL)
        release(value->string);
    *value = (struct value){string, number};
}

static void copy(struct value *to, const struct value *from)
{
    if (from->string != NULL)
        atomic_fetch_add_explicit(&from->string->references, 1, memory_order_relaxed);
    set(to, from->number, from->string);
}

static struct string *join(const char *a, const char *b)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s", a, b);
    return intern(text);
}

static struct string *text_of(int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", (long)number);
    return intern(text);
}

static void run_script(struct job *job)
{
    struct value r[REGISTERS + MEMORY] = {{NULL, job->limit}}, *memory = r + REGISTERS;
    const struct instruction *code = scripts[job->script], *at = code;
    for (;;) {
        const struct instruction *in = at++;
        struct value *a = &r[in->a], *b = &r[in->b];
        switch ((enum opcode)in->opcode) {
        case SET:
            set(a, in->c, NULL);
            break;
        case ADD:
            set(a, b->number + r[in->c].number, NULL);
            break;
        case ADDI:
            set(a, b->number + in->c, NULL);
            break;
        case MULI:
            set(a, b->number * in->c, NULL);
            break;
        case DIVI:
            set(a, b->number / in->c, NULL);
            break;
        case MODI:
            set(a, b->number % in->c, NULL);
            break;
        case IF_ZERO:
            at = a->number == 0 ? code + in->c : at;
            break;
        case IF_LESS:
            at = a->number < b->number ? code + in->c : at;
            break;
        case GOTO:
            at = code + in->c;
            break;
        case LOAD:
            copy(a, &memory[b->number % MEMORY]);
            break;
        case STORE:
            copy(&memory[b->number % MEMORY], a);
            break;
        case TEXT:
            set(a, 0, text_of(b->number));
            break;
        case LITERAL:
            set(a, 0, intern(literals[in->c]));
            break;
        case JOIN:
            set(a, 0, join(b->string->text, r[in->c].string->text));
            break;
        case PRINT:
            for (const char *c = a->string->text; *c; c++)
                job->digest = job->digest * 131 + (unsigned char)*c;
            break;
        case END:
            for (int i = 0; i < REGISTERS + MEMORY; i++)
                set(&r[i], 0, NULL);
            return;
        }
    }
}

static void *interpreter(void *unused)
{
    (void)unused;
    for (int i; (i = atomic_fetch_add(&next_job, 1)) < n_jobs;)
        run_script(&jobs[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    n_jobs = argument(argc, argv, 1, 1100);
    int n_threads = argument(argc, argv, 2, 2);
    uint32_t seed = 5;
    jobs = calloc((size_t)n_jobs, sizeof *jobs);
    for (int i = 0; i < n_jobs; i++)
        jobs[i] = (struct job){i % 2, 100 + (int)(next_random(&seed) % 150), 0};
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].mutex, NULL);
    run_threads(n_threads, interpreter);
    uint64_t digest = 0;
    for (int i = 0; i < n_jobs; i++)
        digest = digest * 1000003 + jobs[i].digest;
    printf("scripts %016lx\n", (unsigned long)digest);
    free(jobs);
    return 0;
}
