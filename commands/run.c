#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "base/options.h"
#include "commands/commands.h"
#include "commands/run_trials.h"
#include "findings/run.h"
#include "target/assume.h"
#include "target/input.h"
#include "target/notes.h"
#include "target/record.h"
#include "target/watch.h"
#include "witness/witness.h"

struct run_command {
    struct sm_settings settings;
    struct sm_target target;
    struct sm_sites sites;
    struct sm_outcome outcome;
    struct sm_buffer again; /* the command that repeats this execution */
};

static bool check_operands(const struct sm_settings *settings, struct sm_error *error)
{
    if (settings->operands.n)
        return true;
    return sm_fail(error, SM_STATUS_USAGE,
                   "run: no program given; type: stalemate run [OPTIONS] -- PROGRAM ARGS...");
}

static bool check_trials(const struct sm_settings *settings, struct sm_error *error)
{
    return settings->trials || !(settings->until_failure || settings->shard.of) ||
           sm_fail(error, SM_STATUS_USAGE,
                   "run: --%s is for many executions; say how many: --trials N",
                   settings->shard.of ? "shard" : "until-failure");
}

/* Checked now rather than after an hour's execution. */
static bool check_record(const char *file, struct sm_error *error)
{
    if (!file)
        return true;
    char *copy = sm_copy_text(file), *directory = dirname(copy);
    bool ok = access(directory, W_OK | X_OK) == 0 ||
              sm_fail(error, SM_STATUS_USAGE, "cannot write %s: directory %s: %s", file, directory,
                      strerror(errno));
    free(copy);
    return ok;
}

static bool open_target(struct run_command *run, struct sm_error *error)
{
    const struct sm_settings *settings = &run->settings;
    int input = sm_input_spool(STDIN_FILENO, error);
    if (input < 0)
        return false;
    /* JSON on standard output is for programs: nothing else may be printed there. */
    bool json = settings->json && strcmp(settings->json, "-") == 0;
    if (!sm_target_open(&run->target, settings->operands.items[0], settings->operands.items, input,
                        json ? STDERR_FILENO : STDOUT_FILENO, STDERR_FILENO, error))
        return false;
    run->target.limits.seconds = settings->timeout;
    if (settings->time > 0)
        run->target.limits.deadline = sm_now() + settings->time;
    if (settings->memory)
        run->target.limits.memory = settings->memory << 20;
    return sm_assume_file(&run->target, settings->assume_fix, error) &&
           sm_watch(&run->target, &settings->watch, error);
}

static bool execute(struct run_command *run, struct sm_error *error)
{
    const struct sm_settings *settings = &run->settings;
    struct sm_ended ended;
    struct sm_options options = settings->options;
    struct sm_expectation expectation = {
        .exit_status = settings->expect_exit == SM_NO_EXPECTATION ? 0 : (int)settings->expect_exit,
        .oracle = settings->oracle,
    };
    options.record = settings->record != NULL;
    if (!options.leaks)
        options.leaks = SM_LEAKS_TOLD;
    if (!sm_target_run(&run->target, &options, &ended, error) ||
        !sm_outcome_judge(&run->outcome, &run->target, &ended, &expectation, error))
        return false;
    sm_shared_sites(&run->target.shared, &run->sites);
    sm_outcome_locate(&run->outcome, &run->target, &run->sites);
    return true;
}

static bool record(struct run_command *run, struct sm_error *error)
{
    const char *file = run->settings.record;
    char why[SM_WHY_SIZE];
    struct sm_witness witness;
    if (!file)
        return true;
    sm_record_execution(&witness, &run->target, &run->outcome, &run->sites);
    bool ok = sm_witness_write(file, &witness, why) ||
              sm_fail(error, SM_STATUS_USAGE, "cannot write the witness %s: %s", file, why);
    sm_witness_free(&witness);
    return ok;
}

static void describe_again(struct run_command *run)
{
    const struct sm_settings *settings = &run->settings;
    if (settings->record) {
        sm_buffer_text(&run->again, "stalemate replay ");
        sm_quote_word(settings->record, &run->again);
        return;
    }
    sm_buffer_text(&run->again, "stalemate run");
    sm_settings_repeat(settings, &run->again);
    sm_buffer_text(&run->again, " --");
    for (size_t i = 0; i < settings->operands.n; i++) {
        sm_buffer_text(&run->again, " ");
        sm_quote_word(settings->operands.items[i], &run->again);
    }
}

static bool show(struct run_command *run, struct sm_error *error)
{
    const struct sm_settings *settings = &run->settings;
    describe_again(run);
    struct sm_run_report report = {
        .repairs = run->target.shared.control->repairs,
        .command = "run",
        .target = settings->operands.items,
        .outcome = &run->outcome,
        .options = &settings->options,
        .counters = run->target.shared.control->counters,
        .witness = settings->record,
        .again = run->again.data,
    };
    const struct sm_control *control = run->target.shared.control;
    if (!settings->quiet)
        sm_notes_unknown_asm(&control, 1, &run->sites, stderr);
    if (!settings->quiet)
        sm_report_run_text(&report, settings->verbose, sm_settings_color(settings, STDERR_FILENO),
                           stderr);
    return !settings->json || sm_report_run_json(&report, settings->json, error);
}

int sm_run_main(int argc, char **argv)
{
    (void)argc;
    struct run_command run = {.target = {.input = -1, .output.fd = -1, .errors.fd = -1}};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&run.settings, SM_COMMAND_RUN, true, argv, &error);
    if (ok && run.settings.help) {
        sm_command_help("run", SM_COMMAND_RUN);
        sm_settings_free(&run.settings);
        return SM_STATUS_OK;
    }
    sm_interrupt_catch();
    ok = ok && check_operands(&run.settings, &error) && check_trials(&run.settings, &error);
    if (ok && run.settings.trials) {
        int status = sm_run_trials(&run.settings);
        sm_settings_free(&run.settings);
        sm_interrupt_finish();
        return status;
    }
    if (run.settings.options.schedule == SM_SCHEDULES)
        run.settings.options.schedule = SM_SCHEDULE_RANDOM;
    ok = ok && check_record(run.settings.record, &error) && open_target(&run, &error) &&
         execute(&run, &error) && record(&run, &error) && show(&run, &error);
    int status = !ok                                           ? sm_error_print(&error)
                 : run.outcome.failure.kind != SM_FAILURE_NONE ? SM_STATUS_FOUND
                                                               : SM_STATUS_OK;
    sm_outcome_free(&run.outcome);
    sm_sites_free(&run.sites);
    sm_target_close(&run.target);
    sm_buffer_free(&run.again);
    sm_settings_free(&run.settings);
    sm_interrupt_finish();
    return status;
}
