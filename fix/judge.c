#include "fix/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "base/repair.h"
#include "base/words.h"
#include "findings/parse.h"
#include "fix/child.h"
#include "fix/screen.h"
#include "target/assume.h"
#include "target/input.h"
#include "target/outcome.h"
#include "target/record.h"

/*
 * Time limits of verify, unless --time is given: small programs need a fraction of a second. If
 * FIRST_SECONDS is too short, some executions are made first, because most candidates fail in one
 * of them (FastTree: 1 s in place of a hunt of 60 s).
 */
enum { FIRST_SECONDS = 3, VERIFY_SECONDS = 20 };
enum { SCREENED = 20, SEARCHED = 200 }; /* executions; SEARCHED: for a race that is known */

/* One judgement in progress. */
struct trial {
    const struct sm_judge *judge;
    struct sm_judgement *says;
    char *directory; /* of its own, so that the files of children do not mix */
};

void sm_judgement_free(struct sm_judgement *judgement)
{
    free(judgement->detail);
    free(judgement->witness);
    free(judgement->assumption);
    sm_failure_free(&judgement->failure);
    *judgement = (struct sm_judgement){0};
}

static bool decide(struct trial *trial, enum sm_judged verdict, bool exact, char *detail)
{
    trial->says->verdict = verdict;
    trial->says->exact = exact;
    free(trial->says->detail);
    trial->says->detail = detail;
    return true;
}

/* ---- children ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* A file that the child wrote, as text to be freed; "" if there is none. */
static char *read_log(const struct trial *trial, const char *command)
{
    char *path = sm_print("%s/%s.log", trial->directory, command);
    struct sm_buffer text = {0};
    char piece[4096];
    FILE *file = fopen(path, "re");
    for (size_t n; file && (n = fread(piece, 1, sizeof piece, file)) > 0;)
        sm_buffer_add(&text, piece, n);
    if (file)
        fclose(file);
    sm_buffer_add(&text, "", 1);
    free(path);
    return text.data;
}

/* It wrote no result: the repairs do not match the program, or there was no execution. */
static bool no_result(struct trial *trial, const char *command)
{
    char *log = read_log(trial, command);
    bool unknown = strstr(log, "do not fit the program") != NULL;
    return decide(trial, unknown ? SM_JUDGED_NOWHERE : SM_JUDGED_NOT, false, log);
}

static json_t *ask(const struct trial *trial, enum sm_command_bit bit, const char *command,
                   const char *const *more)
{
    struct sm_list options = {0};
    if (trial->says->assumption) {
        sm_list_add(&options, "--assume-fix");
        sm_list_add(&options, trial->says->assumption);
    }
    for (; *more; more++)
        sm_list_add(&options, *more);
    json_t *json = sm_child_json(trial->judge->settings, bit, command, &options, trial->directory);
    sm_list_free(&options);
    return json;
}

/* ---- findings of a child ---- */

static void keep_witness(struct trial *trial, const json_t *finding)
{
    const char *witness = text_of(finding, "witness");
    trial->says->witness = *witness ? sm_copy_text(witness) : NULL;
}

static bool fails(struct trial *trial, const json_t *finding, const json_t *failure)
{
    keep_witness(trial, finding);
    return decide(trial, SM_JUDGED_FAILS, true,
                  sm_print("%s: %s", text_of(failure, "kind"), text_of(failure, "detail")));
}

static const json_t *left_race(const struct trial *trial, const json_t *result)
{
    const json_t *races = json_object_get(result, "races"), *race;
    size_t i;
    json_array_foreach(
        races, i, race) if (!sm_list_has(&trial->judge->accepted, text_of(race, "variable")) &&
                            strcmp(text_of(race, "verdict"), "proved-benign") != 0) return race;
    return NULL;
}

/* ---- executions of the screen ---- */

static bool screen(struct trial *trial, const char *variable, unsigned executions, char **found,
                   struct sm_error *error)
{
    struct sm_screen screen = {.settings = trial->judge->settings,
                               .assumption = trial->says->assumption,
                               .variable = variable,
                               .accepted = &trial->judge->accepted,
                               .executions = executions,
                               .deadline = trial->judge->deadline};
    char *path = sm_print("%s/screen.smw", trial->directory);
    screen.path = path;
    bool ok = sm_screen(&screen, found, error);
    if (ok && *found)
        trial->says->witness = path;
    else
        free(path);
    return ok;
}

/* verify gives no witness of a race, so one is searched for. The race is left even if none is found
   under sc. */
static bool race_is_left(struct trial *trial, const json_t *race)
{
    const char *variable = text_of(race, "variable");
    struct sm_error ignored = {0};
    char *found = NULL;
    keep_witness(trial, race);
    if (!trial->says->witness)
        screen(trial, variable, SEARCHED, &found, &ignored);
    free(found);
    return decide(trial, SM_JUDGED_FAILS, true, sm_print("a race on %s is left", variable));
}

/* *decided: something fails. If nothing can be executed, that is reported by the others. */
static bool by_screen(struct trial *trial, bool *decided, struct sm_error *error)
{
    struct sm_error own = {0};
    char *found = NULL;
    if (!screen(trial, NULL, SCREENED, &found, &own) && own.status == SM_STATUS_INTERNAL) {
        *error = own;
        return false;
    }
    trial->says->by = "hunt";
    *decided = found && decide(trial, SM_JUDGED_FAILS, true, found);
    return true;
}

/* ---- verify ---- */

static uint64_t executed_of(const json_t *result)
{
    const json_t *list = json_object_get(result, "executed"), *executed;
    uint64_t bits = 0;
    size_t i;
    json_array_foreach(list, i, executed) bits |= (uint64_t)json_is_true(executed)
                                                  << i % SM_MAX_REPAIRS;
    return bits;
}

/* The remaining time, at most so much; to be freed. */
static char *seconds_left(const struct trial *trial, double most)
{
    double left = trial->judge->deadline - sm_now();
    return sm_print("%.1f", trial->judge->deadline <= 0 || left > most ? most
                            : left < 0.1                               ? 0.1
                                                                       : left);
}

static void violates(struct trial *trial, const json_t *violation, enum sm_model_id model)
{
    fails(trial, violation, violation);
    trial->says->failure = sm_parse_failure(violation);
    trial->says->model = model;
}

/* True if it has decided. */
static bool by_verify(struct trial *trial, enum sm_model_id model, double most)
{
    char *seconds = seconds_left(trial, most);
    /* One worker: most explorations are too short to share. */
    const char *const more[] = {"--model", sm_model_words[model], "--time", seconds, "--jobs", "1",
                                NULL};
    json_t *result = ask(trial, SM_COMMAND_VERIFY, "verify", more);
    const json_t *violation = json_array_get(json_object_get(result, "violations"), 0);
    const json_t *race = left_race(trial, result);
    bool complete = json_is_true(json_object_get(result, "complete")), decided = true;
    size_t races = json_array_size(json_object_get(result, "races"));
    trial->says->by = "verify";
    trial->says->executed = executed_of(result);
    free(seconds);
    if (violation)
        violates(trial, violation, model);
    else if (race)
        race_is_left(trial, race);
    else if (result && complete && races && model == SM_MODEL_C11)
        decided = by_verify(trial, SM_MODEL_HB, most); /* remaining races: plain accesses need hb */
    else
        decided = result && complete && decide(trial, SM_JUDGED_CLEAN, true, NULL);
    json_decref(result);
    return decided;
}

/* ---- the witnesses again, with their schedules and lies ---- */

static bool write_witness(struct trial *trial, struct sm_target *target, struct sm_outcome *outcome)
{
    struct sm_sites sites = {0};
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    sm_shared_sites(&target->shared, &sites);
    sm_outcome_locate(outcome, target, &sites);
    sm_record_execution(&witness, target, outcome, &sites);
    witness.options.lenient = 0;
    char *path = sm_print("%s/again.smw", trial->directory);
    if (sm_witness_write(path, &witness, why))
        trial->says->witness = path;
    else
        free(path);
    sm_witness_free(&witness);
    sm_sites_free(&sites);
    return decide(
        trial, SM_JUDGED_FAILS, true,
        sm_print("%s: %s", sm_failure_words[outcome->failure.kind], outcome->failure.detail));
}

/* Choices that no longer fit, because the program behaves differently, are left out. */
static bool execute_again(struct trial *trial, const struct sm_witness *witness,
                          struct sm_target *target, bool *decided, struct sm_error *error)
{
    const struct sm_settings *settings = trial->judge->settings;
    const struct sm_expectation expectation = {
        .exit_status = settings->expect_exit == SM_NO_EXPECTATION ? 0 : (int)settings->expect_exit,
        .oracle = settings->oracle};
    struct sm_options options;
    struct sm_outcome outcome = {0};
    struct sm_ended ended;
    if (!sm_record_load(witness, target, &options, error))
        return false;
    target->shared.control->replay_records = 0;
    options.lenient = options.record = 1;
    target->limits.seconds = settings->timeout > 0 ? settings->timeout : VERIFY_SECONDS;
    bool ok = sm_assume_file(target, trial->says->assumption, error) &&
              sm_target_run(target, &options, &ended, error) &&
              sm_outcome_judge(&outcome, target, &ended, &expectation, error);
    if (ok && outcome.failure.kind != SM_FAILURE_NONE && !outcome.assumed && !outcome.unvalidated)
        *decided = write_witness(trial, target, &outcome);
    sm_outcome_free(&outcome);
    return ok;
}

static bool run_again(struct trial *trial, const char *path, bool *decided, struct sm_error *error)
{
    struct sm_witness witness;
    struct sm_target target = {.input = -1, .output.fd = -1, .errors.fd = -1};
    char why[SM_WHY_SIZE];
    if (!sm_witness_read(path, &witness, why))
        return sm_fail(error, SM_STATUS_USAGE, "%s: %s", path, why);
    /* Witnesses of verify have another kind of choices; verify has already been asked. */
    int input = witness.options.explore ? -1 : sm_input_from(&witness.input, error);
    bool ok =
        witness.options.explore ||
        (input >= 0 &&
         sm_target_open(&target, witness.program, witness.arguments.items, input, -1, -1, error) &&
         execute_again(trial, &witness, &target, decided, error));
    if (input >= 0)
        sm_target_close(&target);
    sm_witness_free(&witness);
    return ok;
}

/* ---- a hunt of the same effort ---- */

static const json_t *destructive(const json_t *result)
{
    const json_t *races = json_object_get(result, "races"), *race;
    size_t i;
    json_array_foreach(races, i,
                       race) if (strcmp(text_of(race, "verdict"), "destructive") == 0) return race;
    return NULL;
}

static bool by_hunt(struct trial *trial)
{
    double limit = trial->judge->settings->time * SM_HUNT_SHARE;
    char *seconds = limit > 0 ? seconds_left(trial, limit) : NULL;
    const char *const more[] = {"--no-exact", seconds ? "--time" : NULL, seconds, NULL};
    json_t *result = ask(trial, SM_COMMAND_HUNT, "hunt", more);
    const json_t *failure = json_array_get(json_object_get(result, "failures"), 0);
    const json_t *broken = destructive(result), *race = left_race(trial, result);
    trial->says->by = "hunt";
    if (!result)
        no_result(trial, "hunt");
    else if (failure)
        fails(trial, failure, failure);
    else if (broken)
        fails(trial, broken, json_object_get(broken, "failure"));
    else if (race)
        race_is_left(trial, race);
    else
        decide(trial, SM_JUDGED_CLEAN, false, NULL);
    json_decref(result);
    free(seconds);
    return true;
}

/* ---- ---- */

static bool write_repairs(struct trial *trial, const struct sm_repair *repairs, size_t n,
                          struct sm_error *error)
{
    char *path = sm_print("%s/repairs", trial->directory), line[SM_REPAIR_LINE];
    FILE *file = fopen(path, "we");
    for (size_t i = 0; file && i < n; i++) {
        sm_repair_print(&repairs[i], line, sizeof line);
        fprintf(file, "%s\n", line);
    }
    bool ok = file && fclose(file) == 0;
    if (!ok)
        sm_fail(error, SM_STATUS_USAGE, "cannot write %s: %s", path, strerror(errno));
    trial->says->assumption = path;
    return ok;
}

static bool interrupted(struct sm_error *error)
{
    return sm_interrupt_signal() && !sm_fail(error, SM_STATUS_TARGET, "interrupted");
}

/* True if it has decided. Otherwise the reason is stored as SM_JUDGED_NOT. */
static bool judge_exactly(struct trial *trial, double most)
{
    if (by_verify(trial, SM_MODEL_C11, most))
        return true;
    no_result(trial, "verify");
    return trial->says->verdict == SM_JUDGED_NOWHERE;
}

static bool judge_all(struct trial *trial, struct sm_error *error)
{
    const struct sm_list *witnesses = &trial->judge->witnesses;
    bool decided = judge_exactly(trial, FIRST_SECONDS);
    if (!decided && !by_screen(trial, &decided, error))
        return false;
    for (size_t i = 0; !decided && i < witnesses->n; i++) {
        trial->says->by = "hunt";
        if (!run_again(trial, witnesses->items[i], &decided, error))
            return false;
    }
    decided = decided || judge_exactly(trial, VERIFY_SECONDS) || by_hunt(trial);
    return decided && !interrupted(error);
}

static bool verify_alone(struct trial *trial, struct sm_error *error)
{
    judge_exactly(trial, VERIFY_SECONDS);
    return !interrupted(error);
}

static bool try_repairs(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                        struct sm_judgement *judgement,
                        bool (*decide_all)(struct trial *, struct sm_error *),
                        struct sm_error *error)
{
    *judgement = (struct sm_judgement){.by = "verify"};
    struct trial trial = {.judge = judge,
                          .says = judgement,
                          .directory = sm_print("%s/%u", judge->directory, ++judge->made)};
    bool ok = mkdir(trial.directory, 0777) == 0 || errno == EEXIST ||
              sm_fail(error, SM_STATUS_USAGE, "cannot make the directory %s: %s", trial.directory,
                      strerror(errno));
    ok = ok && (!n || write_repairs(&trial, repairs, n, error)) && decide_all(&trial, error);
    free(trial.directory);
    return ok;
}

/* Tries the models above the one in which verify has found a failure. */
static bool judge_program(struct trial *trial, struct sm_error *error)
{
    struct sm_judgement weaker;
    bool found = false;
    if (!judge_all(trial, error))
        return false;
    weaker = *trial->says;
    for (enum sm_model_id model = SM_MODEL_SC; !found && model < weaker.model; model++) {
        *trial->says = (struct sm_judgement){0};
        found =
            by_verify(trial, model, FIRST_SECONDS) && trial->says->failure.kind != SM_FAILURE_NONE;
        sm_judgement_free(found ? &weaker : trial->says);
    }
    if (!found)
        *trial->says = weaker;
    return !interrupted(error);
}

bool sm_judge_program(struct sm_judge *judge, struct sm_judgement *judgement,
                      struct sm_error *error)
{
    return try_repairs(judge, NULL, 0, judgement, judge_program, error);
}

bool sm_judge_repairs(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                      struct sm_judgement *judgement, struct sm_error *error)
{
    return try_repairs(judge, repairs, n, judgement, judge_all, error);
}

bool sm_judge_by_verify(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                        struct sm_judgement *judgement, struct sm_error *error)
{
    return try_repairs(judge, repairs, n, judgement, verify_alone, error);
}
