/* The judging half of the enumerator: axioms as the textbooks print them. */
#include <stdlib.h>
#include <string.h>

#include "enumerator.h"

/* ---- relations over at most 64 events ---- */

typedef struct {
    uint64_t row[EN_EVENTS];
} rel;

static bool in(const rel *r, int a, int b)
{
    return r->row[a] >> b & 1;
}

static void put(rel *r, int a, int b)
{
    r->row[a] |= 1ul << b;
}

static rel unite(const rel *a, const rel *b)
{
    rel c;
    for (int i = 0; i < EN_EVENTS; i++)
        c.row[i] = a->row[i] | b->row[i];
    return c;
}

static rel meet(const rel *a, const rel *b)
{
    rel c;
    for (int i = 0; i < EN_EVENTS; i++)
        c.row[i] = a->row[i] & b->row[i];
    return c;
}

static rel then(const rel *a, const rel *b)
{
    rel c = {0};
    for (int i = 0; i < EN_EVENTS; i++)
        for (uint64_t rest = a->row[i]; rest; rest &= rest - 1)
            c.row[i] |= b->row[__builtin_ctzl(rest)];
    return c;
}

/* [from];a;[to] */
static rel between(uint64_t from, const rel *a, uint64_t to)
{
    rel c = {0};
    for (int i = 0; i < EN_EVENTS; i++)
        if (from >> i & 1)
            c.row[i] = a->row[i] & to;
    return c;
}

static rel reflexive(const rel *a)
{
    rel c = *a;
    for (int i = 0; i < EN_EVENTS; i++)
        put(&c, i, i);
    return c;
}

static rel inverse(const rel *a)
{
    rel c = {0};
    for (int i = 0; i < EN_EVENTS; i++)
        for (uint64_t rest = a->row[i]; rest; rest &= rest - 1)
            put(&c, __builtin_ctzl(rest), i);
    return c;
}

static rel closure(const rel *a)
{
    rel c = *a;
    for (int k = 0; k < EN_EVENTS; k++)
        for (int i = 0; i < EN_EVENTS; i++)
            if (in(&c, i, k))
                c.row[i] |= c.row[k];
    return c;
}

static bool irreflexive(const rel *a)
{
    for (int i = 0; i < EN_EVENTS; i++)
        if (in(a, i, i))
            return false;
    return true;
}

static bool acyclic(const rel *a)
{
    rel c = closure(a);
    return irreflexive(&c);
}

/* ---- executions: events are records; units are 4 bytes ---- */

enum { UNITS = 8, NOWHERE = -1, INITIAL = -2 };

struct ex {
    const struct sm_record *r;
    int n;
    const struct sm_check_options *options;
    uint8_t order[EN_EVENTS];
    uint64_t R, W, F, atomic, acq, rel, sc, coherent; /* sets of events */
    uint64_t unit_addr[UNITS];
    int n_units;
    uint64_t at[UNITS];         /* events at a unit */
    int from[EN_EVENTS][UNITS]; /* reads: the store read from, INITIAL or NOWHERE */
    int lands[EN_EVENTS];       /* stores: index of the FLUSH or of itself; n: never */
    rel po, same_location, rf[UNITS], hb;
    int location[EN_EVENTS]; /* first unit of the location, or NOWHERE */
};

static bool has(uint64_t set, int e)
{
    return set >> e & 1;
}

static bool is_access(const struct sm_record *r)
{
    return r->kind <= SM_EV_CAS_FAIL;
}

static bool touches(const struct sm_record *r, uint64_t unit)
{
    return r->addr <= unit && unit < r->addr + r->size;
}

static int unit_of(struct ex *x, uint64_t addr)
{
    for (int u = 0; u < x->n_units; u++)
        if (x->unit_addr[u] == addr)
            return u;
    if (x->n_units == UNITS)
        abort();
    x->unit_addr[x->n_units] = addr;
    return x->n_units++;
}

static uint8_t order_in_model(const struct ex *x, const struct sm_record *r)
{
    if (r->kind == SM_EV_LOAD || r->kind == SM_EV_STORE) {
        if ((r->flags & SM_RECORD_VOLATILE) && x->options->volatile_as == SM_VOLATILE_SEQ_CST)
            return SM_ORDER_SEQ_CST;
        if ((r->flags & SM_RECORD_VOLATILE) && x->options->volatile_as == SM_VOLATILE_RELAXED)
            return SM_ORDER_RELAXED;
        return x->options->model >= SM_MODEL_HB ? SM_ORDER_PLAIN : SM_ORDER_RELAXED;
    }
    return r->order;
}

static void classify(struct ex *x, int e)
{
    const struct sm_record *r = &x->r[e];
    uint64_t bit = 1ul << e;
    bool fence = r->kind == SM_EV_FENCE;
    if (!fence && !is_access(r))
        return;
    uint8_t o = order_in_model(x, r);
    bool both = o == SM_ORDER_ACQ_REL || o == SM_ORDER_SEQ_CST;
    bool read = !fence && r->kind != SM_EV_STORE && r->kind != SM_EV_ATOMIC_STORE;
    bool write = r->kind == SM_EV_STORE || r->kind == SM_EV_ATOMIC_STORE || r->kind == SM_EV_RMW;
    x->R |= read ? bit : 0;
    x->W |= write ? bit : 0;
    x->F |= fence ? bit : 0;
    x->atomic |= o != SM_ORDER_PLAIN ? bit : 0;
    x->acq |= (both || o == SM_ORDER_ACQUIRE) && (read || fence) ? bit : 0;
    x->rel |= (both || o == SM_ORDER_RELEASE) && (write || fence) ? bit : 0;
    x->sc |= o == SM_ORDER_SEQ_CST ? bit : 0;
    x->coherent |= !fence && (write || o != SM_ORDER_PLAIN) ? bit : 0;
    for (uint64_t u = r->addr; !fence && u < r->addr + r->size; u += 4)
        x->at[unit_of(x, u)] |= bit;
}

/* ---- structure and values ---- */

static bool threads_are_sound(const struct ex *x)
{
    int state[EN_RECORDS] = {2}; /* 0 absent, 1 created, 2 running, 3 ended */
    for (int i = 0; i < x->n; i++) {
        const struct sm_record *r = &x->r[i];
        if (r->kind == SM_EV_FENCE && state[r->thread] == 3)
            continue; /* by a membarrier */
        if (r->kind == SM_EV_BEGIN ? state[r->thread]++ != 1 : state[r->thread] != 2)
            return false;
        if (r->kind == SM_EV_SPAWN && state[r->old]++ != 0)
            return false;
        if (r->kind == SM_EV_JOIN && state[r->old] != 3)
            return false;
        if (r->kind == SM_EV_END)
            state[r->thread] = 3;
    }
    return true;
}

static bool locks_are_sound(const struct ex *x)
{
    int64_t owner = -1; /* these programs have one mutex, and do not lock it twice */
    for (int i = 0; i < x->n; i++) {
        const struct sm_record *r = &x->r[i];
        if (r->kind == SM_EV_LOCK) {
            if (owner >= 0 && owner != r->thread)
                return false;
            owner = r->thread;
        }
        if (r->kind == SM_EV_UNLOCK)
            owner = -1;
    }
    return true;
}

static uint32_t unit_value(uint64_t value, uint64_t from, uint64_t unit)
{
    return (uint32_t)(value >> 8 * (unit - from));
}

static bool find_source(struct ex *x, int e, int u)
{
    const struct sm_record *r = &x->r[e];
    uint64_t rf = r->rf, unit = x->unit_addr[u];
    if (rf == SM_RF_PARTS) {
        rf = SM_RF_NONE;
        for (int p = e + 1; p < x->n && x->r[p].kind == SM_EV_PART; p++)
            if (touches(&x->r[p], unit))
                rf = x->r[p].rf;
    }
    if (rf == SM_RF_INITIAL) {
        x->from[e][u] = INITIAL;
        return true;
    }
    if (rf >= (uint64_t)x->n || !has(x->W, (int)rf) || !touches(&x->r[rf], unit))
        return false;
    x->from[e][u] = (int)rf;
    uint64_t value = r->kind == SM_EV_RMW ? r->old : r->value;
    return unit_value(value, r->addr, unit) == unit_value(x->r[rf].value, x->r[rf].addr, unit);
}

static bool sources_are_sound(struct ex *x)
{
    bool shown[UNITS] = {0};
    uint32_t initial[UNITS];
    for (int e = 0; e < x->n; e++)
        for (int u = 0; u < x->n_units; u++) {
            x->from[e][u] = NOWHERE;
            if (!has(x->R & x->at[u], e))
                continue;
            if (!find_source(x, e, u))
                return false;
            const struct sm_record *r = &x->r[e];
            int w = x->from[e][u];
            bool foresees = x->options->model >= SM_MODEL_HB && x->options->prescient &&
                            (r->flags & SM_RECORD_FUTURE) && !has(x->atomic, e);
            if (w >= e && !foresees)
                return false;
            uint32_t value =
                unit_value(r->kind == SM_EV_RMW ? r->old : r->value, r->addr, x->unit_addr[u]);
            if (w == INITIAL && shown[u] && initial[u] != value)
                return false;
            if (w == INITIAL) {
                shown[u] = true;
                initial[u] = value;
            }
        }
    return true;
}

static bool find_landings(struct ex *x)
{
    bool buffers = x->options->model == SM_MODEL_TSO || x->options->model == SM_MODEL_PSO;
    for (int e = 0; e < x->n; e++) {
        bool delayed = x->r[e].flags & SM_RECORD_DELAYED;
        if (delayed && (!buffers || !has(x->W, e) || has(x->R, e)))
            return false;
        x->lands[e] = delayed ? x->n : e;
    }
    for (int e = 0; e < x->n; e++) {
        const struct sm_record *r = &x->r[e];
        if (r->kind != SM_EV_FLUSH)
            continue;
        if (r->rf >= (uint64_t)e || x->lands[r->rf] != x->n || x->r[r->rf].thread != r->thread)
            return false;
        x->lands[r->rf] = e;
    }
    return true;
}

static bool blame_is_sound(const struct ex *x)
{
    for (int e = 0; e < x->n; e++) {
        uint8_t lie = SM_RECORD_STALE | SM_RECORD_FUTURE | SM_RECORD_DELAYED;
        if (is_access(&x->r[e]) && (x->r[e].flags & lie) && !(x->r[e].flags & SM_RECORD_LIED))
            return false;
    }
    return true;
}

static void find_program_order(struct ex *x)
{
    for (int a = 0; a < x->n; a++)
        for (int b = a + 1; b < x->n; b++)
            if (x->r[a].thread == x->r[b].thread)
                put(&x->po, a, b);
}

/* A location is 4 bytes, or 8 if some access takes both halves at once. */
static void find_locations(struct ex *x)
{
    for (int e = 0; e < x->n; e++) {
        x->location[e] = NOWHERE;
        for (int u = 0; u < x->n_units; u++)
            for (int v = 0; v < x->n_units && has(x->at[u], e); v++) {
                bool tied =
                    u == v || (x->unit_addr[u] / 8 == x->unit_addr[v] / 8 && (x->at[u] & x->at[v]));
                if (tied && (x->location[e] == NOWHERE || v < x->location[e]))
                    x->location[e] = v;
            }
    }
    for (int a = 0; a < x->n; a++)
        for (int b = 0; b < x->n; b++)
            if (x->location[a] != NOWHERE && x->location[a] == x->location[b])
                put(&x->same_location, a, b);
}

static bool build(struct ex *x)
{
    for (int e = 0; e < x->n; e++)
        classify(x, e);
    if (!threads_are_sound(x) || !locks_are_sound(x) || !sources_are_sound(x) ||
        !find_landings(x) || !blame_is_sound(x))
        return false;
    find_program_order(x);
    find_locations(x);
    for (int u = 0; u < x->n_units; u++)
        for (int e = 0; e < x->n; e++)
            if (x->from[e][u] >= 0)
                put(&x->rf[u], x->from[e][u], e);
    return true;
}

/* ---- sc, tso, pso: SPARC's axioms over memory order ---- */

/* Value: of the stores that have landed and those of the own thread, the last in memory order. */
static int newest(const struct ex *x, int r, int u)
{
    int best = INITIAL, best_when = -1;
    for (int w = 0; w < r; w++) {
        if (!has(x->W & x->at[u], w))
            continue;
        bool landed = x->lands[w] < r, own = in(&x->po, w, r);
        int when = landed ? x->lands[w] : x->n + w;
        if ((landed || own) && when > best_when) {
            best = w;
            best_when = when;
        }
    }
    return best;
}

static bool value_axiom(const struct ex *x, bool only_unlied)
{
    for (int r = 0; r < x->n; r++)
        for (int u = 0; u < x->n_units; u++)
            if (has(x->R & x->at[u], r) && !(only_unlied && (x->r[r].flags & SM_RECORD_LIED)) &&
                x->from[r][u] != newest(x, r, u))
                return false;
    return true;
}

static bool overlap(const struct ex *x, int a, int b)
{
    for (int u = 0; u < x->n_units; u++)
        if (has(x->at[u], a) && has(x->at[u], b))
            return true;
    return false;
}

/* Must store a land before store b, which follows it in program order? */
static bool keeps_order(const struct ex *x, int a, int b)
{
    if (x->options->model != SM_MODEL_PSO || has(x->rel, b) || overlap(x, a, b))
        return true;
    for (int f = a; f < b; f++)
        if (has(x->F & x->rel, f) && x->r[f].thread == x->r[a].thread)
            return true;
    return false;
}

static bool store_store_axiom(const struct ex *x)
{
    for (int a = 0; a < x->n; a++)
        for (int b = a + 1; b < x->n; b++)
            if (has(x->W, a) && has(x->W, b) && in(&x->po, a, b) && keeps_order(x, a, b) &&
                x->lands[b] < x->n && x->lands[a] > x->lands[b])
                return false;
    return true;
}

static bool drains(const struct ex *x, int e)
{
    switch (x->r[e].kind) {
    case SM_EV_RMW:
    case SM_EV_CAS_FAIL:
    case SM_EV_LOCK:
    case SM_EV_UNLOCK:
    case SM_EV_SPAWN:
    case SM_EV_BEGIN:
    case SM_EV_END:
    case SM_EV_JOIN:
        return true;
    default:
        return has(x->sc & (x->F | x->W), e);
    }
}

static bool membar_axiom(const struct ex *x)
{
    for (int d = 0; d < x->n; d++)
        for (int w = 0; w <= d && drains(x, d); w++)
            if (has(x->W, w) && x->r[w].thread == x->r[d].thread && x->lands[w] > d)
                return false;
    return true;
}

/* ---- happens-before ---- */

static void add_synchronisation(struct ex *x)
{
    for (int a = 0; a < x->n; a++)
        for (int b = a + 1; b < x->n; b++) {
            const struct sm_record *p = &x->r[a], *q = &x->r[b];
            bool lock = p->kind == SM_EV_UNLOCK && q->kind == SM_EV_LOCK && p->addr == q->addr;
            bool spawn = p->kind == SM_EV_SPAWN && q->kind == SM_EV_BEGIN && p->old == q->thread;
            bool join = p->kind == SM_EV_END && q->kind == SM_EV_JOIN && q->old == p->thread;
            if (lock || spawn || join)
                put(&x->hb, a, b);
        }
}

/* rs = [W]; po|loc?; [W & atomic]; (rf; rmw)*
   sw = [rel]; ([F]; po)?; rs; rf; [R & atomic]; (po; [F])?; [acq]      (Lahav et al. 2017) */
static void find_happens_before(struct ex *x)
{
    rel id = {0}, rf = {0};
    id = reflexive(&id);
    for (int u = 0; u < x->n_units; u++)
        rf = unite(&rf, &x->rf[u]);
    rel to_rmw = between(~0ul, &rf, x->R & x->W);
    rel chain = closure(&to_rmw);
    chain = reflexive(&chain);
    rel po_loc = meet(&x->po, &x->same_location);
    po_loc = reflexive(&po_loc);
    rel rs = between(x->W, &po_loc, x->W & x->atomic);
    rs = then(&rs, &chain);
    rel before = between(x->F, &x->po, ~0ul), after = between(~0ul, &x->po, x->F);
    before = unite(&before, &id);
    after = unite(&after, &id);
    rel sw = then(&before, &rs);
    rf = between(~0ul, &rf, x->R & x->atomic);
    sw = then(&sw, &rf);
    sw = then(&sw, &after);
    sw = between(x->rel, &sw, x->acq);
    x->hb = unite(&x->po, &sw);
    add_synchronisation(x);
    x->hb = closure(&x->hb);
}

/* ---- hb: Jumble's READ rule for plain reads ---- */

static bool is_visible(const struct ex *x, int r, int u)
{
    int w = x->from[r][u];
    if (w >= 0 && in(&x->hb, r, w))
        return false;
    for (int c = 0; c < x->n; c++)
        if (has(x->W & x->at[u], c) && in(&x->hb, c, r) && (w == INITIAL || in(&x->hb, w, c)))
            return false;
    return true;
}

static bool read_axiom(const struct ex *x)
{
    for (int r = 0; r < x->n; r++)
        for (int u = 0; u < x->n_units; u++)
            if (has(x->R & x->at[u] & ~x->atomic, r) && !is_visible(x, r, u))
                return false;
    return true;
}

/* ---- RC11, for one choice of modification order ---- */

struct mo {
    int order[EN_EVENTS], n; /* stores, one location after another */
    rel all;                 /* a before b, at the same location */
};

static rel at_unit(const struct ex *x, const rel *a, int u)
{
    return between(x->at[u], a, x->at[u]);
}

static rel from_read(const struct ex *x, const rel *rf, const rel *mo, int u)
{
    rel back = inverse(rf), fr = then(&back, mo);
    for (int r = 0; r < x->n; r++)
        for (int w = 0; w < x->n; w++)
            if (has(x->coherent, r) && x->from[r][u] == INITIAL && has(x->W & x->at[u], w))
                put(&fr, r, w);
    for (int e = 0; e < x->n; e++)
        fr.row[e] &= ~(1ul << e);
    return fr;
}

static bool rmw_axiom(const struct ex *x, const rel *mo, int u)
{
    for (int e = 0; e < x->n; e++)
        for (int w = 0; w < x->n && has(x->R & x->W & x->at[u], e); w++)
            if (has(x->W & x->at[u], w) && in(mo, w, e) && w != x->from[e][u] &&
                (x->from[e][u] == INITIAL || in(mo, x->from[e][u], w)))
                return false;
    return true;
}

/* A read that sees store w in one unit sees nothing older in another that w covers. */
static bool single_copy_axiom(const struct ex *x, const rel *mo)
{
    for (int r = 0; r < x->n; r++)
        for (int u = 0; u < x->n_units; u++)
            for (int v = 0; v < x->n_units; v++) {
                if (!has(x->R & x->atomic & x->at[u] & x->at[v], r) || x->from[r][u] < 0)
                    continue;
                int w = x->from[r][u], other = x->from[r][v];
                if (has(x->at[v], w) && other != w && (other == INITIAL || !in(mo, w, other)))
                    return false;
            }
    return true;
}

static bool sc_axiom(const struct ex *x, const rel *mo, const rel *fr, const rel *eco)
{
    uint64_t fsc = x->F & x->sc;
    rel hb_reflexive = reflexive(&x->hb), id = {0};
    id = reflexive(&id);
    rel elsewhere = x->po;
    for (int i = 0; i < x->n; i++)
        elsewhere.row[i] &= ~x->same_location.row[i];
    rel detour = then(&elsewhere, &x->hb);
    detour = then(&detour, &elsewhere);
    rel local = meet(&x->hb, &x->same_location);
    rel scb = unite(&x->po, &detour);
    scb = unite(&scb, &local);
    scb = unite(&scb, mo);
    scb = unite(&scb, fr);
    rel fenced = between(fsc, &hb_reflexive, ~0ul), to_fence = between(~0ul, &hb_reflexive, fsc);
    rel begin = between(x->sc, &id, ~0ul), end = between(~0ul, &id, x->sc);
    begin = unite(&begin, &fenced);
    end = unite(&end, &to_fence);
    rel base = then(&begin, &scb);
    base = then(&base, &end);
    rel around = then(&x->hb, eco);
    around = then(&around, &x->hb);
    around = unite(&around, &x->hb);
    rel fences = between(fsc, &around, fsc);
    rel psc = unite(&base, &fences);
    return acyclic(&psc);
}

static bool rc11_holds(const struct ex *x, const struct mo *mo)
{
    rel mo_all = {0}, fr_all = {0}, eco_all = {0};
    for (int u = 0; u < x->n_units; u++) {
        rel m = at_unit(x, &mo->all, u), rf = between(~0ul, &x->rf[u], x->coherent);
        rel fr = from_read(x, &rf, &m, u), eco = unite(&rf, &m);
        eco = unite(&eco, &fr);
        eco = closure(&eco);
        rel with = reflexive(&eco), cycle = then(&x->hb, &with);
        if (!irreflexive(&cycle) || !irreflexive(&eco) || !rmw_axiom(x, &m, u))
            return false;
        mo_all = unite(&mo_all, &m);
        fr_all = unite(&fr_all, &fr);
        eco_all = unite(&eco_all, &eco);
    }
    return single_copy_axiom(x, &mo->all) && sc_axiom(x, &mo_all, &fr_all, &eco_all);
}

/* Every order of the stores of each location: stores are placed one at a time. */
static bool some_mo_holds(const struct ex *x, struct mo *mo, uint64_t left)
{
    if (!left)
        return rc11_holds(x, mo);
    int location = x->location[__builtin_ctzl(left)];
    for (int w = 0; w < x->n; w++) {
        if (!has(left, w) || x->location[w] != location)
            continue;
        struct mo longer = *mo;
        for (int i = 0; i < mo->n; i++)
            if (x->location[mo->order[i]] == location)
                put(&longer.all, mo->order[i], w);
        longer.order[longer.n++] = w;
        bool ordered = true; /* hb;mo irreflexive prunes most */
        for (int i = 0; i < mo->n; i++)
            ordered &= !(in(&longer.all, mo->order[i], w) && in(&x->hb, w, mo->order[i]) &&
                         overlap(x, w, mo->order[i]));
        if (ordered && some_mo_holds(x, &longer, left & ~(1ul << w)))
            return true;
    }
    return false;
}

/* ---- verdict ---- */

bool en_legal(const struct sm_record *records, uint32_t n, const struct sm_check_options *options)
{
    struct ex *x = calloc(1, sizeof *x);
    struct mo mo = {0};
    bool legal;
    if (!x || n > EN_EVENTS)
        abort();
    x->r = records;
    x->n = (int)n;
    x->options = options;
    if (!build(x)) {
        legal = false;
    } else if (options->model < SM_MODEL_C11) {
        legal = value_axiom(x, false) && store_store_axiom(x) && membar_axiom(x);
    } else {
        find_happens_before(x);
        legal = value_axiom(x, true) && read_axiom(x) && some_mo_holds(x, &mo, x->W);
    }
    free(x);
    return legal;
}

/* ---- tso and pso without memory order ---- */

/* Program order that is kept: all but store to load, and in pso store to store elsewhere; and
   all of it across what drains the buffer. */
static rel preserved(const struct ex *x)
{
    rel kept = {0};
    for (int a = 0; a < x->n; a++)
        for (int b = a + 1; b < x->n; b++) {
            if (!in(&x->po, a, b))
                continue;
            bool store_load = has(x->W, a) && !has(x->W, b);
            bool free_stores = has(x->W, a) && has(x->W, b) && !keeps_order(x, a, b);
            if ((!store_load && !free_stores) || drains(x, a) || drains(x, b))
                put(&kept, a, b);
        }
    return kept;
}

bool en_allowed(const struct sm_record *records, uint32_t n, enum sm_model_id model)
{
    struct sm_check_options options = {.model = model, .volatile_as = SM_VOLATILE_RELAXED};
    struct ex *x = calloc(1, sizeof *x);
    if (!x || n > EN_EVENTS)
        abort();
    x->r = records;
    x->n = (int)n;
    x->options = &options;
    bool allowed = build(x);
    rel global = preserved(x), local = {0};
    add_synchronisation(x);
    global = unite(&global, &x->hb);
    for (int u = 0; u < x->n_units && allowed; u++) {
        rel mo = {0}, external = x->rf[u], po_loc = at_unit(x, &x->po, u);
        for (int a = 0; a < x->n; a++) {
            external.row[a] &= ~x->po.row[a];
            for (int b = 0; b < x->n; b++)
                if (has(x->W & x->at[u], a) && has(x->W & x->at[u], b) && x->lands[a] < x->lands[b])
                    put(&mo, a, b);
        }
        rel fr = from_read(x, &x->rf[u], &mo, u), communication = unite(&mo, &fr);
        local = unite(&communication, &x->rf[u]);
        local = unite(&local, &po_loc);
        communication = unite(&communication, &external);
        global = unite(&global, &communication);
        allowed = acyclic(&local) && rmw_axiom(x, &mo, u);
    }
    allowed = allowed && acyclic(&global);
    free(x);
    return allowed;
}
