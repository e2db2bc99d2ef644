#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/options.h"
#include "base/words.h"
#include "commands/commands.h"
#include "commands/debug.h"
#include "commands/narrate.h"
#include "findings/run.h"
#include "findings/story.h"
#include "findings/voice.h"
#include "hunt/describe_race.h"
#include "target/input.h"
#include "target/record.h"
#include "target/symbols.h"
#include "witness/witness.h"

struct replay {
    struct sm_settings settings;
    const char *file;
    struct sm_witness witness;
    struct sm_options options;
    struct sm_target target;
    struct sm_sites sites;
    struct sm_outcome outcome;
    struct sm_narration narration;
    struct sm_buffer departure; /* empty while the replay is as recorded */
    struct sm_buffer changed;   /* libraries that differ from the recording */
};

static bool read_witness(struct replay *replay, struct sm_error *error)
{
    char why[SM_WHY_SIZE];
    if (replay->settings.operands.n != 1)
        return sm_fail(error, SM_STATUS_USAGE,
                       "replay: %s; type: stalemate replay [OPTIONS] WITNESS",
                       replay->settings.operands.n ? "one witness at a time" : "no witness given");
    replay->file = replay->settings.operands.items[0];
    return (sm_witness_read(replay->file, &replay->witness, why) &&
            sm_witness_is_whole(&replay->witness, why)) ||
           sm_fail(error, SM_STATUS_USAGE, "cannot read the witness %s: %s", replay->file, why);
}

static bool check_build(const struct replay *replay, struct sm_error *error)
{
    const struct sm_witness *witness = &replay->witness;
    if (strcmp(witness->build_id, replay->target.build_id) == 0)
        return true;
    return sm_fail(error, SM_STATUS_USAGE,
                   "%s was recorded with another build of %s: build-id %s then, %s now; build the "
                   "program as it was, give the old one with --program PATH, or record a new "
                   "witness",
                   replay->file, replay->target.path, witness->build_id, replay->target.build_id);
}

/* The program of the witness, or that of --program. */
static const char *find_program(const struct replay *replay, struct sm_error *error)
{
    const char *given = replay->settings.program, *program = replay->witness.program;
    if (given || access(program, F_OK) == 0)
        return given ? given : program;
    sm_fail(error, SM_STATUS_USAGE,
            "the program of %s is not there any more: %s; if it was moved, say where it is now: "
            "stalemate replay --program PATH %s",
            replay->file, program, replay->file);
    return NULL;
}

/* A changed library may change the execution, but need not. */
static void list_changed_libraries(struct replay *replay)
{
    const struct sm_witness *witness = &replay->witness;
    for (size_t i = 0; i < witness->n_objects; i++) {
        char id[SM_BUILD_ID_SIZE];
        sm_image_build_id(witness->objects[i].path, id);
        if (strcmp(id, witness->objects[i].build_id) != 0)
            sm_buffer_print(&replay->changed, "%s%s", replay->changed.size ? ", " : "",
                            witness->objects[i].path);
    }
}

static void narrate(const struct sm_target *target, void *context)
{
    const volatile uint64_t *come = &target->shared.control->trace_records;
    sm_narrate(context, *come);
}

static bool open_target(struct replay *replay, struct sm_error *error)
{
    struct sm_witness *witness = &replay->witness;
    struct sm_target *target = &replay->target;
    const struct sm_settings *settings = &replay->settings;
    const char *program = find_program(replay, error);
    int input = program ? sm_input_from(&witness->input, error) : -1;
    if (input < 0)
        return false;
    bool json = settings->json && strcmp(settings->json, "-") == 0;
    if (!sm_target_open(target, program, witness->arguments.items, input,
                        json ? STDERR_FILENO : STDOUT_FILENO, STDERR_FILENO, error) ||
        !check_build(replay, error))
        return false;
    target->limits.seconds = settings->timeout;
    if (settings->memory)
        target->limits.memory = settings->memory << 20;
    target->directory = sm_copy_text(witness->directory);
    sm_list_free(&target->environment);
    target->environment = witness->environment;
    witness->environment = (struct sm_list){0};
    list_changed_libraries(replay);
    replay->narration.witness = witness;
    target->watcher_context = &replay->narration;
    target->watcher = settings->quiet ? NULL : narrate;
    return sm_record_load(witness, target, &replay->options, error);
}

/* ---- is it the same? ---- */

static const char *ending(uint64_t end)
{
    static const char *const words[] = {
        [SM_END_NONE] = "was stopped from outside", [SM_END_EXIT] = "exited",
        [SM_END_SIGNAL] = "died of a signal",       [SM_END_ASSERT] = "failed an assertion",
        [SM_END_DEADLOCK] = "was deadlocked",       [SM_END_HANG] = "spent its budget of events",
        [SM_END_ASSUME] = "broke an assumption",    [SM_END_DIVERGED] = "departed",
        [SM_END_ERROR] = "failed in the runtime",   [SM_END_HARM] = "failed",
    };
    return end < sizeof words / sizeof words[0] ? words[end] : "ended";
}

/* A deadlock is reported for the thread that waits first, not for the one that came to wait
   last. */
static bool ended_by_the_same(const struct sm_witness *witness, const struct sm_outcome *outcome)
{
    return witness->end_thread == outcome->failure.thread || witness->end == SM_END_DEADLOCK;
}

/* An execution that was stopped from outside is replayed up to that point; the step budget that
   stops it now is checked only from time to time. */
static bool reaches_the_stop(const struct sm_witness *witness, const struct sm_outcome *outcome)
{
    return witness->end == SM_END_NONE && outcome->end == SM_END_HANG &&
           outcome->events >= witness->events;
}

/* The runtime prints "event N was ..."; for departures without an event N is the last event. */
static void print_divergence(const char *detail, const struct sm_outcome *outcome,
                             struct sm_buffer *departure)
{
    unsigned long event;
    int length = 0;
    if (sscanf(detail, "event %lu %n", &event, &length) != 1 || !length)
        event = outcome->events;
    sm_buffer_print(departure, "event %lu: %.*s", event, SM_DETAIL_SIZE, detail + length);
}

static void compare(struct replay *replay)
{
    const struct sm_witness *witness = &replay->witness;
    const struct sm_outcome *outcome = &replay->outcome;
    struct sm_buffer *departure = &replay->departure;
    if (outcome->end == SM_END_DIVERGED)
        print_divergence(replay->target.shared.control->detail, outcome, departure);
    else if (reaches_the_stop(witness, outcome))
        return;
    else if (!sm_record_ends_alike(witness, outcome))
        sm_buffer_print(departure,
                        "event %lu: it %s (%d) after %lu events when recorded, and %s (%d) after "
                        "%lu now",
                        (unsigned long)outcome->events, ending(witness->end),
                        (int32_t)witness->status, (unsigned long)witness->events,
                        ending(outcome->end), outcome->status, (unsigned long)outcome->events);
    else if (!ended_by_the_same(witness, outcome))
        sm_buffer_print(departure,
                        "event %lu: thread %lu ended it when recorded, and thread %u now",
                        (unsigned long)outcome->events, (unsigned long)witness->end_thread,
                        outcome->failure.thread);
    else if (witness->trace_hash != outcome->trace_hash || witness->events != outcome->events)
        sm_buffer_print(departure,
                        "event %lu: %lu events with trace %016lx when recorded, %lu with trace "
                        "%016lx now",
                        (unsigned long)outcome->events, (unsigned long)witness->events,
                        (unsigned long)witness->trace_hash, (unsigned long)outcome->events,
                        (unsigned long)outcome->trace_hash);
}

/* The judgement of the recording is kept: the oracle need not be asked again. */
static void take_over_judgement(struct replay *replay)
{
    const struct sm_witness *witness = &replay->witness;
    struct sm_failure *failure = &replay->outcome.failure;
    if (failure->n_related) /* the runtime has found the failure again, with its places */
        return;
    sm_outcome_free(&replay->outcome);
    for (int kind = SM_FAILURE_NONE; kind < SM_FAILURES; kind++)
        if (strcmp(sm_failure_words[kind], witness->failure_kind) == 0)
            failure->kind = kind;
    failure->detail = sm_copy_text(witness->failure_detail);
    failure->place = sm_place_copy(&witness->place);
    failure->stack = (struct sm_stack){0};
    for (uint32_t i = 0; i < witness->stack.n; i++)
        sm_stack_add(&failure->stack, sm_place_copy(&witness->stack.frames[i]));
}

static bool execute(struct replay *replay, struct sm_error *error)
{
    struct sm_ended ended;
    struct sm_expectation none = {0};
    if (!sm_target_run(&replay->target, &replay->options, &ended, error) ||
        !sm_outcome_judge(&replay->outcome, &replay->target, &ended, &none, error))
        return false;
    compare(replay);
    if (!replay->departure.size) {
        take_over_judgement(replay);
        return true;
    }
    sm_shared_sites(&replay->target.shared, &replay->sites);
    sm_outcome_locate(&replay->outcome, &replay->target, &replay->sites);
    if (replay->changed.size)
        sm_buffer_print(&replay->departure, " (changed since: %s)", replay->changed.data);
    else
        sm_buffer_print(&replay->departure,
                        "; the program read an input that is not under control");
    return true;
}

/* What was already narrated is not repeated; the order of the stores of a location, which can also
   be a lie, is not visible at single reads. */
static void tell_end(const struct replay *replay, struct sm_list *story)
{
    size_t lies = replay->narration.lies;
    if (lies)
        sm_story_close(&replay->witness, lies, story);
    else
        sm_story_tell(&replay->witness, "it", story);
}

/* For an execution that was recorded for its races: `fix` does that if only a race is left. */
static void tell_races(struct replay *replay, struct sm_list *story)
{
    const struct sm_control *control = replay->target.shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    struct sm_races races = {0};
    struct sm_variables variables = {0};
    sm_shared_sites(&replay->target.shared, &replay->sites);
    sm_races_add(&races, control->races,
                 control->n_races < SM_MAX_RACES ? control->n_races : SM_MAX_RACES);
    sm_variables_find(&variables, &races, &replay->sites);
    for (size_t i = 0; i < races.n; i++) {
        struct sm_data_race race =
            sm_race_describe(&races.items[i], &variables, &replay->sites, symbols);
        struct sm_buffer line = {0};
        sm_voice_race(&line, race.variable, NULL, NULL, &race.first, &race.second);
        sm_list_add(story, line.data);
        sm_buffer_free(&line);
        sm_data_race_free(&race);
    }
    sm_variables_free(&variables);
    sm_races_free(&races);
    sm_symbols_close(symbols);
}

static bool show(struct replay *replay, struct sm_error *error)
{
    const struct sm_settings *settings = &replay->settings;
    struct sm_list story = {0};
    if (!replay->departure.size && replay->outcome.failure.kind != SM_FAILURE_NONE)
        tell_end(replay, &story);
    else if (!replay->departure.size && replay->witness.options.races)
        tell_races(replay, &story);
    struct sm_run_report report = {
        .repairs = replay->witness.repairs,
        .command = "replay",
        .target = replay->witness.arguments.items,
        .outcome = &replay->outcome,
        .options = &replay->witness.options,
        .counters = replay->target.shared.control->counters,
        .witness = replay->file,
        .departure = replay->departure.data,
        .replayed = true,
        .story = &story,
    };
    if (!settings->quiet)
        sm_report_run_text(&report, settings->verbose, sm_settings_color(settings, STDERR_FILENO),
                           stderr);
    sm_list_free(&story);
    return !settings->json || sm_report_run_json(&report, settings->json, error);
}

static int verdict(const struct replay *replay)
{
    if (replay->departure.size && replay->changed.size)
        return SM_STATUS_USAGE;
    if (replay->departure.size)
        return SM_STATUS_TARGET;
    return replay->outcome.failure.kind != SM_FAILURE_NONE ? SM_STATUS_FOUND : SM_STATUS_OK;
}

struct debugging {
    struct sm_debug debug; /* first: answers cast it back */
    struct replay *replay;
};

static bool prepare_again(void *context, struct sm_error *error)
{
    struct debugging *debugging = context;
    struct replay *replay = debugging->replay;
    bool ok = sm_record_load(&replay->witness, &replay->target, &replay->options, error);
    replay->options.carrier = SM_CARRIER_THREAD;
    return ok;
}

static bool debug(struct replay *replay, struct sm_error *error)
{
    struct debugging debugging = {.debug = {.witness = &replay->witness,
                                            .control = replay->target.shared.control,
                                            .reasons = sm_reasons_open(&replay->witness)},
                                  .replay = replay};
    struct sm_debugger debugger = {.target = &replay->target,
                                   .options = &replay->options,
                                   .answer = sm_debug_answer,
                                   .prepare = prepare_again,
                                   .context = &debugging};
    replay->options.carrier = SM_CARRIER_THREAD; /* so that gdb sees the program's threads */
    bool ok = sm_debugger_run(&debugger, error);
    sm_reasons_close(debugging.debug.reasons);
    return ok;
}

int sm_replay_main(int argc, char **argv)
{
    (void)argc;
    struct replay replay = {.target = {.input = -1, .output.fd = -1, .errors.fd = -1}};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&replay.settings, SM_COMMAND_REPLAY, false, argv, &error);
    if (ok && replay.settings.help) {
        sm_command_help("replay", SM_COMMAND_REPLAY);
        sm_settings_free(&replay.settings);
        return SM_STATUS_OK;
    }
    sm_interrupt_catch();
    ok = ok && read_witness(&replay, &error) && open_target(&replay, &error);
    if (ok && replay.settings.gdb)
        ok = debug(&replay, &error);
    else
        ok = ok && execute(&replay, &error) && show(&replay, &error);
    int status = ok ? verdict(&replay) : sm_error_print(&error);
    sm_outcome_free(&replay.outcome);
    sm_sites_free(&replay.sites);
    sm_target_close(&replay.target);
    sm_witness_free(&replay.witness);
    sm_buffer_free(&replay.departure);
    sm_buffer_free(&replay.changed);
    sm_settings_free(&replay.settings);
    sm_interrupt_finish();
    return status;
}
