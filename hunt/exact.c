#include "hunt/exact.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "campaign/signature.h"
#include "campaign/team.h"
#include "hunt/certify.h"
#include "target/oracle.h"
#include "target/record.h"

enum {
    MOST_COST = 60000,   /* of an exploration, in events of graphs: 30 ms for a small test */
    ALL_COST = 3000000,  /* of all: 1.5 s, of which a hunt for ten variables takes at most half */
    MOST_FAILURES = 16,  /* under sc */
    MOST_OUTCOMES = 100, /* that the oracle judges */
};
/* Seconds: hard limits, for slow programs. A limit that most programs come near would make verdicts
   depend on the machine; one by wall-clock time, on its load. */
#define EACH_PROCESSOR 3.0     /* of processor time, for one exploration */
#define EXPLORING_LONGEST 60.0 /* wall-clock time, for all */
#define STUCK 3.0              /* wall-clock time without progress: the program waits */
#define TIME_SHARE 4.0         /* of --time: one part in so many */

void sm_exact_verdict_free(struct sm_exact_verdict *verdict)
{
    sm_proof_free(&verdict->proof);
    *verdict = (struct sm_exact_verdict){0};
}

void sm_exact_free(struct sm_exact *exact)
{
    for (size_t i = 0; i < exact->n_failures; i++)
        sm_proof_free(&exact->failures[i]);
    free(exact->failures);
    free(exact->outcome);
    *exact = (struct sm_exact){0};
}

/* ---- one exploration ---- */

struct exploration {
    struct sm_team team; /* first: its handlers cast it back */
    struct sm_exact *exact;
    const char *name; /* of the variable lied about */
    struct sm_proof *proofs;
    size_t n_proofs, most_proofs; /* with 0 the first failure ends it, and no witness is kept */
    bool failed, is_complete;
    struct sm_list outcomes;
    uint64_t spent; /* at the last progress */
    double moved;   /* when that was */
};

static struct exploration *owner_of(struct sm_team *team)
{
    return (struct exploration *)team;
}

static void free_exploration(struct exploration *exploration)
{
    for (size_t i = 0; i < exploration->n_proofs; i++)
        sm_proof_free(&exploration->proofs[i]);
    free(exploration->proofs);
    sm_list_free(&exploration->outcomes);
    free(exploration->team.busy);
}

/* If the execution itself looks right, it failed by its forbidden outcome. */
static void judge_outcome(const struct sm_exact *exact, const char *text,
                          struct sm_outcome *outcome)
{
    bool oracle = exact->hunt->settings->oracle;
    outcome->failure.kind = oracle ? SM_FAILURE_ORACLE : SM_FAILURE_OUTPUT;
    static const char prefix[] = "forbidden outcome: ";
    if (strncmp(text, prefix, strlen(prefix)) == 0)
        text += strlen(prefix);
    outcome->failure.detail =
        oracle ? sm_print("the oracle rejects the output")
               : sm_output_difference(exact->outcome ? exact->outcome : "", text);
}

static bool judge(const struct exploration *exploration, struct sm_target *worker,
                  struct sm_outcome *outcome, struct sm_error *error)
{
    const struct sm_control *control = worker->shared.control;
    struct sm_ended ended = {.wait_status = (control->status & 0xff) << 8};
    struct sm_expectation expectation = {.exit_status = (int)control->options.expect_exit};
    if (!sm_outcome_judge(outcome, worker, &ended, &expectation, error))
        return false;
    if (outcome->failure.kind == SM_FAILURE_NONE)
        judge_outcome(exploration->exact, control->detail, outcome);
    sm_outcome_locate(outcome, worker, &exploration->exact->hunt->campaign.sites);
    return true;
}

/* Verify cannot decide this program: stop all explorations. */
static void leave(struct exploration *exploration)
{
    exploration->exact->cost = 0;
    sm_team_stop(&exploration->team);
}

static bool keep_proof(struct exploration *exploration, const struct sm_target *worker,
                       struct sm_outcome *outcome, struct sm_error *error)
{
    struct sm_hunt *hunt = exploration->exact->hunt;
    struct sm_witness witness;
    struct sm_proof proof = {0};
    sm_record_execution(&witness, worker, outcome, &hunt->campaign.sites);
    witness.options.explore = SM_EXPLORE_BY_CHOICES;
    witness.options.record = 1; /* as when it ran */
    bool again;
    bool ok = sm_explored_comes_again(&witness, &again, error);
    if (ok && !again) {
        leave(exploration);
        sm_witness_free(&witness);
        return true;
    }
    ok = ok && sm_certify_explored(&witness, error) &&
         sm_proof_write(&proof, hunt, &witness, exploration->name, error);
    sm_witness_free(&witness);
    proof.failure = outcome->failure;
    outcome->failure = (struct sm_failure){0};
    exploration->proofs =
        sm_resize(exploration->proofs, (exploration->n_proofs + 1) * sizeof *exploration->proofs);
    exploration->proofs[exploration->n_proofs++] = proof;
    return ok;
}

/* The survey has one like it. */
static bool is_known(const struct exploration *exploration, const struct sm_target *worker,
                     const struct sm_outcome *outcome)
{
    struct sm_hunt *hunt = exploration->exact->hunt;
    uint64_t signature = sm_signature(&hunt->campaign, outcome, worker->shared.control);
    return sm_hashes_have(&hunt->baseline.order_failures, signature) ||
           sm_hashes_have(&hunt->baseline.race_failures, signature);
}

static bool take_violation(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct exploration *exploration = owner_of(team);
    struct sm_outcome outcome = {0};
    exploration->failed = true;
    if (worker->shared.control->explored.timed) /* it may fail because no time passes */
        exploration->most_proofs = exploration->n_proofs;
    bool ok = exploration->n_proofs == exploration->most_proofs ||
              (judge(exploration, worker, &outcome, error) &&
               (is_known(exploration, worker, &outcome) ||
                keep_proof(exploration, worker, &outcome, error)));
    sm_outcome_free(&outcome);
    if (exploration->n_proofs == exploration->most_proofs)
        sm_team_stop(team);
    return ok;
}

static void take_outcomes(struct exploration *exploration, const struct sm_target *worker)
{
    const char *at = (const char *)worker->shared.trace;
    for (uint32_t i = 0; i < worker->shared.control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        memcpy(&header, at, sizeof header);
        char *text = sm_print("%.*s", (int)header.size, at + sizeof header);
        sm_list_add(&exploration->outcomes, text);
        free(text);
        at += (sizeof header + header.size + 7) & ~7ul;
    }
}

/* Output that bypasses stdio is not part of an outcome. */
static bool wrote_past_us(const struct sm_target *worker)
{
    struct sm_buffer output = {0};
    sm_capture_read(&worker->output, &output);
    bool wrote = output.size;
    sm_buffer_free(&output);
    return wrote;
}

static bool take_end(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct exploration *exploration = owner_of(team);
    const struct sm_control *control = worker->shared.control;
    const struct sm_explored *explored = &control->explored;
    (void)error;
    exploration->is_complete = explored->state == SM_EXPLORED_DONE && !explored->cut &&
                               !explored->sampled && !explored->outcomes_lost && !explored->timed &&
                               !explored->unseen && control->executions && !wrote_past_us(worker);
    exploration->exact->explored += control->executions;
    if (exploration->is_complete)
        take_outcomes(exploration, worker);
    return true;
}

static void begin_again(struct sm_team *team)
{
    (void)team;
}

/* A thread that waits for something outside memory, a file for instance, makes no events that could
   be counted. */
static void watch(struct sm_team *team)
{
    struct exploration *exploration = owner_of(team);
    uint64_t spent = team->workers[0].shared.control->explored.spent;
    if (spent != exploration->spent || !exploration->moved)
        exploration->moved = sm_now();
    exploration->spent = spent;
    if (sm_now() >= exploration->moved + STUCK)
        leave(exploration);
}

static const struct sm_team_handlers handlers = {
    .violation = take_violation, .ended = take_end, .begin_again = begin_again, .tick = watch};

static struct sm_options options_for(const struct sm_hunt *hunt, enum sm_model_id model)
{
    struct sm_options options = hunt->settings->options;
    options.model = model;
    options.explore = SM_EXPLORE_EVERYTHING;
    options.schedule = SM_SCHEDULE_RANDOM;
    options.heuristic = SM_HEURISTIC_RANDOM;
    options.steps = 0;
    options.symmetry = model < SM_MODEL_HB;
    options.prescient = model >= SM_MODEL_HB && !hunt->settings->no_prescient;
    options.expect_exit = (uint64_t)hunt->baseline.exit_status;
    return options;
}

/* The worker was stopped in the middle of an execution. */
static bool stop_worker(struct sm_target *worker, struct sm_error *error)
{
    struct sm_limits limits = worker->limits;
    struct sm_ended ended;
    worker->limits.seconds = 1e-9;
    enum sm_look look = sm_target_look(worker, false, &ended, error);
    worker->limits = limits;
    return look != SM_LOOK_ERROR;
}

static bool explore(struct exploration *exploration, enum sm_model_id model,
                    const struct sm_watchlist *lied, struct sm_error *error)
{
    struct sm_exact *exact = exploration->exact;
    struct sm_hunt *hunt = exact->hunt;
    struct sm_team *team = &exploration->team;
    struct sm_settings settings = *hunt->settings;
    struct sm_trial trial = {.watch = SM_WATCH_ALL};
    double began = sm_now();
    settings.time = exact->seconds;
    team->handlers = &handlers;
    team->settings = &settings;
    team->options = options_for(hunt, model);
    team->lied = lied;
    team->begin.most = exact->cost < MOST_COST ? exact->cost : MOST_COST;
    team->begin.seconds = EACH_PROCESSOR;
    team->workers = hunt->campaign.workers;
    team->busy = sm_new(sizeof *team->busy);
    team->n_workers = team->most = 1;
    team->opened = began;
    sm_campaign_set_out(&hunt->campaign, team->workers, &trial);
    bool ok = sm_team_explore(team, error) || sm_campaign_was_interrupted(&hunt->campaign, error);
    if (team->busy[0])
        ok = stop_worker(team->workers, error) && ok;
    exploration->is_complete &= !team->cut && !sm_interrupt_signal();
    exact->seconds -= sm_now() - began;
    uint64_t spent = team->workers[0].shared.control->explored.spent;
    exact->cost -= spent < exact->cost ? spent : exact->cost;
    return ok;
}

/* ---- outcomes ---- */

static bool oracle_accepts(const struct sm_hunt *hunt, const char *output, bool *accepts,
                           struct sm_error *error)
{
    const char *command = hunt->settings->oracle;
    double deadline = hunt->campaign.workers[0].limits.deadline;
    struct sm_capture capture;
    int status = 1;
    if (!sm_capture_open(&capture, "output", -1, error))
        return false;
    size_t length = strlen(output);
    bool ok = (write(capture.fd, output, length) == (ssize_t)length ||
               sm_fail(error, SM_STATUS_TARGET, "cannot write an output for the oracle")) &&
              sm_oracle_ask(command, &capture, deadline, &status, error);
    sm_capture_close(&capture);
    *accepts = status == 0;
    return ok;
}

/* Of a complete exploration: the first outcome that the oracle rejects is forbidden in the next. */
static bool ask_oracle(const struct exploration *exploration, struct sm_explored *begin,
                       struct sm_error *error)
{
    const char *oracle = exploration->exact->hunt->settings->oracle;
    for (size_t i = 0; oracle && i < exploration->outcomes.n && !begin->n_forbidden; i++) {
        const char *text = exploration->outcomes.items[i];
        bool accepts = true;
        if (!oracle_accepts(exploration->exact->hunt, text, &accepts, error))
            return false;
        if (!accepts)
            begin->expected[begin->n_forbidden++] = sm_outcome_hash(text, strlen(text));
    }
    return true;
}

/* Explores, and once more if an oracle rejects an outcome, for its witness. */
static bool explore_judged(struct exploration *exploration, enum sm_model_id model,
                           const struct sm_watchlist *lied, struct sm_error *error)
{
    struct sm_exact *exact = exploration->exact;
    struct sm_explored *begin = &exploration->team.begin;
    if (exact->outcome) {
        begin->expected[0] = sm_outcome_hash(exact->outcome, strlen(exact->outcome));
        begin->n_allowed = 1;
    }
    if (!explore(exploration, model, lied, error))
        return false;
    if (!exact->hunt->settings->oracle || !exploration->is_complete || exploration->failed)
        return true;
    if (exploration->outcomes.n > MOST_OUTCOMES) {
        exploration->is_complete = false;
        return true;
    }
    struct sm_explored forbidding = {0};
    if (!ask_oracle(exploration, &forbidding, error))
        return false;
    if (!forbidding.n_forbidden)
        return true;
    free(exploration->team.busy);
    sm_list_free(&exploration->outcomes);
    exploration->outcomes = (struct sm_list){0};
    exploration->team = (struct sm_team){.begin = forbidding};
    return explore(exploration, model, lied, error);
}

/* ---- the whole program ---- */

bool sm_exact_applies(const struct sm_hunt *hunt)
{
    const struct sm_options *options = &hunt->settings->options;
    bool shard = hunt->settings->shard.of; /* merge decides */
    return hunt->baseline.is_known && !shard && !options->unfair &&
           options->carrier == SM_CARRIER_FIBER &&
           hunt->campaign.workers[0].shared.control->n_sites && !hunt->settings->no_exact &&
           options->heuristic == SM_HEURISTICS && options->schedule == SM_SCHEDULES &&
           !sm_campaign_over(&hunt->campaign);
}

static void set_budget(struct sm_exact *exact)
{
    double limit = exact->hunt->settings->time / TIME_SHARE;
    exact->cost = ALL_COST;
    exact->seconds = limit > 0 && limit < EXPLORING_LONGEST ? limit : EXPLORING_LONGEST;
}

static bool may_go_on(const struct sm_exact *exact)
{
    return exact->cost && exact->seconds > 0 && !sm_campaign_over(&exact->hunt->campaign);
}

static bool has_outcome(const struct exploration *sc, uint64_t hash)
{
    for (size_t i = 0; i < sc->outcomes.n; i++)
        if (XXH3_64bits(sc->outcomes.items[i], strlen(sc->outcomes.items[i])) == hash)
            return true;
    return false;
}

/* Every output of the survey is an outcome. If not, verify explores a different program: one that
   depends on state that its restarts do not restore. */
static bool has_seen_all(const struct sm_exact *exact, const struct exploration *sc)
{
    const struct sm_hashes *outputs = &exact->hunt->baseline.outputs;
    for (size_t i = 0; i < outputs->n; i++)
        if (!has_outcome(sc, outputs->items[i]))
            return false;
    return true;
}

/* Every execution without a lie has one of these outcomes; if there are several, no output is
   wrong. */
static void learn_outcomes(struct sm_exact *exact, const struct exploration *sc)
{
    for (size_t i = 0; i < sc->outcomes.n; i++)
        sm_hashes_add(&exact->hunt->baseline.outputs,
                      XXH3_64bits(sc->outcomes.items[i], strlen(sc->outcomes.items[i])));
    if (sc->outcomes.n == 1 && !exact->hunt->settings->oracle)
        exact->outcome = sm_copy_text(sc->outcomes.items[0]);
}

/* The first failure ends it: other failures are searched for when the survey has found what fails
   anyway (sm_exact_settle). */
static bool explore_sc(struct sm_exact *exact, struct sm_error *error)
{
    struct exploration sc = {.exact = exact, .name = "failure", .most_proofs = 0};
    bool ok = explore_judged(&sc, SM_MODEL_SC, NULL, error);
    exact->fails = ok && sc.failed;
    exact->sound = ok && sc.is_complete && !sc.failed && has_seen_all(exact, &sc);
    if (exact->sound)
        learn_outcomes(exact, &sc);
    exact->n_outputs = exact->hunt->baseline.outputs.n;
    free_exploration(&sc);
    return ok;
}

static bool witness_failures(struct sm_exact *exact, struct sm_error *error)
{
    struct exploration sc = {.exact = exact, .name = "failure", .most_proofs = MOST_FAILURES};
    bool ok = explore_judged(&sc, SM_MODEL_SC, NULL, error);
    exact->failures = sc.proofs;
    exact->n_failures = sc.n_proofs;
    sc.proofs = NULL;
    sc.n_proofs = 0;
    free_exploration(&sc);
    return ok;
}

bool sm_exact_settle(struct sm_exact *exact, size_t survey_failures, bool *holds,
                     struct sm_error *error)
{
    exact->sound &= !survey_failures && exact->n_outputs == exact->hunt->baseline.outputs.n;
    exact->proved &= exact->sound;
    *holds = exact->sound;
    return !exact->fails || !may_go_on(exact) || witness_failures(exact, error);
}

/* Nothing fails in the model of the hunt, with lies about all variables. No witness is kept: it may
   lie about more than one variable. */
static bool explore_whole(struct sm_exact *exact, struct sm_error *error)
{
    enum sm_model_id model = (enum sm_model_id)exact->hunt->settings->options.model;
    struct exploration whole = {.exact = exact, .name = "whole", .most_proofs = 0};
    bool ok = explore_judged(&whole, model, NULL, error);
    exact->proved = ok && whole.is_complete;
    free_exploration(&whole);
    return ok;
}

bool sm_exact_begin(struct sm_exact *exact, struct sm_hunt *hunt, size_t n_variables,
                    struct sm_error *error)
{
    *exact = (struct sm_exact){.hunt = hunt};
    if (!sm_exact_applies(hunt))
        return true;
    set_budget(exact);
    if (!explore_sc(exact, error))
        return false;
    exact->proved = exact->sound && hunt->settings->options.model == SM_MODEL_SC;
    return !exact->sound || exact->proved || n_variables < 2 || explore_whole(exact, error);
}

/* ---- one variable ---- */

static bool explore_variable(struct exploration *alone, enum sm_model_id model,
                             const struct sm_watchlist *sites, struct sm_error *error)
{
    return !may_go_on(alone->exact) || explore_judged(alone, model, sites, error);
}

/* False on an error. *proved: nothing fails in the weakest model, hence in none. */
static bool prove(struct sm_exact *exact, const char *name, const struct sm_watchlist *sites,
                  bool *proved, struct sm_error *error)
{
    enum sm_model_id model = (enum sm_model_id)exact->hunt->settings->options.model;
    struct exploration alone = {.exact = exact, .name = name, .most_proofs = 0};
    bool ok = explore_variable(&alone, model, sites, error);
    *proved = ok && alone.is_complete && !alone.failed;
    free_exploration(&alone);
    return ok;
}

static void take_proof(struct exploration *alone, struct sm_exact_verdict *verdict)
{
    verdict->proof = alone->proofs[0];
    verdict->witnessed = true;
    alone->n_proofs = 0;
}

/* The strongest model in which the variable breaks the program. It is exact if all stronger ones
   were explored. */
static bool climb(struct sm_exact *exact, const char *name, const struct sm_watchlist *sites,
                  struct sm_exact_verdict *verdict, struct sm_error *error)
{
    enum sm_model_id weakest = (enum sm_model_id)exact->hunt->settings->options.model;
    bool ok = true, all = true;
    for (enum sm_model_id model = SM_MODEL_TSO; ok && model <= weakest && !verdict->witnessed;
         model++) {
        struct exploration alone = {.exact = exact, .name = name, .most_proofs = 1};
        ok = explore_variable(&alone, model, sites, error);
        if (alone.n_proofs)
            take_proof(&alone, verdict);
        else
            all &= alone.is_complete;
        free_exploration(&alone);
    }
    verdict->decided = ok && all && verdict->witnessed;
    return ok;
}

bool sm_exact_decide(struct sm_exact *exact, const char *name, const struct sm_watchlist *sites,
                     struct sm_exact_verdict *verdict, struct sm_error *error)
{
    *verdict = (struct sm_exact_verdict){.decided = exact->sound && exact->proved};
    if (!exact->sound || exact->proved)
        return true;
    return prove(exact, name, sites, &verdict->decided, error) &&
           (verdict->decided || climb(exact, name, sites, verdict, error));
}
