/* search.c - see search.h. */
#include "fix/search.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/find.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "fix/candidates.h"
#include "fix/lock_order.h"
#include "fix/patch.h"
#include "fix/rebuild.h"
#include "fix/suspects.h"

enum { MOST_JUDGEMENTS = 64 };

struct fix_search {
    const struct sm_settings *settings;
    const char *directory;
    struct sm_judge judge;
    struct sm_source_units units;
    struct sm_source_files sources;
    struct sm_trees trees;
    struct sm_suspects suspects;
    struct sm_candidate_list candidates;
    struct sm_cure_found cure;
    struct sm_patch patch;
    char *program;
    char *no_sources; /* why; or NULL */
    bool fails_under_sc;
};

/* ---- results ---- */

static void reject(struct fix_search *search, const char *text, const char *why,
                   const char *witness)
{
    struct sm_cure_found *cure = &search->cure;
    cure->rejected = sm_resize(cure->rejected, (cure->n_rejected + 1) * sizeof(*cure->rejected));
    cure->rejected[cure->n_rejected++] = (struct sm_rejected){
        .text = sm_copy_text(text), .why = sm_copy_text(why), .witness = sm_copy_text(witness)};
}

static void keep(struct fix_search *search, const struct sm_candidate *candidate,
                 const struct sm_judgement *judgement, struct sm_patch *patch)
{
    struct sm_cure_found *cure = &search->cure;
    free(cure->text);
    free(cure->by);
    free(cure->no_patch);
    free(cure->directory);
    free(cure->repairs);
    free(cure->not_built);
    cure->text = sm_copy_text(candidate->text);
    cure->by = sm_copy_text(judgement->by);
    cure->exact = judgement->exact;
    cure->patch = sm_copy_text(patch->diff);
    cure->no_patch = sm_copy_text(search->no_sources ? search->no_sources : patch->why);
    cure->directory = sm_copy_text(patch->directory);
    cure->repairs = sm_repair_set_text(&candidate->repairs);
}

/* ---- the program itself, patched ---- */

static bool judge_program(struct fix_search *search, const char *program,
                          struct sm_judgement *judgement, struct sm_error *error)
{
    struct sm_settings settings = *search->settings;
    struct sm_judge judge = {.settings = &settings,
                             .directory = search->directory,
                             .deadline = search->judge.deadline,
                             .made = 1000 + search->judge.made}; /* used in file names */
    settings.operands = (struct sm_list){0};
    for (size_t i = 0; i < search->settings->operands.n; i++)
        sm_list_add(&settings.operands, i ? search->settings->operands.items[i] : program);
    bool ok = sm_judge_repairs(&judge, NULL, 0, judgement, error);
    sm_list_free(&settings.operands);
    return ok;
}

/* The patched program, judged without assuming anything. */
struct patched {
    char *not_built; /* why; or NULL */
    char *fails;     /* how; or NULL */
    bool exact;
};

static void patched_free(struct patched *patched)
{
    free(patched->not_built);
    free(patched->fails);
}

static bool judge_built(struct fix_search *search, struct sm_patch *patch, struct patched *patched,
                        struct sm_error *error)
{
    struct sm_judgement judgement = {0};
    struct sm_rebuilt rebuilt;
    bool ok = true;
    *patched = (struct patched){0};
    if (sm_rebuild(&rebuilt, patch, &search->units, search->settings->build, search->program,
                   &patched->not_built)) {
        ok = judge_program(search, rebuilt.program, &judgement, error);
        if (ok && judgement.verdict != SM_JUDGED_CLEAN)
            patched->fails =
                sm_print("the patched program fails all the same: %s",
                         judgement.detail ? judgement.detail : "no execution could be made");
        patched->exact = judgement.exact;
        sm_judgement_free(&judgement);
    }
    sm_rebuilt_close(&rebuilt);
    return ok;
}

/* ---- candidates ---- */

/* A patch may say something else than the repair that was assumed, so it is built and judged, too,
   if it can be built: with --build it must be. True if the search is over. */
static bool accept(struct fix_search *search, const struct sm_candidate *candidate,
                   const struct sm_judgement *judgement, bool *ok, struct sm_error *error)
{
    struct sm_patch patch;
    struct patched patched = {0};
    bool made = sm_patch_make(&patch, &candidate->repairs, &search->units);
    *ok = !made || candidate->built || judge_built(search, &patch, &patched, error);
    const char *why = patched.fails             ? patched.fails
                      : search->settings->build ? patched.not_built
                                                : NULL;
    if (*ok && why) {
        reject(search, candidate->text, why, NULL);
        made = false;
    } else if (*ok && (made || !search->cure.text)) {
        keep(search, candidate, judgement, &patch);
        search->cure.not_built = sm_copy_text(patched.not_built);
    }
    patched_free(&patched);
    if (made && *ok)
        search->patch = patch;
    else
        sm_patch_free(&patch);
    return made || !*ok;
}

enum attempt { UNTRIED, CLEAN, FAILED };

struct attempts {
    struct fix_search *search;
    enum attempt *states; /* of the candidates */
    bool over;
};

static bool is_late(const struct fix_search *search)
{
    return search->judge.deadline > 0 && sm_now() > search->judge.deadline;
}

/* A candidate that cannot be written as a patch is SM_JUDGED_NOWHERE. */
static bool build_and_judge(struct fix_search *search, const struct sm_candidate *candidate,
                            struct sm_judgement *judgement, struct sm_error *error)
{
    struct sm_patch patch;
    struct sm_rebuilt rebuilt = {0};
    char *why = NULL;
    bool ok = true;
    judgement->verdict = SM_JUDGED_NOWHERE;
    char *kept = sm_print("%s/built-%u", search->directory, ++search->judge.made);
    if (sm_patch_make(&patch, &candidate->repairs, &search->units) &&
        sm_rebuild(&rebuilt, &patch, &search->units, search->settings->build, search->program,
                   &why) &&
        sm_rebuilt_keep(&rebuilt, kept)) {
        ok = judge_program(search, rebuilt.program, judgement, error);
        judgement->by = "build";
    }
    free(kept);
    free(why);
    sm_rebuilt_close(&rebuilt);
    sm_patch_free(&patch);
    return ok;
}

static bool judge_candidate(struct fix_search *search, const struct sm_candidate *candidate,
                            struct sm_judgement *judgement, struct sm_error *error)
{
    return candidate->built ? build_and_judge(search, candidate, judgement, error)
                            : sm_judge_repairs(&search->judge, candidate->repairs.items,
                                               candidate->repairs.n, judgement, error);
}

/* Judges one, once. One that fails is kept with its witness; one that matches no access of the
   program is not shown. */
static bool try_candidate(struct attempts *attempts, size_t i, struct sm_judgement *judgement,
                          struct sm_error *error)
{
    struct fix_search *search = attempts->search;
    const struct sm_candidate *candidate = &search->candidates.items[i];
    if (sm_interrupt_signal() || !judge_candidate(search, candidate, judgement, error))
        return false;
    search->cure.tried = true;
    attempts->states[i] = judgement->verdict == SM_JUDGED_CLEAN ? CLEAN : FAILED;
    if (judgement->verdict == SM_JUDGED_FAILS ||
        (judgement->verdict == SM_JUDGED_NOT && !is_late(search)))
        reject(search, candidate->text, judgement->detail ? judgement->detail : "?",
               judgement->witness);
    return true;
}

/* A stronger candidate has failed. */
static bool is_hopeless(const struct attempts *attempts, size_t i)
{
    const struct sm_candidate_list *all = &attempts->search->candidates;
    for (size_t k = 0; k < all->n; k++)
        if (attempts->states[k] == FAILED && k != i &&
            sm_candidate_is_weaker(&all->items[i], &all->items[k]))
            return true;
    return false;
}

/* Tries the strongest orders for the same variables, which show whether weaker ones are worth
   trying. */
static bool try_top(struct attempts *attempts, size_t i, struct sm_error *error)
{
    const struct sm_candidate_list *all = &attempts->search->candidates;
    bool ok = true;
    for (size_t k = 0; ok && k < all->n; k++) {
        struct sm_judgement judgement = {0};
        if (all->items[k].locks || attempts->states[k] != UNTRIED || is_hopeless(attempts, k) ||
            !sm_candidate_is_top(&all->items[k]) ||
            !sm_candidates_touch_same(&all->items[i], &all->items[k]))
            continue;
        ok = try_candidate(attempts, k, &judgement, error);
        sm_judgement_free(&judgement);
    }
    return ok;
}

static bool try_next(struct attempts *attempts, size_t i, struct sm_error *error)
{
    struct fix_search *search = attempts->search;
    const struct sm_candidate *candidate = &search->candidates.items[i];
    struct sm_judgement judgement = {0};
    if (!candidate->locks && !candidate->silencing && !try_top(attempts, i, error))
        return false;
    if (candidate->split || attempts->states[i] == FAILED || is_hopeless(attempts, i))
        return true;
    bool ok = try_candidate(attempts, i, &judgement, error);
    if (ok && attempts->states[i] == CLEAN)
        attempts->over = accept(search, candidate, &judgement, &ok, error);
    sm_judgement_free(&judgement);
    return ok;
}

/* Silencing is the first candidate, and judged for its witness; if nothing fails under it, it is
   tried again in its turn. */
static bool try_silencing(struct attempts *attempts, struct sm_error *error)
{
    struct sm_judgement judgement = {0};
    bool ok = try_candidate(attempts, 0, &judgement, error);
    sm_judgement_free(&judgement);
    return ok;
}

static int by_cost(const void *a, const void *b)
{
    const struct sm_candidate *x = *(const struct sm_candidate *const *)a,
                              *y = *(const struct sm_candidate *const *)b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : strcmp(x->text, y->text);
}

/* If there are only races, and many, an order for one variable seldom orders another: each variable
   alone and all of them are tried, but no pairs. */
static bool is_left_out(const struct attempts *attempts, const struct sm_candidate *candidate)
{
    const struct sm_candidate_list *all = &attempts->search->candidates;
    return candidate->pair && all->items[0].silencing && attempts->states[0] == CLEAN;
}

static bool try_by_cost(struct attempts *attempts, struct sm_error *error)
{
    const struct sm_candidate_list *all = &attempts->search->candidates;
    const struct sm_candidate **order = sm_new((all->n + 1) * sizeof(*order));
    bool ok = true;
    for (size_t i = 0; i < all->n; i++)
        order[i] = &all->items[i];
    qsort(order, all->n, sizeof(*order), by_cost);
    for (size_t i = 0; ok && !attempts->over && i < all->n; i++)
        if (attempts->search->judge.made < MOST_JUDGEMENTS && !is_late(attempts->search) &&
            !is_left_out(attempts, order[i]))
            ok = try_next(attempts, (size_t)(order[i] - all->items), error);
    free(order);
    return ok;
}

/* No order prevents a failure by interleaving: if the strongest orders for all variables fail, that
   is one judgement in place of one for each variable and each pair of them. */
static bool try_all_orders(struct attempts *attempts, struct sm_error *error)
{
    const struct sm_candidate_list *all = &attempts->search->candidates;
    bool ok = true;
    for (size_t i = 0; ok && i < all->n; i++) {
        struct sm_judgement judgement = {0};
        if (!all->items[i].everywhere || !sm_candidate_is_top(&all->items[i]))
            continue;
        ok = try_candidate(attempts, i, &judgement, error);
        sm_judgement_free(&judgement);
    }
    return ok;
}

static bool try_all(struct fix_search *search, struct sm_error *error)
{
    struct attempts attempts = {.search = search};
    const struct sm_candidate_list *all = &search->candidates;
    attempts.states = sm_new((all->n + 1) * sizeof(*attempts.states));
    bool ok = (!all->n || !all->items[0].silencing || try_silencing(&attempts, error)) &&
              (!search->fails_under_sc || try_all_orders(&attempts, error)) &&
              try_by_cost(&attempts, error);
    free(attempts.states);
    return ok;
}

/* ---- the order of two locks ---- */

static bool has_deadlock(const struct sm_hunt_report *report)
{
    for (size_t i = 0; i < report->n_failures; i++)
        if (report->failures[i].failure.kind == SM_FAILURE_DEADLOCK)
            return true;
    return false;
}

/* True: the search is over. */
static bool try_swap(struct fix_search *search, const struct sm_inversion *inversion, bool *ok,
                     struct sm_error *error)
{
    struct sm_candidate candidate = {.text = sm_print("take %s before %s in %s, as elsewhere",
                                                      inversion->inner, inversion->outer,
                                                      inversion->function)};
    struct sm_judgement judged = {.by = "build"};
    struct sm_patch patch;
    struct patched patched = {0};
    bool made = sm_inversion_patch(inversion, &search->units, &patch);
    *ok = !made || judge_built(search, &patch, &patched, error);
    const char *why = !made ? patch.why : patched.fails ? patched.fails : patched.not_built;
    bool over = *ok && made && !why;
    judged.exact = patched.exact;
    search->cure.tried = true;
    if (over) {
        keep(search, &candidate, &judged, &patch);
        search->patch = patch;
    } else {
        reject(search, candidate.text, why ? why : "?", NULL);
        sm_patch_free(&patch);
    }
    patched_free(&patched);
    free(candidate.text);
    return over;
}

static bool try_orders(struct fix_search *search, const struct sm_hunt_report *report, bool *over,
                       struct sm_error *error)
{
    struct sm_inversions inversions = {0};
    bool ok = true;
    if (has_deadlock(report))
        sm_inversions_find(&inversions, &search->trees);
    for (size_t i = 0; ok && !*over && i < inversions.n; i++)
        *over = try_swap(search, &inversions.items[i], &ok, error);
    sm_inversions_free(&inversions);
    return ok;
}

/* ---- orders that are too weak ---- */

/* A hunt lies only about racy variables: if nothing races, verify may still find an execution that
   fails because atomic accesses are too weak. True: it is now a finding. */
static bool look_closer(struct fix_search *search, struct sm_hunt_report *report,
                        struct sm_error *error)
{
    struct sm_judgement judgement = {0};
    if (!sm_judge_program(&search->judge, &judgement, error))
        return false;
    bool fails = judgement.verdict == SM_JUDGED_FAILS;
    if (fails) {
        struct sm_failure failure = judgement.failure;
        judgement.failure = (struct sm_failure){0};
        if (failure.kind == SM_FAILURE_NONE)
            failure = (struct sm_failure){.kind = SM_FAILURE_ASSERT,
                                          .detail = sm_copy_text(judgement.detail)};
        report->failures = sm_resize(report->failures, sizeof(*report->failures));
        report->failures[report->n_failures++] =
            (struct sm_hunt_failure){.failure = failure,
                                     .model = judgement.model,
                                     .witness = sm_copy_text(judgement.witness),
                                     .racy = true};
    }
    sm_judgement_free(&judgement);
    return fails;
}

/* ---- the whole ---- */

static void open_sources(struct fix_search *search, const char *program)
{
    struct sm_error error = {0};
    char *why = NULL, path[PATH_MAX];
    if (sm_find_program(program, path, &error))
        search->program = sm_copy_text(path);
    if (!search->program || !sm_units_read(&search->units, search->program, &error))
        search->no_sources = sm_copy_text(error.text);
    else if (!sm_trees_open(&search->trees, &search->units, &search->sources, &why))
        search->no_sources = why;
}

static void close_search(struct fix_search *search)
{
    sm_patch_free(&search->patch);
    sm_candidates_free(&search->candidates);
    sm_suspects_free(&search->suspects);
    sm_trees_close(&search->trees);
    sm_sources_free(&search->sources);
    sm_units_free(&search->units);
    sm_list_free(&search->judge.witnesses);
    sm_list_free(&search->judge.accepted);
    free(search->program);
    free(search->no_sources);
}

static void hand_out(struct sm_hunt_report *report, const struct sm_cure_found *cure)
{
    for (size_t i = 0; i < report->n_races; i++)
        report->races[i].cure = sm_cure_copy(cure);
    for (size_t i = 0; i < report->n_failures; i++)
        report->failures[i].cure = sm_cure_copy(cure);
}

static bool fails_under_sc(const struct sm_hunt_report *report)
{
    bool fails = false;
    for (size_t i = 0; i < report->n_failures; i++)
        fails |= report->failures[i].model == SM_MODEL_SC;
    for (size_t i = 0; i < report->n_races; i++)
        fails |= report->races[i].verdict == SM_VERDICT_DESTRUCTIVE &&
                 report->races[i].model == SM_MODEL_SC;
    return fails;
}

static void add_witnesses(struct fix_search *search, const struct sm_hunt_report *report)
{
    for (size_t i = 0; i < report->n_races; i++)
        if (report->races[i].witness)
            sm_list_add(&search->judge.witnesses, report->races[i].witness);
    for (size_t i = 0; i < report->n_failures; i++)
        if (report->failures[i].witness)
            sm_list_add(&search->judge.witnesses, report->failures[i].witness);
}

static void conclude(struct fix_search *search)
{
    struct sm_cure_found *cure = &search->cure;
    if (cure->text)
        return;
    cure->no_patch = sm_copy_text(search->no_sources);
    cure->text = sm_copy_text(
        is_late(search) ? "none was found in the time; give more with --time S"
        : cure->tried && cure->n_rejected
            ? "none of the repairs that were tried does; it needs a change of the design"
            : "no repair that fix can try is known for this finding; stalemate hunt says what to "
              "do by hand");
}

bool sm_fix_search(struct sm_hunt_report *report, const struct sm_settings *settings,
                   const char *directory, double deadline, struct sm_error *error)
{
    struct fix_search search = {.settings = settings, .directory = directory};
    search.judge =
        (struct sm_judge){.settings = settings, .directory = directory, .deadline = deadline};
    if (!report->n_races && !report->n_failures && !look_closer(&search, report, error))
        return !error->status;
    add_witnesses(&search, report);
    search.fails_under_sc = fails_under_sc(report);
    open_sources(&search, settings->operands.items[0]);
    sm_suspects_find(&search.suspects, report, &search.trees, settings, directory);
    sm_suspects_rank(&search.suspects);
    sm_candidates_make(&search.candidates, &search.suspects, &search.trees);
    bool over = false, ok = try_orders(&search, report, &over, error);
    ok = ok && (over || try_all(&search, error));
    if (ok && settings->apply && search.patch.diff)
        ok = sm_patch_apply(&search.patch, error);
    conclude(&search);
    hand_out(report, &search.cure);
    struct sm_cure_found *own = sm_copy_bytes(&search.cure, sizeof(search.cure));
    sm_cure_free(own);
    close_search(&search);
    return ok;
}
