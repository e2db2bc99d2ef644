#include "fix/weaken.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/library_name.h"
#include "base/now.h"
#include "base/repair.h"
#include "core/order.h"
#include "findings/json.h"
#include "fix/judge.h"
#include "target/input.h"
#include "target/target.h"
#include "witness/sites.h"

/* ---- places ---- */

static bool is_weakened(const struct sm_site_row *row)
{
    switch (row->kind) {
    case SM_SITE_ATOMIC_LOAD:
    case SM_SITE_ATOMIC_STORE:
    case SM_SITE_RMW:
    case SM_SITE_CAS:
    case SM_SITE_FENCE:
        return row->order != SM_ORDER_RELAXED && !(row->flags & SM_SITE_SINGLE_THREAD) &&
               !sm_library_file(row->file) && row->line;
    default:
        return false;
    }
}

static enum sm_repair_access access_of(uint8_t kind)
{
    switch (kind) {
    case SM_SITE_ATOMIC_LOAD:
        return SM_REPAIR_READ;
    case SM_SITE_ATOMIC_STORE:
        return SM_REPAIR_WRITE;
    case SM_SITE_FENCE:
        return SM_REPAIR_ANY;
    default:
        return SM_REPAIR_RMW;
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct sm_repair *x = &((const struct sm_weakened *)a)->repair;
    const struct sm_repair *y = &((const struct sm_weakened *)b)->repair;
    int files = strcmp(x->file, y->file);
    if (files)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* One place may have several rows: copies of a function, instances of a template. */
static bool has_place(const struct sm_weakening *all, const struct sm_weakened *place)
{
    for (size_t i = 0; i < all->n_places; i++)
        if (compare_places(&all->places[i], place) == 0)
            return true;
    return false;
}

static void add_place(struct sm_weakening *all, const struct sm_site_row *row)
{
    struct sm_weakened place = {.before = row->order, .kind = row->kind};
    place.repair = (struct sm_repair){.kind = SM_REPAIR_ORDER,
                                      .access = (uint8_t)access_of(row->kind),
                                      .order = row->order,
                                      .line = row->line,
                                      .last = row->line,
                                      .column = row->column};
    if (strlen(row->file) >= sizeof place.repair.file)
        return;
    strcpy(place.repair.file, row->file);
    if (has_place(all, &place))
        return;
    place.variable = sm_copy_text(row->variable);
    all->places = sm_resize(all->places, (all->n_places + 1) * sizeof *all->places);
    all->places[all->n_places++] = place;
}

static bool find_places(const struct sm_settings *settings, struct sm_weakening *all,
                        struct sm_error *error)
{
    struct sm_target target = {.input = -1, .output.fd = -1, .errors.fd = -1, .serve = true};
    struct sm_buffer none = {0};
    struct sm_sites sites = {0};
    int input = sm_input_from(&none, error);
    bool ok = input >= 0 && sm_target_open(&target, settings->operands.items[0],
                                           settings->operands.items, input, -1, -1, error);
    target.serve = true;
    ok = ok && sm_target_prepare(&target, error);
    if (ok)
        sm_shared_sites(&target.shared, &sites);
    for (uint32_t i = 0; ok && i < sites.n; i++)
        if (is_weakened(&sites.rows[i]))
            add_place(all, &sites.rows[i]);
    sm_sites_free(&sites);
    if (input >= 0)
        sm_target_close(&target);
    if (ok && all->n_places > SM_MAX_REPAIRS)
        ok = sm_fail(error, SM_STATUS_USAGE,
                     "fix --weaken: the program has %zu places with an order to weaken; at most %d "
                     "can be tried together",
                     all->n_places, SM_MAX_REPAIRS);
    if (all->n_places)
        qsort(all->places, all->n_places, sizeof *all->places, compare_places);
    return ok;
}

/* ---- trying ---- */

/* Weaker ones, the weakest first; ends in SM_ORDERS. */
static void list_weaker(const struct sm_weakened *place, uint8_t orders[SM_WEAKER_ORDERS + 1])
{
    static const uint8_t all[] = {SM_ORDER_RELAXED, SM_ORDER_ACQUIRE, SM_ORDER_RELEASE,
                                  SM_ORDER_ACQ_REL};
    bool reads = place->kind != SM_SITE_ATOMIC_STORE, writes = place->kind != SM_SITE_ATOMIC_LOAD;
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint8_t left = sm_order_for(all[i], reads, writes);
        bool weaker =
            all[i] != place->before && sm_order_for(all[i], sm_order_acquires(place->before),
                                                    sm_order_releases(place->before)) == all[i];
        if (left == all[i] && weaker)
            orders[n++] = all[i];
    }
    orders[n] = SM_ORDERS;
}

static struct sm_repair *repairs_of(const struct sm_weakening *all, bool changed, size_t *n)
{
    struct sm_repair *repairs = sm_new((all->n_places + 1) * sizeof *repairs);
    *n = 0;
    for (size_t i = 0; i < all->n_places; i++)
        if (!changed || all->places[i].repair.order != all->places[i].before)
            repairs[(*n)++] = all->places[i].repair;
    return repairs;
}

struct sm_repair *sm_weakening_repairs(const struct sm_weakening *weakening, size_t *n)
{
    return repairs_of(weakening, true, n);
}

static bool judge_all(struct sm_judge *judge, const struct sm_weakening *all, bool changed,
                      struct sm_judgement *judgement, struct sm_error *error)
{
    size_t n;
    struct sm_repair *repairs = repairs_of(all, changed, &n);
    bool ok = sm_judge_by_verify(judge, repairs, n, judgement, error);
    free(repairs);
    return ok;
}

static void reject(struct sm_weakened *place, uint8_t order, struct sm_judgement *judgement)
{
    place->too_weak[place->n_too_weak++] =
        (struct sm_too_weak){order, judgement->detail, judgement->witness};
    judgement->detail = judgement->witness = NULL;
}

static bool weaken_place(struct sm_judge *judge, struct sm_weakening *all,
                         struct sm_weakened *place, struct sm_error *error)
{
    uint8_t orders[SM_WEAKER_ORDERS + 1];
    list_weaker(place, orders);
    for (size_t i = 0; orders[i] != SM_ORDERS; i++) {
        struct sm_judgement judgement;
        place->repair.order = orders[i];
        if (!judge_all(judge, all, true, &judgement, error))
            return false;
        bool clean = judgement.verdict == SM_JUDGED_CLEAN && judgement.exact;
        if (!clean)
            reject(place, orders[i], &judgement);
        sm_judgement_free(&judgement);
        if (clean)
            return true;
    }
    place->repair.order = place->before;
    return true;
}

/* Places that the test does not execute are not shown. */
static void leave_out_unexecuted(struct sm_weakening *all, uint64_t executed)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n_places; i++) {
        if (executed >> i & 1)
            all->places[n++] = all->places[i];
        else
            free(all->places[i].variable);
    }
    all->unexecuted = all->n_places - n;
    all->n_places = n;
}

/* Assumes for each place the order that it has, to learn which places are executed. */
static bool is_proved(struct sm_judge *judge, struct sm_weakening *all, struct sm_error *error)
{
    struct sm_judgement judgement;
    if (!judge_all(judge, all, false, &judgement, error))
        return false;
    bool proved = judgement.verdict == SM_JUDGED_CLEAN && judgement.exact;
    if (!proved)
        sm_fail(error, SM_STATUS_USAGE,
                "fix --weaken: verify does not prove the program as it stands (%s), so no order "
                "can be shown to be too strong",
                judgement.detail ? judgement.detail : "not every execution was explored");
    leave_out_unexecuted(all, judgement.executed);
    sm_judgement_free(&judgement);
    return proved;
}

bool sm_weaken(const struct sm_settings *settings, const char *directory,
               struct sm_weakening *weakening, struct sm_error *error)
{
    double began = sm_now();
    struct sm_judge judge = {.settings = settings,
                             .directory = directory,
                             .deadline = settings->time > 0 ? began + settings->time : 0};
    *weakening = (struct sm_weakening){.target = settings->operands.items};
    bool ok = find_places(settings, weakening, error) && is_proved(&judge, weakening, error);
    for (size_t i = 0; ok && i < weakening->n_places; i++)
        ok = weaken_place(&judge, weakening, &weakening->places[i], error);
    weakening->judgements = judge.made;
    weakening->seconds = sm_now() - began;
    return ok;
}

void sm_weakening_free(struct sm_weakening *weakening)
{
    for (size_t i = 0; i < weakening->n_places; i++) {
        struct sm_weakened *place = &weakening->places[i];
        for (size_t k = 0; k < place->n_too_weak; k++) {
            free(place->too_weak[k].why);
            free(place->too_weak[k].witness);
        }
        free(place->variable);
    }
    free(weakening->places);
    *weakening = (struct sm_weakening){0};
}

/* ---- what it saves ---- */

/* The usual mapping of compilers to x86: only a seq_cst store and a seq_cst fence cost a full
   fence. */
static unsigned x86_fences(const struct sm_weakened *place, uint8_t order)
{
    return order == SM_ORDER_SEQ_CST &&
           (place->kind == SM_SITE_ATOMIC_STORE || place->kind == SM_SITE_FENCE);
}

/* To AArch64: each half of an access that is ordered (ldar, stlr, ldaxr, stlxr); a fence is a dmb.
 */
static unsigned arm_barriers(const struct sm_weakened *place, uint8_t order)
{
    if (place->kind == SM_SITE_FENCE)
        return order != SM_ORDER_RELAXED;
    return (place->kind != SM_SITE_ATOMIC_STORE && sm_order_acquires(order)) +
           (place->kind != SM_SITE_ATOMIC_LOAD && sm_order_releases(order));
}

struct saved {
    unsigned x86, arm;
};

static struct saved saved_by(const struct sm_weakening *all)
{
    struct saved saved = {0};
    for (size_t i = 0; i < all->n_places; i++) {
        const struct sm_weakened *place = &all->places[i];
        saved.x86 += x86_fences(place, place->before) - x86_fences(place, place->repair.order);
        saved.arm += arm_barriers(place, place->before) - arm_barriers(place, place->repair.order);
    }
    return saved;
}

/* ---- showing ---- */

static void print_place(const struct sm_weakened *place, FILE *to)
{
    const struct sm_repair *repair = &place->repair;
    fprintf(to, "%s:%u:%u %s%s: ", repair->file, repair->line, repair->column,
            place->kind == SM_SITE_FENCE ? "fence" : place->variable,
            place->kind == SM_SITE_ATOMIC_LOAD    ? " read"
            : place->kind == SM_SITE_ATOMIC_STORE ? " write"
            : place->kind == SM_SITE_FENCE        ? ""
                                                  : " rmw");
    if (repair->order == place->before)
        fprintf(to, "%s is needed\n", sm_order_words[repair->order]);
    else
        fprintf(to, "%s is enough, not %s\n", sm_order_words[repair->order],
                sm_order_words[place->before]);
    for (size_t i = 0; i < place->n_too_weak; i++)
        fprintf(to, "  %s is too weak: %s%s%s\n", sm_order_words[place->too_weak[i].order],
                place->too_weak[i].why ? place->too_weak[i].why : "not every execution is explored",
                place->too_weak[i].witness ? "\n    replay with: stalemate replay " : "",
                place->too_weak[i].witness ? place->too_weak[i].witness : "");
}

void sm_weakening_print(const struct sm_weakening *weakening, FILE *to)
{
    size_t n;
    free(sm_weakening_repairs(weakening, &n));
    struct saved saved = saved_by(weakening);
    for (size_t i = 0; i < weakening->n_places; i++)
        print_place(&weakening->places[i], to);
    fprintf(to,
            "%zu of %zu orders are stronger than this test needs, proved by verify; saves %u full "
            "fences on x86, %u ordered accesses or fences on ARM; %u judgements in %.1f s\n",
            n, weakening->n_places, saved.x86, saved.arm, weakening->judgements,
            weakening->seconds);
    if (weakening->unexecuted)
        fprintf(to, "%zu further orders are not executed by this test; nothing is said of them\n",
                weakening->unexecuted);
}

static json_t *too_weak_json(const struct sm_weakened *place)
{
    json_t *array = json_array();
    for (size_t i = 0; i < place->n_too_weak; i++)
        json_array_append_new(array, json_pack("{s:s, s:o, s:o}", "order",
                                               sm_order_words[place->too_weak[i].order], "why",
                                               sm_json_text(place->too_weak[i].why), "witness",
                                               sm_json_text(place->too_weak[i].witness)));
    return array;
}

json_t *sm_weakening_json(const struct sm_weakening *weakening)
{
    struct saved saved = saved_by(weakening);
    json_t *places = json_array();
    for (size_t i = 0; i < weakening->n_places; i++) {
        const struct sm_weakened *place = &weakening->places[i];
        json_array_append_new(
            places,
            json_pack("{s:o, s:i, s:i, s:o, s:s, s:s, s:o}", "file",
                      sm_json_text(place->repair.file), "line", (int)place->repair.line, "column",
                      (int)place->repair.column, "variable", sm_json_text(place->variable),
                      "before", sm_order_words[place->before], "order",
                      sm_order_words[place->repair.order], "too_weak", too_weak_json(place)));
    }
    return json_pack("{s:s, s:s, s:s, s:o, s:f, s:o, s:{s:i, s:i}}", "tool", "stalemate", "version",
                     SM_VERSION, "command", "fix", "target", sm_json_target(weakening->target),
                     "seconds", weakening->seconds, "weaken", places, "saved", "x86",
                     (int)saved.x86, "arm", (int)saved.arm);
}

int sm_weaken_command(const struct sm_settings *settings)
{
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    char *directory = sm_print("%s/weaken", out);
    struct sm_weakening weakening;
    struct sm_error error = {0};
    mkdir(out, 0777);
    mkdir(directory, 0777);
    bool ok = sm_weaken(settings, directory, &weakening, &error);
    if (ok && !settings->quiet)
        sm_weakening_print(&weakening, stderr);
    if (ok && settings->json) {
        json_t *json = sm_weakening_json(&weakening);
        ok = sm_json_write(json, settings->json, &error);
        json_decref(json);
    }
    sm_weakening_free(&weakening);
    free(directory);
    return ok ? SM_STATUS_OK : sm_error_print(&error);
}
