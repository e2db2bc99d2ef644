/* combinations.c - see combinations.h. */
#include "harness/combinations.h"

#include <stdlib.h>
#include <string.h>

enum {
    VARIANTS = 512,
    SHAPES = 64,
    EDGES = 256,
    BEFORE = 2,         /* calls of one function that main makes before the threads */
    DECODED = 4000000,  /* up to this many numbers all are examined; of more, a sample */
    SAMPLES_EACH = 200, /* for each combination of a sample */
    OWN_VALUE = -1,     /* an argument that differs in each call */
};

/* A function and its keys. */
struct variant {
    int function;
    int arguments[SM_HARNESS_VALUES], n;
};

struct imposed_order {
    int from, from_call, to, to_call; /* from < 0: none */
};

struct shape {
    int calls[SM_HARNESS_THREADS];
    struct imposed_order edges[EDGES];
    size_t n_edges;
    double size; /* combinations of this shape, before any is dropped */
};

struct space {
    const struct sm_library *library;
    int threads;
    struct variant variants[VARIANTS];
    size_t n_variants;
    int before[VARIANTS]; /* functions that main may call first; "none" is the first of them */
    size_t n_before;
    struct shape shapes[SHAPES];
    size_t n_shapes;
    double size;
};

/* One combination. */
struct chosen_calls {
    const struct shape *shape;
    int before; /* function, or SM_NO_FUNCTION */
    struct imposed_order edge;
    const struct variant *calls[SM_HARNESS_THREADS][SM_HARNESS_CALLS];
};

/* ---- variants ---- */

static bool is_input(const struct sm_parameter *parameter)
{
    switch (parameter->kind) {
    case SM_PARAMETER_NUMBER:
    case SM_PARAMETER_STRING:
    case SM_PARAMETER_IN:
    case SM_PARAMETER_PAYLOAD:
    case SM_PARAMETER_RECORD:
    case SM_PARAMETER_NODE:
        return true;
    default:
        return false;
    }
}

static void add_variants(struct space *space, struct variant variant, size_t parameter)
{
    const struct sm_callable *function = &space->library->functions[variant.function];
    while (parameter < function->n && !is_input(&function->parameters[parameter]))
        parameter++;
    if (parameter == function->n) {
        if (space->n_variants < VARIANTS)
            space->variants[space->n_variants++] = variant;
        return;
    }
    int n = variant.n++;
    switch (function->parameters[parameter].domain) {
    case SM_DOMAIN_VALUE:
        variant.arguments[n] = OWN_VALUE;
        add_variants(space, variant, parameter + 1);
        return;
    case SM_DOMAIN_ZERO:
        variant.arguments[n] = 0;
        add_variants(space, variant, parameter + 1);
        return;
    default:
        for (int i = 0; i < 2; i++) {
            variant.arguments[n] = i + (function->parameters[parameter].domain == SM_DOMAIN_KEY);
            add_variants(space, variant, parameter + 1);
        }
    }
}

static bool has_inputs(const struct sm_callable *function)
{
    for (size_t i = 0; i < function->n; i++)
        if (is_input(&function->parameters[i]))
            return true;
    return false;
}

static void list_functions(struct space *space)
{
    space->before[space->n_before++] = SM_NO_FUNCTION;
    for (size_t i = 0; i < space->library->n; i++) {
        const struct sm_callable *function = &space->library->functions[i];
        if (!function->operates)
            continue;
        add_variants(space, (struct variant){.function = (int)i}, 0);
        if (!function->queries && has_inputs(function) && function->needs == SM_NO_FUNCTION &&
            function->waits_for == SM_NO_FUNCTION && space->n_before < VARIANTS)
            space->before[space->n_before++] = (int)i;
    }
}

/* ---- shapes ---- */

/* With two threads, an order that begins after a thread's last call, or ends before a thread's
   first one, is also shown by calls of main, before and after. */
static void add_edges(struct shape *shape, int threads, int from, int to)
{
    for (int i = 0; i < shape->calls[from]; i++)
        for (int k = 0; k < shape->calls[to]; k++) {
            if (threads == 2 && (i + 1 == shape->calls[from] || k == 0))
                continue;
            if (shape->n_edges < EDGES)
                shape->edges[shape->n_edges++] = (struct imposed_order){from, i, to, k};
        }
}

static double power(double base, int exponent)
{
    double result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

static void add_shape(struct space *space, const int *calls)
{
    if (space->n_shapes == SHAPES)
        return;
    struct shape *shape = &space->shapes[space->n_shapes++];
    int total = 0;
    *shape = (struct shape){.n_edges = 1, .edges = {{-1, 0, 0, 0}}};
    for (int i = 0; i < space->threads; i++)
        total += shape->calls[i] = calls[i];
    for (int i = 0; i < space->threads; i++)
        for (int k = 0; k < space->threads; k++)
            if (i != k)
                add_edges(shape, space->threads, i, k);
    shape->size =
        (double)space->n_before * (double)shape->n_edges * power((double)space->n_variants, total);
    space->size += shape->size;
}

/* Threads have `calls` calls on average, one more at most: 2 and 2, or 1 and 3. */
static void list_shapes(struct space *space, int *calls, int thread, int left, int most)
{
    if (thread + 1 == space->threads) {
        calls[thread] = left;
        if (left >= 1 && left <= most && (thread == 0 || left >= calls[thread - 1]))
            add_shape(space, calls);
        return;
    }
    for (int n = thread ? calls[thread - 1] : 1; n <= most && n < left; n++) {
        calls[thread] = n;
        list_shapes(space, calls, thread + 1, left - n, most);
    }
}

/* ---- decoding ---- */

static size_t take_digit(double *number, size_t base)
{
    double rest = *number / (double)base;
    double whole = (double)(unsigned long long)rest;
    size_t digit = (size_t)(*number - whole * (double)base);
    *number = whole;
    return digit < base ? digit : base - 1;
}

static void decode(const struct space *space, double number, struct chosen_calls *chosen)
{
    const struct shape *shape = space->shapes;
    for (; number >= shape->size && shape + 1 < space->shapes + space->n_shapes; shape++)
        number -= shape->size;
    chosen->shape = shape;
    chosen->edge = shape->edges[take_digit(&number, shape->n_edges)];
    chosen->before = space->before[take_digit(&number, space->n_before)];
    for (int t = 0; t < space->threads; t++)
        for (int i = 0; i < shape->calls[t]; i++)
            chosen->calls[t][i] = &space->variants[take_digit(&number, space->n_variants)];
}

/* ---- what is dropped ---- */

static const struct sm_callable *called(const struct space *space, const struct variant *variant)
{
    return &space->library->functions[variant->function];
}

static int compare_threads(const struct chosen_calls *chosen, int a, int b)
{
    for (int i = 0; i < chosen->shape->calls[a]; i++)
        if (chosen->calls[a][i] != chosen->calls[b][i])
            return chosen->calls[a][i] < chosen->calls[b][i] ? -1 : 1;
    return 0;
}

/* The order of threads with equally many calls does not matter. */
static bool threads_are_sorted(const struct space *space, const struct chosen_calls *chosen)
{
    for (int t = 1; t < space->threads; t++)
        if (chosen->shape->calls[t] == chosen->shape->calls[t - 1] &&
            compare_threads(chosen, t - 1, t) > 0)
            return false;
    return true;
}

/* Keys have no order: the first to be used is 1. Main uses both, if any. */
static bool keys_are_in_order(const struct space *space, const struct chosen_calls *chosen)
{
    if (chosen->before != SM_NO_FUNCTION)
        return true;
    for (int t = 0; t < space->threads; t++)
        for (int i = 0; i < chosen->shape->calls[t]; i++) {
            const struct variant *call = chosen->calls[t][i];
            const struct sm_callable *function = called(space, call);
            for (size_t k = 0, n = 0; k < function->n; k++) {
                if (!is_input(&function->parameters[k]))
                    continue;
                if (function->parameters[k].domain == SM_DOMAIN_KEY)
                    return call->arguments[n] == 1;
                n++;
            }
        }
    return true;
}

static bool changes_something(const struct space *space, const struct chosen_calls *chosen)
{
    for (int t = 0; t < space->threads; t++)
        for (int i = 0; i < chosen->shape->calls[t]; i++)
            if (!called(space, chosen->calls[t][i])->queries)
                return true;
    return false;
}

static bool needs_are_met(const struct space *space, const struct chosen_calls *chosen)
{
    for (int t = 0; t < space->threads; t++)
        for (int i = 0; i < chosen->shape->calls[t]; i++) {
            int needs = called(space, chosen->calls[t][i])->needs, held = 0;
            if (needs == SM_NO_FUNCTION)
                continue;
            for (int k = 0; k < i; k++) {
                held += chosen->calls[t][k]->function == needs;
                held -= called(space, chosen->calls[t][k])->needs == needs;
            }
            if (held <= 0)
                return false;
        }
    return true;
}

/* ---- can it block for ever? ---- */

static int count_made(const struct space *space, const struct chosen_calls *chosen, const int *made,
                      int function)
{
    int n = chosen->before == function ? BEFORE : 0;
    for (int t = 0; t < space->threads; t++)
        for (int i = 0; i < made[t]; i++)
            n += chosen->calls[t][i]->function == function;
    return n;
}

static bool is_enabled(const struct space *space, const struct chosen_calls *chosen,
                       const int *made, int thread)
{
    if (made[thread] == chosen->shape->calls[thread])
        return false;
    int next = chosen->calls[thread][made[thread]]->function;
    const struct sm_callable *function = &space->library->functions[next];
    const struct imposed_order *edge = &chosen->edge;
    if (edge->from >= 0 && edge->to == thread && edge->to_call == made[thread] &&
        made[edge->from] <= edge->from_call)
        return false;
    return function->waits_for == SM_NO_FUNCTION ||
           (int)function->tokens + count_made(space, chosen, made, function->waits_for) >
               count_made(space, chosen, made, next);
}

/* A call that may fail is made, or not. */
static size_t count_outcomes(const struct space *space, const struct chosen_calls *chosen)
{
    size_t n = 1;
    for (int t = 0; t < space->threads; t++)
        for (int i = 0; i < chosen->shape->calls[t]; i++)
            n <<= called(space, chosen->calls[t][i])->may_fail;
    return n;
}

/* Every order of the calls runs to its end. `orders` counts those that can be the outcome. */
static bool never_blocks(const struct space *space, const struct chosen_calls *chosen, int *made,
                         size_t *orders)
{
    bool any = false, left = false;
    for (int t = 0; t < space->threads; t++) {
        left |= made[t] < chosen->shape->calls[t];
        if (!is_enabled(space, chosen, made, t))
            continue;
        any = true;
        made[t]++;
        bool ok = never_blocks(space, chosen, made, orders);
        made[t]--;
        if (!ok)
            return false;
    }
    *orders += left ? 0 : count_outcomes(space, chosen);
    return any || !left;
}

static bool is_wanted(const struct space *space, const struct chosen_calls *chosen)
{
    return threads_are_sorted(space, chosen) && keys_are_in_order(space, chosen) &&
           changes_something(space, chosen) && needs_are_met(space, chosen);
}

/* ---- text ---- */

static void put_call(const struct space *space, const struct variant *variant, int *value,
                     struct sm_buffer *to)
{
    bool own = false;
    sm_buffer_print(to, "%s%s(", to->size && to->data[to->size - 1] != ' ' ? " " : "",
                    called(space, variant)->name);
    for (int i = 0; i < variant->n; i++) {
        own |= variant->arguments[i] == OWN_VALUE;
        sm_buffer_print(to, "%s%d", i ? "," : "",
                        variant->arguments[i] == OWN_VALUE ? *value : variant->arguments[i]);
    }
    *value += own;
    sm_buffer_text(to, ")");
}

/* The calls of main are those of one function, with one key after the other. */
static void put_before(const struct space *space, int function, int *value, struct sm_buffer *to)
{
    const struct variant *last = NULL;
    int n = 0;
    for (size_t i = 0; i < space->n_variants && n < BEFORE; i++)
        if (space->variants[i].function == function) {
            put_call(space, last = &space->variants[i], value, to);
            n++;
        }
    while (last && n++ < BEFORE)
        put_call(space, last, value, to);
}

static char *text_of(const struct space *space, const struct chosen_calls *chosen)
{
    struct sm_buffer text = {0};
    int value = 1;
    if (chosen->before != SM_NO_FUNCTION)
        put_before(space, chosen->before, &value, &text);
    for (int t = 0; t < space->threads; t++) {
        sm_buffer_text(&text, text.size ? " | " : "| ");
        for (int i = 0; i < chosen->shape->calls[t]; i++)
            put_call(space, chosen->calls[t][i], &value, &text);
    }
    if (chosen->edge.from >= 0)
        sm_buffer_print(&text, " | %c%d<%c%d", 'A' + chosen->edge.from, chosen->edge.from_call + 1,
                        'A' + chosen->edge.to, chosen->edge.to_call + 1);
    return text.data;
}

/* ---- all of them ---- */

static bool decode_wanted(const struct space *space, double number, struct chosen_calls *chosen,
                          size_t *orders)
{
    int made[SM_HARNESS_THREADS] = {0};
    *orders = 0;
    decode(space, number, chosen);
    return is_wanted(space, chosen) && never_blocks(space, chosen, made, orders);
}

static void add(struct sm_combinations *combinations, const struct space *space,
                const struct chosen_calls *chosen, size_t orders)
{
    char *text = text_of(space, chosen);
    sm_list_add(&combinations->texts, text);
    free(text);
    if (orders > combinations->orders)
        combinations->orders = orders;
}

/* Every number is examined; of `of` wanted ones `most` are taken, evenly spaced. */
static void take_all(struct sm_combinations *combinations, const struct space *space, size_t most)
{
    struct chosen_calls chosen;
    size_t orders, n = 0, of = 0;
    for (double number = 0; number < space->size; number++)
        of += decode_wanted(space, number, &chosen, &orders);
    combinations->of = (double)of;
    if (!most || most > of)
        most = of;
    for (double number = 0; number < space->size; number++) {
        if (!decode_wanted(space, number, &chosen, &orders))
            continue;
        if ((n + 1) * most / of > n * most / of)
            add(combinations, space, &chosen, orders);
        n++;
    }
}

/* The fractional parts of multiples of the golden ratio fill the interval evenly, and are no
   multiples of any digit's base. */
static void take_sample(struct sm_combinations *combinations, const struct space *space,
                        size_t most)
{
    struct chosen_calls chosen;
    size_t orders, tries = 0, found = 0;
    for (; tries < most * SAMPLES_EACH && found < most; tries++) {
        double part = 0.6180339887498949 * (double)(tries + 1);
        part -= (double)(unsigned long long)part;
        double number = (double)(unsigned long long)(part * space->size);
        if (!decode_wanted(space, number, &chosen, &orders))
            continue;
        add(combinations, space, &chosen, orders);
        found++;
    }
    combinations->of = space->size * (double)found / (double)(tries ? tries : 1);
    combinations->estimated = true;
}

void sm_combinations_make(struct sm_combinations *combinations, const struct sm_library *library,
                          const struct sm_settings *settings)
{
    struct space *space = sm_new(sizeof *space);
    int calls[SM_HARNESS_THREADS];
    space->library = library;
    space->threads = (int)settings->threads;
    list_functions(space);
    list_shapes(space, calls, 0, (int)(settings->threads * settings->calls),
                (int)settings->calls + (settings->calls > 1));
    *combinations = (struct sm_combinations){.orders = 1};
    if (space->size <= DECODED || !settings->combinations)
        take_all(combinations, space, settings->combinations);
    else
        take_sample(combinations, space, settings->combinations);
    free(space);
}

void sm_combinations_free(struct sm_combinations *combinations)
{
    sm_list_free(&combinations->texts);
}

/* ---- at the end ---- */

static bool has_own_value(const struct variant *variant)
{
    for (int i = 0; i < variant->n; i++)
        if (variant->arguments[i] == OWN_VALUE)
            return true;
    return false;
}

/* Queries first: a function that takes something out changes what they see. */
static bool is_final(const struct sm_callable *function, const struct variant *variant, int pass)
{
    if (!sm_callable_has_results(function) || function->needs != SM_NO_FUNCTION ||
        function->waits_for != SM_NO_FUNCTION || has_own_value(variant))
        return false;
    return pass == 0   ? function->queries
           : pass == 1 ? !function->queries && !variant->n
                       : !function->queries && variant->n;
}

/* Queries; functions that take something out, until nothing is left; if there is neither, calls
   with keys. */
char *sm_combinations_finally(const struct sm_library *library)
{
    struct space *space = sm_new(sizeof *space);
    struct sm_buffer text = {0};
    int value = 1;
    space->library = library;
    list_functions(space);
    sm_buffer_text(&text, "");
    for (int pass = 0; pass < 3 && (pass < 2 || !text.size); pass++)
        for (size_t i = 0; i < space->n_variants; i++) {
            if (!is_final(called(space, &space->variants[i]), &space->variants[i], pass))
                continue;
            put_call(space, &space->variants[i], &value, &text);
            sm_buffer_text(&text, pass == 1 ? "*" : "");
        }
    free(space);
    return text.data;
}
