#include "verify/results/outcomes.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "verify/pool.h"

enum { OUTCOME_BUCKETS = 1024, MAX_OUTCOMES = 65536 };

struct outcome {
    struct outcome *next; /* of the bucket */
    uint32_t number;      /* from 1 */
    bool forbidden;
    uint64_t count;
    size_t size;
    char text[];
};

static struct table {
    struct outcome *buckets[OUTCOME_BUCKETS];
    struct outcome *all[MAX_OUTCOMES]; /* in the order they were seen */
    uint32_t n;
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

static uint32_t add(const char *text, size_t size)
{
    uint64_t hash = sm_outcome_hash(text, size);
    bool forbidden = sm_outcome_is_forbidden(&sm_control->explored, hash);
    if (forbidden)
        sm_format(table->remark, sizeof table->remark, "forbidden outcome: %.*s",
                  (int)(size - (size && text[size - 1] == '\n')), text);
    struct outcome **bucket = &table->buckets[hash % OUTCOME_BUCKETS];
    for (struct outcome *o = *bucket; o; o = o->next) {
        if (o->size != size || memcmp(o->text, text, size) != 0)
            continue;
        o->count++;
        return o->number;
    }
    if (table->n == MAX_OUTCOMES) {
        sm_control->explored.outcomes_lost++;
        return 0;
    }
    struct outcome *new = sm_pool_get(sizeof *new + size);
    *new = (struct outcome){
        .next = *bucket, .number = table->n + 1, .forbidden = forbidden, .count = 1, .size = size};
    memcpy(new->text, text, size);
    *bucket = table->all[table->n++] = new;
    remark_example(hash);
    return new->number;
}

bool sm_outcomes_again(uint32_t number)
{
    struct outcome *outcome = table->all[number - 1];
    outcome->count += !outcome->forbidden;
    return !outcome->forbidden;
}

uint32_t sm_outcomes_add(void)
{
    const char *output;
    size_t size = sm_restart_output(&output);
    table->remark[0] = 0;
    table->example = false;
    if (!sm_control->outcome_bytes)
        return add(output, size);
    size_t both = size + sm_control->outcome_bytes;
    char *text = sm_pool_get(both);
    memcpy(text, output, size);
    memcpy(text + size, sm_control->outcome, sm_control->outcome_bytes);
    uint32_t number = add(text, both);
    sm_pool_put(text, both);
    return number;
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
