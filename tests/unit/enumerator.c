/* The generating half: litmus programs to candidate traces. The judging half is textbook.c. */
#include "enumerator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/order.h"

enum { BASE = 0x1000, MUTEX = 0x9000, NEVER = EN_RECORDS };

/* ---- parsing ---- */

static const struct {
    const char *word;
    uint8_t order;
} orders[] = {{"rlx", SM_ORDER_RELAXED}, {"acq", SM_ORDER_ACQUIRE}, {"rel", SM_ORDER_RELEASE},
              {"ar", SM_ORDER_ACQ_REL},  {"sc", SM_ORDER_SEQ_CST},  {"vol", SM_ORDER_PLAIN}};

static _Noreturn void bad(const char *text)
{
    fprintf(stderr, "not a litmus test: '%s'\n", text);
    abort();
}

static uint8_t parse_location(const char *word, const char *text)
{
    if (!word || !strchr("xyz", word[0]) || word[1])
        bad(text);
    return (uint8_t)(word[0] - 'x');
}

static void parse_order(const char *word, struct en_instruction *to, const char *text)
{
    to->order = SM_ORDER_PLAIN;
    if (!word)
        return;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        if (strcmp(word, orders[i].word) != 0)
            continue;
        to->order = orders[i].order;
        to->is_volatile = strcmp(word, "vol") == 0;
        return;
    }
    bad(text);
}

static struct en_instruction parse_instruction(char *piece, const char *text)
{
    char *save, *word = strtok_r(piece, " ", &save);
    struct en_instruction to = {0};
    if (!word || word[1] || !strchr("WRUCFLM", word[0]))
        bad(text);
    to.op = word[0];
    if (strchr("WRUC", to.op))
        to.location = parse_location(strtok_r(NULL, " ", &save), text);
    if (strchr("WUC", to.op))
        to.value = (uint8_t)atoi(strtok_r(NULL, " ", &save));
    if (strchr("LM", to.op))
        strtok_r(NULL, " ", &save);
    else
        parse_order(strtok_r(NULL, " ", &save), &to, text);
    return to;
}

void en_parse(const char *text, struct en_program *program)
{
    char copy[512], *threads, *pieces;
    snprintf(copy, sizeof copy, "%s", text);
    *program = (struct en_program){0};
    for (char *t = strtok_r(copy, "|", &threads); t; t = strtok_r(NULL, "|", &threads)) {
        uint32_t k = program->n_threads++;
        if (k == EN_THREADS)
            bad(text);
        for (char *p = strtok_r(t, ";", &pieces); p; p = strtok_r(NULL, ";", &pieces)) {
            if (program->length[k] == EN_LENGTH)
                bad(text);
            program->code[k][program->length[k]++] = parse_instruction(p, text);
        }
    }
}

void en_parse_outcome(const char *text, struct en_program *program, struct en_outcome *outcome)
{
    char copy[128], *save;
    snprintf(copy, sizeof copy, "%s", text);
    *outcome = (struct en_outcome){0};
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (w[1] == '=') {
            uint8_t location = (uint8_t)(w[0] - 'x');
            program->final[location] = true;
            outcome->final[location] = (uint64_t)atoi(w + 2);
        } else {
            outcome->read[outcome->n++] = (uint64_t)atoi(w);
        }
    }
}

/* ---- state of the enumeration ---- */

struct state {
    const struct en_request *request;
    struct en_trace trace;
    uint64_t count;
    uint32_t next[EN_THREADS];
    uint32_t lands[EN_RECORDS]; /* by record of a store: when it reaches memory, or NEVER */
    uint32_t number[EN_THREADS][EN_LENGTH]; /* which read of the outcome an instruction is */
    bool held;                              /* the mutex */
    bool compares; /* the next read succeeds if it reads 0, or not at all */
};

static void go_on(struct state *s);

int en_location(const struct sm_record *record)
{
    return record->addr < BASE || record->addr >= BASE + 8u * EN_LOCATIONS
               ? -1
               : (int)(record->addr - BASE) / 8;
}

static struct sm_record *append(struct state *s, int kind, uint32_t thread)
{
    if (s->trace.n == EN_RECORDS)
        abort();
    struct sm_record *r = &s->trace.records[s->trace.n];
    *r = (struct sm_record){.kind = (uint8_t)kind,
                            .thread = thread,
                            .site = SM_NO_SITE,
                            .order = SM_ORDER_PLAIN,
                            .rf = SM_RF_NONE};
    s->lands[s->trace.n++] = NEVER;
    return r;
}

static bool is_store(const struct sm_record *r)
{
    return r->kind == SM_EV_STORE || r->kind == SM_EV_ATOMIC_STORE || r->kind == SM_EV_RMW;
}

static bool has_buffers(const struct state *s)
{
    return s->request->options.model == SM_MODEL_TSO || s->request->options.model == SM_MODEL_PSO;
}

/* ---- the end: threads end, are joined, and results are read ---- */

static bool is_wanted(const struct state *s)
{
    const struct en_outcome *wanted = s->request->wanted, *got = &s->trace.outcome;
    return !wanted || (memcmp(wanted->read, got->read, wanted->n * sizeof got->read[0]) == 0 &&
                       memcmp(wanted->final, got->final, sizeof got->final) == 0);
}

static bool is_accessed_atomically(const struct en_program *program, uint8_t location)
{
    for (uint32_t t = 0; t < program->n_threads; t++)
        for (uint32_t i = 0; i < program->length[t]; i++) {
            const struct en_instruction *in = &program->code[t][i];
            if (strchr("WRUC", in->op) && in->location == location && in->order != SM_ORDER_PLAIN)
                return true;
        }
    return false;
}

static void read_from_any(struct state *s, uint32_t record, uint64_t *result, uint8_t location);

static void final_reads(struct state *s, uint8_t location)
{
    const struct en_program *program = s->request->program;
    while (location < EN_LOCATIONS && !program->final[location])
        location++;
    if (location == EN_LOCATIONS) {
        if (is_wanted(s)) {
            s->count++;
            s->request->visit(&s->trace, s->request->context);
        }
        return;
    }
    bool atomic = is_accessed_atomically(program, location);
    struct sm_record *r = append(s, atomic ? SM_EV_ATOMIC_LOAD : SM_EV_LOAD, 0);
    r->order = atomic ? SM_ORDER_RELAXED : SM_ORDER_PLAIN;
    r->addr = BASE + 8u * location;
    r->size = 4;
    r->flags = SM_RECORD_LIED;
    read_from_any(s, s->trace.n - 1, &s->trace.outcome.final[location], location + 1);
    s->trace.n--;
}

static void finish(struct state *s)
{
    const struct en_program *program = s->request->program;
    uint32_t n = s->trace.n;
    for (uint32_t t = 1; t <= program->n_threads; t++)
        append(s, SM_EV_END, t);
    for (uint32_t t = 1; t <= program->n_threads; t++)
        append(s, SM_EV_JOIN, 0)->old = t;
    final_reads(s, 0);
    s->trace.n = n;
}

/* ---- reads ---- */

enum { NOT_FINAL = 0xff };

/* The read at `record` returns `value` from rf; then whatever comes next. */
static void read_from(struct state *s, uint32_t record, uint64_t rf, uint64_t value,
                      uint64_t *result, uint8_t location)
{
    struct sm_record *r = &s->trace.records[record];
    if (s->compares && value)
        return;
    bool compares = s->compares;
    s->compares = false;
    r->rf = rf;
    *(r->kind == SM_EV_RMW ? &r->old : &r->value) = value;
    *result = value + (r->kind == SM_EV_CAS_FAIL ? EN_FAILED : 0);
    if (location == NOT_FINAL)
        go_on(s);
    else
        final_reads(s, location);
    s->compares = compares;
}

/* SPARC's Value: the newest of what has landed, and of what the thread itself has stored. */
static uint64_t newest(const struct state *s, uint32_t record)
{
    const struct sm_record *r = &s->trace.records[record];
    uint64_t rf = SM_RF_INITIAL;
    uint32_t best = 0;
    for (uint32_t w = 0; w < record; w++) {
        const struct sm_record *store = &s->trace.records[w];
        if (!is_store(store) || store->addr != r->addr)
            continue;
        uint32_t when =
            s->lands[w] == NEVER && store->thread == r->thread ? NEVER + w : s->lands[w];
        if (when != NEVER && when + 1 > best) {
            best = when + 1;
            rf = w;
        }
    }
    return rf;
}

static void read_from_any(struct state *s, uint32_t record, uint64_t *result, uint8_t location)
{
    uint64_t addr = s->trace.records[record].addr;
    uint64_t only = s->request->forced ? newest(s, record) : SM_RF_NONE;
    if (only == SM_RF_INITIAL || only == SM_RF_NONE)
        read_from(s, record, SM_RF_INITIAL, 0, result, location);
    for (uint32_t w = 0; w < record; w++)
        if (is_store(&s->trace.records[w]) && s->trace.records[w].addr == addr &&
            (only == SM_RF_NONE || only == w))
            read_from(s, record, w, s->trace.records[w].value, result, location);
}

/* With prescience a plain read may return a store that is still to come. It is written down
   with the value and found again in tie_futures(). */
static void read_the_future(struct state *s, uint32_t record, uint64_t *result)
{
    const struct en_program *program = s->request->program;
    struct sm_record *r = &s->trace.records[record];
    if (!s->request->options.prescient || r->kind != SM_EV_LOAD)
        return;
    r->flags |= SM_RECORD_FUTURE;
    for (uint32_t t = 0; t < program->n_threads; t++)
        for (uint32_t i = s->next[t]; i < program->length[t]; i++) {
            const struct en_instruction *in = &program->code[t][i];
            if (strchr("WU", in->op) && BASE + 8u * in->location == r->addr) {
                r->stack = 1 + t * EN_LENGTH + i;
                read_from(s, record, SM_RF_NONE, in->value, result, NOT_FINAL);
                r = &s->trace.records[record];
                r->stack = 0;
            }
        }
    r->flags &= (uint8_t)~SM_RECORD_FUTURE;
}

static void tie_futures(struct state *s, uint32_t store, uint32_t instruction)
{
    for (uint32_t i = 0; i < store; i++)
        if (s->trace.records[i].stack == instruction)
            s->trace.records[i].rf = store;
}

/* ---- one instruction ---- */

static void fill_access(struct sm_record *r, const struct en_instruction *in)
{
    r->size = 4;
    r->addr = BASE + 8u * in->location;
    r->order = in->order;
    r->value = in->value;
    r->flags = SM_RECORD_LIED | (in->is_volatile ? SM_RECORD_VOLATILE : 0);
}

static void store(struct state *s, uint32_t t, const struct en_instruction *in)
{
    bool plain = in->order == SM_ORDER_PLAIN;
    uint32_t w = s->trace.n;
    struct sm_record *r = append(s, plain ? SM_EV_STORE : SM_EV_ATOMIC_STORE, t + 1);
    fill_access(r, in);
    tie_futures(s, w, 1 + t * EN_LENGTH + s->next[t] - 1);
    s->lands[w] = w;
    go_on(s);
    if (has_buffers(s)) {
        s->trace.records[w].flags |= SM_RECORD_DELAYED;
        s->lands[w] = NEVER;
        go_on(s);
    }
}

static void load(struct state *s, uint32_t t, const struct en_instruction *in)
{
    bool plain = in->order == SM_ORDER_PLAIN, update = in->op == 'U';
    uint32_t i = s->trace.n;
    struct sm_record *r = append(s,
                                 update  ? SM_EV_RMW
                                 : plain ? SM_EV_LOAD
                                         : SM_EV_ATOMIC_LOAD,
                                 t + 1);
    uint64_t *result = &s->trace.outcome.read[s->number[t][s->next[t] - 1]];
    fill_access(r, in);
    if (update) {
        tie_futures(s, i, 1 + t * EN_LENGTH + s->next[t] - 1);
        s->lands[i] = i;
    }
    read_from_any(s, i, result, NOT_FINAL);
    read_the_future(s, i, result);
}

/* A weak compare-exchange of 0 has read 0 if it succeeds; it may fail whatever it reads. */
static void compare(struct state *s, uint32_t t, const struct en_instruction *in)
{
    uint32_t n = s->trace.n;
    struct sm_record *r = append(s, SM_EV_RMW, t + 1);
    uint64_t *result = &s->trace.outcome.read[s->number[t][s->next[t] - 1]];
    fill_access(r, in);
    s->lands[n] = n;
    s->compares = true;
    read_from_any(s, n, result, NOT_FINAL);
    s->compares = false;
    r->kind = SM_EV_CAS_FAIL;
    r->order = sm_order_acquires(in->order) ? SM_ORDER_ACQUIRE : SM_ORDER_RELAXED;
    read_from_any(s, n, result, NOT_FINAL);
}

static void execute(struct state *s, uint32_t t)
{
    const struct en_instruction *in = &s->request->program->code[t][s->next[t]++];
    uint32_t n = s->trace.n;
    bool held = s->held;
    switch (in->op) {
    case 'W':
        store(s, t, in);
        break;
    case 'R':
    case 'U':
        load(s, t, in);
        break;
    case 'C':
        compare(s, t, in);
        break;
    case 'F':
        append(s, SM_EV_FENCE, t + 1)->order = in->order;
        go_on(s);
        break;
    default:
        append(s, in->op == 'L' ? SM_EV_LOCK : SM_EV_UNLOCK, t + 1)->addr = MUTEX;
        s->held = in->op == 'L';
        go_on(s);
    }
    s->held = held;
    s->trace.n = n;
    s->next[t]--;
}

static void flush(struct state *s, uint32_t w)
{
    struct sm_record *r = append(s, SM_EV_FLUSH, s->trace.records[w].thread);
    r->rf = w;
    r->addr = s->trace.records[w].addr;
    r->size = 4;
    s->lands[w] = s->trace.n - 1;
    go_on(s);
    s->lands[w] = NEVER;
    s->trace.n--;
}

static bool is_waiting(const struct state *s, uint32_t w)
{
    return (s->trace.records[w].flags & SM_RECORD_DELAYED) && s->lands[w] == NEVER;
}

/* Before a younger store of its buffer, which under pso is one for each location. */
static bool is_oldest(const struct state *s, uint32_t w)
{
    bool one_buffer = s->request->options.model == SM_MODEL_TSO;
    const struct sm_record *records = s->trace.records;
    for (uint32_t i = 0; i < w; i++)
        if (is_waiting(s, i) && records[i].thread == records[w].thread &&
            (one_buffer || records[i].addr == records[w].addr))
            return false;
    return true;
}

static bool has_waiting(const struct state *s, uint32_t t)
{
    for (uint32_t w = 0; w < s->trace.n; w++)
        if (is_waiting(s, w) && s->trace.records[w].thread == t + 1)
            return true;
    return false;
}

static bool any_waiting(const struct state *s)
{
    for (uint32_t t = 0; t < s->request->program->n_threads; t++)
        if (has_waiting(s, t))
            return true;
    return false;
}

static bool may_execute(const struct state *s, uint32_t t)
{
    char op = s->request->program->code[t][s->next[t]].op;
    return !s->request->plausible || !strchr("LMU", op) ||
           (!has_waiting(s, t) && (op != 'L' || !s->held));
}

static void go_on(struct state *s)
{
    const struct en_program *program = s->request->program;
    uint32_t n = s->trace.n;
    bool done = true;
    for (uint32_t t = 0; t < program->n_threads; t++)
        if (s->next[t] < program->length[t]) {
            done = false;
            if (may_execute(s, t))
                execute(s, t);
        }
    for (uint32_t w = 0; w < n; w++)
        if (is_waiting(s, w) && (!s->request->plausible || is_oldest(s, w)))
            flush(s, w);
    if (done && !(s->request->plausible && any_waiting(s)))
        finish(s);
}

uint64_t en_traces(const struct en_request *request)
{
    struct state s = {.request = request};
    const struct en_program *program = request->program;
    for (uint32_t t = 0; t < program->n_threads; t++)
        for (uint32_t i = 0; i < program->length[t]; i++)
            if (strchr("RUC", program->code[t][i].op))
                s.number[t][i] = s.trace.outcome.n++;
    for (uint32_t t = 1; t <= program->n_threads; t++)
        append(&s, SM_EV_SPAWN, 0)->old = t;
    for (uint32_t t = 1; t <= program->n_threads; t++)
        append(&s, SM_EV_BEGIN, t);
    go_on(&s);
    return s.count;
}
