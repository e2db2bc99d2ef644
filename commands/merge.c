/*
 * stalemate merge: unites the stores of shards, and makes the result with the command that made
 * them.
 *
 * The program runs again: for the survey before the plan, and to reduce and prove failures. It gets
 * the environment and the input that the shards had.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/shards.h"
#include "campaign/store.h"
#include "commands/commands.h"
#include "target/input.h"
#include "target/spawn.h"

static const struct {
    enum sm_command_bit command;
    int (*conclude)(struct sm_settings *settings); /* takes ownership of the settings */
} commands[] = {{SM_COMMAND_HUNT, sm_hunt_gathered},
                {SM_COMMAND_RUN, sm_run_trials_gathered},
                {SM_COMMAND_DETECT, sm_detect_gathered},
                {SM_COMMAND_ATOMICITY, sm_atomicity_gathered}};
enum { N_DIVIDED = sizeof commands / sizeof commands[0] };

/* ---- as in the shards ---- */

/* Replaces our variables that the program would get by those that it got in the shards. */
static void restore_environment(const struct sm_buffer *stored)
{
    struct sm_list ours = {0};
    sm_spawn_environment(&ours);
    for (size_t i = 0; i < ours.n; i++) {
        ours.items[i][strcspn(ours.items[i], "=")] = 0;
        unsetenv(ours.items[i]);
    }
    sm_list_free(&ours);
    for (size_t at = 0; at < stored->size; at += strlen(stored->data + at) + 1)
        putenv(sm_copy_text(stored->data + at));
}

static bool restore_input(const struct sm_buffer *stored, struct sm_error *error)
{
    int fd = sm_input_from(stored, error);
    if (fd < 0)
        return false;
    dup2(fd, STDIN_FILENO);
    close(fd);
    return true;
}

/* ---- the command ---- */

static bool prepare(struct sm_settings *settings, struct sm_settings *merge,
                    const struct sm_gathered *gathered, size_t command, struct sm_error *error)
{
    const struct sm_shard_plan *plan = &gathered->plan;
    if (!sm_settings_parse_plan(settings, commands[command].command, plan->options, error) ||
        !sm_split_words(plan->target, &settings->operands))
        return false;
    settings->gathered = gathered;
    settings->json = sm_copy_text(merge->json);
    settings->out = sm_copy_text(merge->out ? merge->out : SM_OUT_DEFAULT);
    settings->jobs = merge->jobs;
    settings->time = merge->time;
    settings->quiet = merge->quiet;
    settings->verbose = merge->verbose;
    settings->color = merge->color;
    restore_environment(&plan->environment);
    return restore_input(&plan->input, error);
}

static int conclude(struct sm_settings *merge, const struct sm_gathered *gathered)
{
    struct sm_settings settings = {0};
    struct sm_error error = {0};
    const char *command = gathered->plan.command ? gathered->plan.command : "";
    size_t i = 0;
    while (i < N_DIVIDED && strcmp(sm_shard_command(commands[i].command), command) != 0)
        i++;
    if (i == N_DIVIDED)
        sm_fail(&error, SM_STATUS_USAGE, "merge: shards of an unknown command '%s'", command);
    else if (prepare(&settings, merge, gathered, i, &error))
        return commands[i].conclude(&settings);
    sm_settings_free(&settings);
    return sm_error_print(&error);
}

static bool gather(struct sm_gathered *gathered, const struct sm_settings *settings,
                   struct sm_error *error)
{
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "merge: no directory given; type: stalemate merge --out DIR DIR...");
    struct sm_store *store = sm_store_open(out, error);
    bool ok = store && sm_gather(gathered, store, out, &settings->operands, error);
    sm_store_close(store);
    for (size_t i = 0; ok && i < gathered->merged.damaged.n; i++)
        fprintf(stderr, "stalemate: merge: %s\n", gathered->merged.damaged.items[i]);
    return ok;
}

static int merge(struct sm_settings *settings)
{
    struct sm_gathered gathered = {0};
    struct sm_error error = {0};
    int status = gather(&gathered, settings, &error) ? conclude(settings, &gathered)
                                                     : sm_error_print(&error);
    sm_gathered_free(&gathered);
    return status;
}

int sm_merge_main(int argc, char **argv)
{
    (void)argc;
    struct sm_settings settings = {0};
    struct sm_error error = {0};
    int status = SM_STATUS_OK;
    if (!sm_settings_parse(&settings, SM_COMMAND_MERGE, false, argv, &error))
        status = sm_error_print(&error);
    else if (settings.help)
        sm_command_help("merge", SM_COMMAND_MERGE);
    else
        status = merge(&settings);
    sm_settings_free(&settings);
    return status;
}
