#include "verify/results/outcomes.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/pool.h"

enum { OUTCOME_BUCKETS = 1024, MAX_OUTCOMES = 65536 };

struct outcome {
    struct outcome *next; /* of the bucket */
    uint32_t number;      /* from 1 */
    bool forbidden;
    uint64_t count;
    uint64_t execution; /* the last one that was counted by sm_outcomes_add */
    size_t size;
    char text[];
};

static struct table {
    struct outcome *buckets[OUTCOME_BUCKETS];
    struct outcome *all[MAX_OUTCOMES]; /* in the order they were seen */
    uint32_t n;
    uint64_t execution;
    char remark[SM_DETAIL_SIZE]; /* what to tell the driver about the last one added */
    bool example;                /* the remark marks the first execution with its output */
} *table;

void sm_outcomes_start(void)
{
    table = sm_map(NULL, sizeof *table);
}

void sm_outcomes_clear(void)
{
    while (table->n) {
        struct outcome *outcome = table->all[--table->n];
        sm_pool_put(outcome, sizeof *outcome + outcome->size);
    }
    memset(table->buckets, 0, sizeof table->buckets);
}

const char *sm_outcomes_remark(void)
{
    return *table->remark ? table->remark : NULL;
}

bool sm_outcomes_is_example(void)
{
    return table->example;
}

/* Not for an execution that is shown anyway: for its exit status, or because it is forbidden. */
static void remark_example(uint64_t hash)
{
    if (*table->remark || table->n > sm_control->explored.examples ||
        sm_control->status != (int32_t)sm_option(expect_exit))
        return;
    table->example = true;
    sm_format(table->remark, sizeof table->remark, SM_EXAMPLE "%lx", (unsigned long)hash);
}

static void remark_forbidden(const char *text, size_t size)
{
    table->example = false;
    sm_format(table->remark, sizeof table->remark, "forbidden outcome: %.*s",
              (int)(size - (size && text[size - 1] == '\n')), text);
}

/* NULL: there are too many. */
static struct outcome *add(const char *text, size_t size, uint64_t hash)
{
    if (table->n == MAX_OUTCOMES) {
        sm_control->explored.outcomes_lost++;
        return NULL;
    }
    struct outcome **bucket = &table->buckets[hash % OUTCOME_BUCKETS];
    struct outcome *new = sm_pool_get(sizeof *new + size);
    *new = (struct outcome){.next = *bucket,
                            .number = table->n + 1,
                            .forbidden = sm_outcome_is_forbidden(&sm_control->explored, hash),
                            .size = size};
    memcpy(new->text, text, size);
    *bucket = table->all[table->n++] = new;
    if (!new->forbidden)
        remark_example(hash);
    return new;
}

bool sm_outcomes_again(uint32_t number)
{
    struct outcome *outcome = table->all[number - 1];
    outcome->count += !outcome->forbidden;
    return !outcome->forbidden;
}

void sm_outcomes_begin(void)
{
    table->remark[0] = 0;
    table->example = false;
    table->execution++;
}

static struct outcome *find(const char *text, size_t size, uint64_t hash)
{
    for (struct outcome *o = table->buckets[hash % OUTCOME_BUCKETS]; o; o = o->next)
        if (o->size == size && memcmp(o->text, text, size) == 0)
            return o;
    return NULL;
}

uint32_t sm_outcomes_add(const char *text, size_t size)
{
    uint64_t hash = sm_outcome_hash(text, size);
    struct outcome *outcome = find(text, size, hash);
    if (!outcome)
        outcome = add(text, size, hash);
    if (!outcome)
        return 0;
    if (outcome->forbidden)
        remark_forbidden(text, size);
    outcome->count += outcome->execution != table->execution;
    outcome->execution = table->execution;
    return outcome->number;
}

void sm_outcomes_publish(struct sm_parcel *to)
{
    sm_control->explored.n_outcomes = 0;
    for (uint32_t i = 0; i < table->n; i++) {
        const struct outcome *outcome = table->all[i];
        struct sm_explored_outcome header = {outcome->count, outcome->size};
        size_t size = (sizeof header + outcome->size + 7) & ~7ul;
        if ((size_t)(to->end - to->at) < size)
            break;
        memcpy(to->at, &header, sizeof header);
        memcpy(to->at + sizeof header, outcome->text, outcome->size);
        to->at += size;
        sm_control->explored.n_outcomes++;
    }
}
