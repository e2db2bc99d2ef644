#include "commands/on/on.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "campaign/campaign.h"
#include "commands/on/tasks.h"

enum { DEFAULT_TASKS = 16 };

static bool prepare(struct sm_on *on)
{
    return sm_on_make_directory(on, "") && sm_on_agree(on) && sm_on_keep_input(on) &&
           sm_on_make_directory(on, "status") && sm_on_make_directory(on, "log") &&
           sm_on_write_task(on) && sm_on_write_job(on) && sm_on_prepare_copies(on);
}

static void name_lost(struct sm_on *on)
{
    size_t over = sm_on_count_over(on);
    if (over == on->n || sm_on_is_verify(on))
        return;
    fprintf(stderr, "stalemate: %s: %zu of %zu tasks did not end:", on->word, on->n - over, on->n);
    for (size_t i = 0; i < on->n; i++)
        if (!on->tasks[i].over)
            fprintf(stderr, " %zu", i + 1);
    fprintf(stderr, "; what they printed is in %s/log; the same command tries them again\n",
            on->base);
}

static void add_common(const struct sm_on *on, struct sm_list *words)
{
    const struct sm_settings *settings = on->settings;
    sm_list_add(words, "--out");
    sm_list_add(words, settings->out ? settings->out : SM_OUT_DEFAULT);
    if (settings->json) {
        sm_list_add(words, "--json");
        sm_list_add(words, settings->json);
    }
    if (settings->quiet)
        sm_list_add(words, "--quiet");
}

static bool add_shards(struct sm_on *on, struct sm_list *words)
{
    size_t before = words->n;
    for (size_t i = 1; i <= on->n; i++) {
        char *path = sm_print("%s/shard-%zu/stalemate.db", on->base, i);
        bool there = access(path, F_OK) == 0;
        *strrchr(path, '/') = 0;
        if (there)
            sm_list_add(words, path);
        free(path);
    }
    return words->n > before ||
           sm_fail(&on->error, SM_STATUS_TARGET,
                   "%s: no task has left a result; what they printed is in %s/log", on->word,
                   on->base);
}

static bool add_verify(const struct sm_on *on, struct sm_list *words)
{
    struct sm_buffer text = {0};
    sm_on_add_command(on, &text);
    sm_buffer_text(&text, " --jobs 1 --parcels ");
    sm_on_add_path(on, &text, "parcels");
    bool ok = sm_split_words(text.data, words);
    sm_buffer_free(&text);
    return ok;
}

/* Replaces this process by the command that has the result. */
static void conclude(struct sm_on *on)
{
    struct sm_list words = {0};
    bool ok = true;
    if (sm_on_is_verify(on)) {
        add_verify(on, &words);
        add_common(on, &words);
        sm_list_add(&words, "--");
        for (size_t i = 0; i < on->settings->operands.n; i++)
            sm_list_add(&words, on->settings->operands.items[i]);
    } else {
        sm_list_add(&words, on->self);
        sm_list_add(&words, "merge");
        add_common(on, &words);
        ok = add_shards(on, &words);
    }
    fflush(NULL);
    unsetenv(SM_OPTIONS_ENV); /* its options are in the plan */
    if (ok && execv(on->self, words.items) != 0)
        sm_fail(&on->error, SM_STATUS_INTERNAL, "cannot run %s: %s", on->self, strerror(errno));
    sm_list_free(&words);
}

static bool run(struct sm_on *on)
{
    switch ((enum sm_on_id)on->settings->on) {
    case SM_ON_SLURM:
        return on->settings->copy ? sm_on_by_srun(on) : sm_on_by_slurm(on);
    case SM_ON_PARALLEL:
        return sm_on_by_parallel(on);
    default:
        return sm_on_print_script(on);
    }
}

int sm_on(const struct sm_settings *settings, enum sm_command_bit command, const char *word)
{
    struct sm_on on = {.settings = settings,
                       .command = command,
                       .word = word,
                       .n = settings->tasks ? settings->tasks : DEFAULT_TASKS};
    bool script = settings->on == SM_ON_SCRIPT;
    on.tasks = sm_new(on.n * sizeof *on.tasks);
    sm_interrupt_catch();
    bool ok = settings->operands.n ||
              sm_fail(&on.error, SM_STATUS_USAGE,
                      "%s: no program given; type: stalemate %s --on slurm -- PROGRAM ARGS...",
                      word, word);
    ok = ok && sm_on_locate(&on) && (script || prepare(&on)) && run(&on);
    if (ok && !script) {
        name_lost(&on);
        conclude(&on);
        ok = false;
    }
    int status = ok || !on.error.status ? SM_STATUS_OK : sm_error_print(&on.error);
    free(on.tasks);
    sm_list_free(&on.jobs);
    sm_list_free(&on.excluded);
    sm_interrupt_finish();
    return status;
}
