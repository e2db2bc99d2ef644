/*
 * counts.c - verify against brute force: every graph of a tiny program, filtered by the axioms
 * as the literature prints them, must be what verify visits: as many, with the same outcomes.
 *
 * Usage: verify-counts PROGRAM N SEED [blocks | atomics]. N random programs, each under sc, tso,
 * pso and c11, with atomic blocks if told so; with N 0, the tests of ../litmus/litmus.def (but
 * those with mutexes) and of families.def. With `atomics` programs that have nothing else, in which
 * hb must find outcomes of c11 alone, and all of them where it says that it is complete. Shares no
 * code with explore/: relations are matrices of bits, reads-from, modification orders and the order
 * of blocks are tried one by one. One line for each disagreement; the last line counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explored.h"

enum { MAX_EVENTS = 24, LOCATIONS = 3, BLOCKS = LOCATIONS, MAX_OUTCOMES = 4096 };
enum order { PLAIN, RLX, ACQ, REL, AR, SC };
static const char *const order_words[] = {"", "rlx", "acq", "rel", "ar", "sc"};

/* An instruction of the program, or the initial write of a location, or a last read. */
struct event {
    char op; /* I R W U F; B E: an atomic block begins and ends */
    int thread, location, value;
    enum order order;
    int rf, place; /* read: the write; write: place in modification order; block: among blocks */
    int step;      /* the block it is in, by its begin, or the event itself */
};

struct program {
    struct event events[MAX_EVENTS];
    int n; /* the first LOCATIONS are initial writes */
    char text[512];
};

typedef uint32_t set; /* of events */
typedef set relation[MAX_EVENTS];

static const struct event *events;
static int n_events;

static bool is_write(int e)
{
    return strchr("IWU", events[e].op) != NULL;
}

static bool is_read(int e)
{
    return strchr("RU", events[e].op) != NULL;
}

static bool acquires(int e)
{
    enum order o = events[e].order;
    return (is_read(e) || events[e].op == 'F') && (o == ACQ || o == AR || o == SC);
}

static bool releases(int e)
{
    enum order o = events[e].order;
    return (is_write(e) || events[e].op == 'F') && (o == REL || o == AR || o == SC) &&
           events[e].op != 'I';
}

/* ---- relations ---- */

static void close(relation r)
{
    for (int k = 0; k < n_events; k++)
        for (int i = 0; i < n_events; i++)
            if (r[i] >> k & 1)
                r[i] |= r[k];
}

static bool is_irreflexive(const relation r)
{
    for (int i = 0; i < n_events; i++)
        if (r[i] >> i & 1)
            return false;
    return true;
}

static bool is_acyclic(const relation r)
{
    relation closed;
    memcpy(closed, r, sizeof closed);
    close(closed);
    return is_irreflexive(closed);
}

static void compose(relation to, const relation a, const relation b)
{
    relation result = {0};
    for (int i = 0; i < n_events; i++)
        for (int k = 0; k < n_events; k++)
            if (a[i] >> k & 1)
                result[i] |= b[k];
    memcpy(to, result, sizeof result);
}

static void add(relation to, const relation from)
{
    for (int i = 0; i < n_events; i++)
        to[i] |= from[i];
}

static void reflexive(relation r)
{
    for (int i = 0; i < n_events; i++)
        r[i] |= 1u << i;
}

/* Only pairs whose ends are in the sets. */
static void restrict_to(relation r, set from, set to)
{
    for (int i = 0; i < n_events; i++)
        r[i] = from >> i & 1 ? r[i] & to : 0;
}

/* ---- the graph ---- */

static relation po, rf, mo, fr, loc, ext, hb_sync; /* hb_sync: creation and joining */

static bool same_location(int a, int b)
{
    return events[a].op != 'F' && events[b].op != 'F' && events[a].location == events[b].location;
}

/* The initial writes come before all; the last reads (thread -2) after all. */
static bool in_po(int a, int b)
{
    int s = events[a].thread, t = events[b].thread;
    return s == t && a < b;
}

static bool by_creation(int a, int b)
{
    int s = events[a].thread, t = events[b].thread;
    return s != t && (s == -1 || t == -2);
}

static bool by_block(int a, int b)
{
    return events[a].op == 'E' && events[b].op == 'B' &&
           events[events[a].step].place < events[b].place;
}

static void build(void)
{
    memset(rf, 0, sizeof rf);
    memset(mo, 0, sizeof mo);
    memset(fr, 0, sizeof fr);
    for (int a = 0; a < n_events; a++) {
        po[a] = loc[a] = ext[a] = hb_sync[a] = 0;
        for (int b = 0; b < n_events; b++) {
            po[a] |= (set)in_po(a, b) << b;
            hb_sync[a] |= (set)(by_creation(a, b) || by_block(a, b)) << b;
            loc[a] |= (set)same_location(a, b) << b;
            ext[a] |= (set)(events[a].thread != events[b].thread) << b;
            if (is_read(b) && events[b].rf == a)
                rf[a] |= 1u << b;
            if (is_write(a) && is_write(b) && same_location(a, b) &&
                events[a].place < events[b].place)
                mo[a] |= 1u << b;
            if (is_read(a) && is_write(b) && a != b && same_location(a, b) &&
                events[events[a].rf].place < events[b].place)
                fr[a] |= 1u << b;
        }
    }
}

static bool is_atomic(void)
{
    for (int u = 0; u < n_events; u++)
        if (events[u].op == 'U' && events[u].place != events[events[u].rf].place + 1)
            return false;
    return true;
}

/* ---- axioms ---- */

/* Acyclic, if each block is one thing. */
static bool is_acyclic_by_steps(const relation r)
{
    relation steps = {0};
    for (int a = 0; a < n_events; a++)
        for (int b = 0; b < n_events; b++)
            if ((r[a] >> b & 1) && events[a].step != events[b].step)
                steps[events[a].step] |= 1u << events[b].step;
    return is_acyclic(r) && is_acyclic(steps);
}

static bool sc_allows(void)
{
    relation all;
    memcpy(all, po, sizeof all);
    add(all, hb_sync);
    add(all, rf);
    add(all, mo);
    add(all, fr);
    return is_acyclic_by_steps(all);
}

static bool is_coherent(void)
{
    relation all;
    memcpy(all, po, sizeof all);
    add(all, hb_sync);
    for (int i = 0; i < n_events; i++)
        all[i] &= loc[i];
    add(all, rf);
    add(all, mo);
    add(all, fr);
    return is_acyclic(all);
}

static bool drains(int e)
{
    return strchr("UBE", events[e].op) || (events[e].op == 'F' && events[e].order == SC);
}

/* Under pso a release fence keeps stores on their sides. */
static bool is_fenced(int a, int b)
{
    for (int f = a + 1; f < b; f++)
        if (events[f].op == 'F' && releases(f))
            return true;
    return false;
}

/* Is the program order between these two kept in memory? */
static bool is_preserved(int a, int b, bool pso)
{
    if (drains(a) || drains(b))
        return true;
    if (events[a].op == 'F' || events[b].op == 'F')
        return false;
    if (is_read(a) || events[a].order == SC)
        return true;
    if (is_read(b))
        return false;
    return !pso || releases(b) || same_location(a, b) || is_fenced(a, b);
}

static bool buffers_allow(bool pso)
{
    relation all = {0};
    if (!is_coherent())
        return false;
    for (int a = 0; a < n_events; a++)
        for (int b = 0; b < n_events; b++)
            if ((po[a] >> b & 1) && is_preserved(a, b, pso))
                all[a] |= 1u << b;
    add(all, hb_sync);
    for (int a = 0; a < n_events; a++)
        all[a] |= rf[a] & ext[a];
    add(all, mo);
    add(all, fr);
    return is_acyclic_by_steps(all);
}

/* RC11, section 3 of Lahav et al. 2017. */
static void happens_before(relation hb)
{
    relation rs = {0}, rmw_step = {0}, sw = {0};
    for (int a = 0; a < n_events; a++)
        for (int b = 0; b < n_events; b++) {
            bool later = is_write(a) && is_write(b) && (a == b || ((po[a] & loc[a]) >> b & 1));
            rs[a] |= (set)later << b;
            rmw_step[a] |= (set)((rf[a] >> b & 1) && events[b].op == 'U') << b;
        }
    close(rmw_step);
    reflexive(rmw_step);
    compose(rs, rs, rmw_step);
    for (int a = 0; a < n_events; a++)
        for (int w = 0; w < n_events; w++)
            for (int v = 0; v < n_events; v++)
                for (int r = 0; r < n_events; r++) {
                    if (!(rs[w] >> v & 1) || !(rf[v] >> r & 1) || !releases(a))
                        continue;
                    bool begins = a == w || (events[a].op == 'F' && (po[a] >> w & 1));
                    for (int b = 0; begins && b < n_events; b++)
                        if (acquires(b) && (b == r || (events[b].op == 'F' && (po[r] >> b & 1))))
                            sw[a] |= 1u << b;
                }
    memcpy(hb, po, sizeof(relation));
    add(hb, hb_sync);
    add(hb, sw);
    close(hb);
}

static bool psc_allows(const relation hb, const relation eco)
{
    relation scb, part, hb_loc, psc, other, fence_hb, hb_fence, hb_eco_hb;
    set seq_cst = 0, fences = 0;
    for (int e = 0; e < n_events; e++) {
        bool is_sc = events[e].order == SC && events[e].op != 'I';
        seq_cst |= (set)is_sc << e;
        fences |= (set)(is_sc && events[e].op == 'F') << e;
    }
    memcpy(scb, po, sizeof scb);
    for (int i = 0; i < n_events; i++)
        part[i] = po[i] & ~loc[i];
    compose(other, part, hb);
    compose(other, other, part);
    add(scb, other);
    for (int i = 0; i < n_events; i++)
        hb_loc[i] = hb[i] & loc[i];
    add(scb, hb_loc);
    add(scb, mo);
    add(scb, fr);
    memcpy(fence_hb, hb, sizeof fence_hb);
    reflexive(fence_hb);
    memcpy(hb_fence, fence_hb, sizeof hb_fence);
    restrict_to(fence_hb, fences, ~0u);
    restrict_to(hb_fence, ~0u, fences);
    for (int e = 0; e < n_events; e++)
        if (seq_cst >> e & 1) {
            fence_hb[e] |= 1u << e;
            hb_fence[e] |= 1u << e;
        }
    compose(psc, fence_hb, scb);
    compose(psc, psc, hb_fence);
    compose(hb_eco_hb, hb, eco);
    compose(hb_eco_hb, hb_eco_hb, hb);
    add(hb_eco_hb, hb);
    restrict_to(hb_eco_hb, fences, fences);
    add(psc, hb_eco_hb);
    return is_acyclic(psc);
}

static bool c11_allows(void)
{
    relation hb, eco, porf, cycle;
    memcpy(porf, po, sizeof porf);
    add(porf, hb_sync);
    add(porf, rf);
    if (!is_acyclic(porf))
        return false;
    happens_before(hb);
    memcpy(eco, rf, sizeof eco);
    add(eco, mo);
    add(eco, fr);
    close(eco);
    compose(cycle, hb, eco);
    return is_irreflexive(hb) && is_irreflexive(eco) && is_irreflexive(cycle) &&
           psc_allows(hb, eco);
}

static bool allows(uint64_t model)
{
    build();
    if (!is_atomic())
        return false;
    switch (model) {
    case SM_MODEL_SC:
        return sc_allows();
    case SM_MODEL_TSO:
        return buffers_allow(false);
    case SM_MODEL_PSO:
        return buffers_allow(true);
    default:
        return c11_allows();
    }
}

/* ---- every graph ---- */

struct outcomes {
    char text[MAX_OUTCOMES][128];
    uint64_t count[MAX_OUTCOMES];
    int n;
    uint64_t graphs;
    bool complete;
};

static void note(struct outcomes *outcomes, const char *text, uint64_t count)
{
    int i = 0;
    while (i < outcomes->n && strcmp(outcomes->text[i], text) != 0)
        i++;
    if (i == MAX_OUTCOMES)
        abort();
    if (i == outcomes->n) {
        snprintf(outcomes->text[i], sizeof outcomes->text[i], "%s", text);
        outcomes->count[outcomes->n++] = 0;
    }
    outcomes->count[i] += count;
    outcomes->graphs += count;
}

static void note_graph(struct outcomes *outcomes)
{
    char text[128] = "";
    int used = 0;
    for (int e = LOCATIONS; e < n_events; e++) {
        if (!is_read(e))
            continue;
        int value = events[events[e].rf].value;
        if (events[e].thread >= 0)
            used += snprintf(text + used, sizeof text - (size_t)used, "%d ", value);
        else
            used += snprintf(text + used, sizeof text - (size_t)used, "%c=%d ",
                             "xyz"[events[e].location], value);
    }
    note(outcomes, text, 1);
}

static void try_reads(struct program *program, int from, uint64_t model, struct outcomes *to)
{
    int e = from;
    while (e < program->n && !is_read(e))
        e++;
    if (e == program->n) {
        if (allows(model))
            note_graph(to);
        return;
    }
    for (int w = 0; w < program->n; w++) {
        if (!is_write(w) || w == e || !same_location(w, e))
            continue;
        program->events[e].rf = w;
        try_reads(program, e + 1, model, to);
    }
}

static bool is_placed(int e)
{
    return is_write(e) || events[e].op == 'B';
}

/* Puts each write of the program, one after the other, at every place among those before; and each
   block among the blocks. */
static void try_places(struct program *program, int e, uint64_t model, struct outcomes *to)
{
    while (e < program->n && (!is_placed(e) || program->events[e].op == 'I'))
        e++;
    if (e >= program->n) {
        try_reads(program, 0, model, to);
        return;
    }
    struct event *new = &program->events[e];
    int before = program->events[e].op == 'B'; /* the first write has a place already */
    for (int w = 0; w < e; w++)
        before += is_placed(w) && same_location(w, e);
    for (int place = 1; place <= before; place++) {
        for (int w = 0; w < e; w++)
            if (is_placed(w) && same_location(w, e) && program->events[w].place >= place)
                program->events[w].place++;
        new->place = place;
        try_places(program, e + 1, model, to);
        for (int w = 0; w < e; w++)
            if (is_placed(w) && same_location(w, e) && program->events[w].place > place)
                program->events[w].place--;
    }
}

static void enumerate(struct program *program, uint64_t model, struct outcomes *to)
{
    events = program->events;
    n_events = program->n;
    to->n = 0;
    to->graphs = 0;
    try_places(program, 0, model, to);
}

static void begin_program(struct program *program)
{
    *program = (struct program){0};
    for (int l = 0; l < LOCATIONS; l++)
        program->events[program->n++] = (struct event){.op = 'I', .thread = -1, .location = l};
}

static void find_steps(struct program *program)
{
    int block = -1;
    for (int e = 0; e < program->n; e++) {
        struct event *event = &program->events[e];
        if (event->op == 'B')
            block = e;
        event->step = block >= 0 ? block : e;
        if (event->op == 'E')
            block = -1;
    }
}

static void end_program(struct program *program)
{
    for (int l = 0; l < LOCATIONS; l++)
        program->events[program->n++] =
            (struct event){.op = 'R', .thread = -2, .location = l, .order = RLX};
    find_steps(program);
}

/* ---- random programs ---- */

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

static struct event random_event(int thread, int *value)
{
    static const enum order orders[4][4] = {
        {PLAIN, RLX, ACQ, SC}, {PLAIN, RLX, REL, SC}, {RLX, ACQ, AR, SC}, {ACQ, REL, AR, SC}};
    static const char ops[] = "RRRWWWUF";
    char op = ops[below(8)];
    int row = op == 'R' ? 0 : op == 'W' ? 1 : op == 'U' ? 2 : 3;
    return (struct event){.op = op,
                          .thread = thread,
                          .location = below(2),
                          .order = orders[row][below(4)],
                          .value = op == 'W' || op == 'U' ? ++*value : 0};
}

static void print_event(const struct event *event, char *to, size_t size)
{
    const char *order = order_words[event->order];
    if (event->location == BLOCKS)
        snprintf(to, size, "%c", event->op);
    else if (event->op == 'F')
        snprintf(to, size, "F %s", order);
    else if (event->op == 'R')
        snprintf(to, size, "R %c %s", "xyz"[event->location], order);
    else
        snprintf(to, size, "%c %c %d %s", event->op, "xyz"[event->location], event -> value, order);
}

static void add_event(struct program *program, const struct event *event)
{
    char text[32];
    const struct event *last = &program->events[program->n - 1];
    print_event(event, text, sizeof text);
    strcat(program->text, last->thread == event->thread ? "; " : event->thread ? " | " : "");
    strcat(program->text, text);
    program->events[program->n++] = *event;
}

/* With blocks, each event may begin one, which has one or more of those that follow. */
static void make_program(struct program *program, bool blocks)
{
    int threads = 2 + below(2), value = 0, left = blocks ? 6 : 7;
    begin_program(program);
    for (int t = 0; t < threads; t++) {
        int most = left - (threads - 1 - t), length = 1 + below(most < 4 ? most : 4), until = 0;
        const struct event begin = {.op = 'B', .thread = t, .location = BLOCKS};
        const struct event end = {.op = 'E', .thread = t, .location = BLOCKS};
        left -= length;
        for (int i = 0; i < length; i++) {
            struct event event = random_event(t, &value);
            bool begins = blocks && i >= until && below(2);
            if (begins) {
                until = i + 1 + below(length - i);
                add_event(program, &begin);
            }
            add_event(program, &event);
            if (i + 1 == until)
                add_event(program, &end);
        }
    }
    end_program(program);
}

/* Atomics alone. Each location has seq_cst accesses, or those that acquire and release, or any. */
static void make_atomics(struct program *program)
{
    static const enum order read[] = {SC, ACQ}, write[] = {SC, REL}, update[] = {SC, AR};
    int threads = 2 + below(2), value = 0, class[] = {below(3), below(3)};
    begin_program(program);
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < (threads == 2 ? 4 : 2 + below(2)); i++) {
            struct event event = random_event(t, &value);
            int kept = class[event.location];
            if (event.op == 'F' && i > 0 && below(3))
                continue;
            if (event.order == PLAIN)
                event.order = RLX;
            if (event.op != 'F' && kept < 2)
                event.order = (event.op == 'R' ? read : event.op == 'W' ? write : update)[kept];
            add_event(program, &event);
        }
    find_steps(program);
}

/* ---- given programs ---- */

static enum order order_named(const char *word)
{
    for (enum order o = RLX; o <= SC; o++)
        if (strcmp(order_words[o], word) == 0)
            return o;
    return strcmp(word, "vol") == 0 ? RLX : PLAIN;
}

static bool parse_event(const char *text, int thread, struct event *event)
{
    char op, location = 'x', order[8] = "";
    int value = 0;
    if (sscanf(text, " %c", &op) != 1 || !strchr("RWUFBE", op))
        return false;
    if (strchr("BE", op)) {
        *event = (struct event){.op = op, .thread = thread, .location = BLOCKS};
        return true;
    }
    if (op == 'F')
        sscanf(text, " F %7s", order);
    else if (op == 'R')
        sscanf(text, " R %c %7s", &location, order);
    else
        sscanf(text, " %*c %c %d %7s", &location, &value, order);
    *event = (struct event){.op = op,
                            .thread = thread,
                            .location = location - 'x',
                            .value = value,
                            .order = order_named(order)};
    return true;
}

/* False: it has something that is not enumerated here. */
static bool parse_program(const char *text, struct program *program)
{
    char copy[512], *thread, *rest = copy;
    begin_program(program);
    snprintf(program->text, sizeof program->text, "%s", text);
    snprintf(copy, sizeof copy, "%s", text);
    for (int t = 0; (thread = strtok_r(rest, "|", &rest)); t++)
        for (char *instruction; (instruction = strtok_r(thread, ";", &thread));)
            if (program->n + LOCATIONS == MAX_EVENTS ||
                !parse_event(instruction, t, &program->events[program->n++]))
                return false;
    end_program(program);
    return true;
}

static void fill_in(const char *shape, const char *write, const char *read, char *to)
{
    for (; *shape; shape++) {
        if (*shape == 'w' || (*shape == 'r' && strchr(" ;|", shape[1]) && shape[-1] == ' '))
            to = stpcpy(to, *shape == 'w' ? write : read);
        else
            *to++ = *shape;
    }
    *to = 0;
}

/* ---- verify ---- */

/* Outcomes are what it prints; `only_reads`: without what memory holds in the end. */
static bool run_verify(const char *binary, const char *text, uint64_t model, bool only_reads,
                       struct outcomes *to)
{
    struct sm_target target;
    char *arguments[] = {(char *)binary, (char *)text, only_reads ? "reads" : NULL, NULL};
    bool opened, ok = explore_some(&target, &opened, arguments, model, false);
    to->n = 0;
    to->graphs = 0;
    to->complete = ok && !target.shared.control->explored.cut;
    const char *at = ok ? (const char *)target.shared.trace : NULL;
    for (uint32_t i = 0; ok && i < target.shared.control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        char output[128] = "";
        memcpy(&header, at, sizeof header);
        memcpy(output, at + sizeof header, header.size < 128 ? header.size - 1 : 127);
        note(to, output, header.count);
        at += (sizeof header + header.size + 7) & ~7ul;
    }
    if (opened)
        sm_target_close(&target);
    return ok;
}

static bool agree(const struct outcomes *a, const struct outcomes *b)
{
    if (a->n != b->n || a->graphs != b->graphs || !b->complete)
        return false;
    for (int i = 0; i < a->n; i++) {
        int k = 0;
        while (k < b->n && strcmp(a->text[i], b->text[k]) != 0)
            k++;
        if (k == b->n || a->count[i] != b->count[k])
            return false;
    }
    return true;
}

static struct {
    int programs, failed, complete;
    uint64_t graphs;
} total;

static void compare(const char *binary, struct program *program)
{
    static const char *const models[] = {"sc", "tso", "pso", "c11"};
    static struct outcomes brute, found;
    total.programs++;
    for (uint64_t model = SM_MODEL_SC; model <= SM_MODEL_C11; model++) {
        enumerate(program, model, &brute);
        total.graphs += brute.graphs;
        if (run_verify(binary, program->text, model, false, &found) && agree(&brute, &found))
            continue;
        printf("%s: '%s': brute force %lu graphs, %d outcomes; verify %lu, %d\n", models[model],
               program->text, (unsigned long)brute.graphs, brute.n, (unsigned long)found.graphs,
               found.n);
        total.failed++;
    }
}

static bool is_part(const struct outcomes *part, const struct outcomes *whole)
{
    for (int i = 0; i < part->n; i++) {
        int k = 0;
        while (k < whole->n && strcmp(part->text[i], whole->text[k]) != 0)
            k++;
        if (k == whole->n)
            return false;
    }
    return true;
}

static void compare_atomics(const char *binary, struct program *program)
{
    static struct outcomes brute, found;
    total.programs++;
    enumerate(program, SM_MODEL_C11, &brute);
    total.graphs += brute.graphs;
    if (run_verify(binary, program->text, SM_MODEL_HB, true, &found) && is_part(&found, &brute) &&
        (!found.complete || found.n == brute.n)) {
        total.complete += found.complete;
        return;
    }
    printf("hb: '%s': brute force %d outcomes, verify %d\n", program->text, brute.n, found.n);
    total.failed++;
}

static void compare_given(const char *binary)
{
    static const char *const given[] = {
#define SM_LITMUS(name, program, outcome, allowed) program,
#include "../litmus/litmus.def"
    };
    static const char *const shapes[] = {
#define SM_FAMILY(name, program) program,
#include "families.def"
    };
    static const char *const ways[][2] = {{"", ""},     {"rlx", "rlx"}, {"rel", "acq"},
                                          {"sc", "sc"}, {"rlx", "acq"}, {"rel", "rlx"}};
    struct program program;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (parse_program(given[i], &program))
            compare(binary, &program);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            char text[512];
            fill_in(shapes[i], ways[k][0], ways[k][1], text);
            if (parse_program(text, &program))
                compare(binary, &program);
        }
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: %s PROGRAM N SEED [blocks | atomics]\n", argv[0]);
        return 2;
    }
    int n = atoi(argv[2]);
    bool blocks = argc == 5 && strcmp(argv[4], "blocks") == 0;
    bool atomics = argc == 5 && strcmp(argv[4], "atomics") == 0;
    random_state = strtoull(argv[3], NULL, 10);
    if (n == 0)
        compare_given(argv[1]);
    for (int i = 0; i < n; i++) {
        struct program program;
        if (atomics) {
            make_atomics(&program);
            compare_atomics(argv[1], &program);
        } else {
            make_program(&program, blocks);
            compare(argv[1], &program);
        }
    }
    if (atomics)
        printf("hb was complete for %d\n", total.complete);
    printf("%d programs, %d models, %lu graphs: %d disagreements\n", total.programs,
           atomics ? 1 : 4, (unsigned long)total.graphs, total.failed);
    return total.failed != 0;
}
