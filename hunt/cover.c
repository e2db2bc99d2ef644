#include "hunt/cover.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/words.h"
#include "findings/verify.h"
#include "target/capture.h"
#include "target/oracle.h"

/* ---- running verify ---- */

static void add_number(struct sm_list *arguments, const char *option, double number)
{
    char *text = sm_print("%.17g", number);
    sm_list_add(arguments, option);
    sm_list_add(arguments, text);
    free(text);
}

static double time_left(const struct sm_hunt *hunt)
{
    double left = hunt->settings->time - sm_campaign_seconds(&hunt->campaign);
    return left > 0.01 ? left : 0.01;
}

static void list_arguments(struct sm_list *arguments, const struct sm_hunt *hunt, uint64_t model)
{
    const struct sm_settings *settings = hunt->settings;
    char *out = sm_print("%s/prove", settings->out ? settings->out : SM_OUT_DEFAULT);
    const char *const fixed[] = {"stalemate",  "verify",
                                 "--quiet",    "--first",
                                 "--json",     "-",
                                 "--model",    sm_model_words[model],
                                 "--volatile", sm_volatile_words[settings->options.volatile_as],
                                 "--out",      out};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        sm_list_add(arguments, fixed[i]);
    add_number(arguments, "--expect-exit", hunt->baseline.exit_status);
    add_number(arguments, "--bound", (double)settings->options.bound);
    if (settings->time > 0)
        add_number(arguments, "--time", time_left(hunt));
    if (settings->no_prescient && model >= SM_MODEL_HB)
        sm_list_add(arguments, "--no-prescient");
    sm_list_add(arguments, "--");
    for (size_t i = 0; i < settings->operands.n; i++)
        sm_list_add(arguments, settings->operands.items[i]);
    free(out);
}

static _Noreturn void become_verify(const struct sm_list *arguments, int input, int output)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    int own = open(path, O_RDONLY); /* with an offset of its own */
    if (own < 0 || dup2(own, 0) < 0 || dup2(output, 1) < 0)
        _exit(SM_STATUS_INTERNAL);
    execv("/proc/self/exe", arguments->items);
    _exit(SM_STATUS_INTERNAL);
}

/* False if there is no result. */
static bool run_verify(const struct sm_hunt *hunt, uint64_t model, struct sm_verify_report *report)
{
    struct sm_list arguments = {0};
    struct sm_capture output;
    struct sm_buffer text = {0};
    struct sm_error error = {0};
    int status = 0;
    if (!sm_capture_open(&output, "verify", -1, &error))
        return false;
    list_arguments(&arguments, hunt, model);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_verify(&arguments, hunt->campaign.workers[0].input, output.fd);
    if (pid > 0)
        waitpid(pid, &status, 0);
    sm_capture_read(&output, &text);
    bool ok = text.data && sm_verify_json_parse(text.data, report);
    sm_buffer_free(&text);
    sm_capture_close(&output);
    sm_list_free(&arguments);
    return ok;
}

/* ---- what it found ---- */

static bool has_output(const struct sm_verify_report *report, const char *output)
{
    for (size_t i = 0; i < report->n_outcomes; i++)
        if (strcmp(report->outcomes[i].output, output) == 0)
            return true;
    return false;
}

static bool oracle_accepts(const struct sm_hunt *hunt, const char *output)
{
    const char *command = hunt->settings->oracle;
    double deadline = hunt->campaign.workers[0].limits.deadline;
    struct sm_capture capture;
    struct sm_error error = {0};
    int status = 1;
    if (!sm_capture_open(&capture, "output", -1, &error))
        return false;
    size_t length = strlen(output);
    bool ok = write(capture.fd, output, length) == (ssize_t)length &&
              sm_oracle_ask(command, &capture, deadline, &status, &error);
    sm_capture_close(&capture);
    return ok && status == 0;
}

/* A wrong output of the weak model; NULL: all are right. Without an oracle an output is right if
   executions under sc have it, or if those do not agree among themselves (docs/verdicts.md). */
static const char *wrong_output(const struct sm_hunt *hunt, const struct sm_verify_report *weak,
                                const struct sm_verify_report *sc)
{
    const char *oracle = hunt->settings->oracle;
    if (!oracle && sc->n_outcomes > 1)
        return NULL;
    for (size_t i = 0; i < weak->n_outcomes; i++) {
        const char *output = weak->outcomes[i].output;
        if (oracle ? !oracle_accepts(hunt, output) : !has_output(sc, output))
            return output;
    }
    return NULL;
}

/* NULL: every execution was explored, and none fails. */
static char *why_not(const struct sm_hunt *hunt, uint64_t model, struct sm_verify_report *report)
{
    const char *word = sm_model_words[model];
    if (!run_verify(hunt, model, report))
        return sm_print("verify cannot explore this program under %s; it says why when it is "
                        "run by itself: stalemate verify --model %s -- PROGRAM",
                        word, word);
    if (report->n_violations)
        return sm_print("verify found an execution that fails under %s: %s; see it with: "
                        "stalemate replay %s",
                        word, report->violations[0].failure.detail, report->violations[0].witness);
    if (!report->complete)
        return sm_print("verify was cut under %s before it had seen every execution", word);
    if (!report->executions)
        return sm_print("verify made no execution under %s: every one is blocked", word);
    return NULL;
}

char *sm_cover(const struct sm_hunt *hunt, bool *proved)
{
    struct sm_verify_report weak = {0}, sc = {0};
    uint64_t asked = hunt->settings->options.model;
    uint64_t model = asked < SM_MODEL_HB ? SM_MODEL_HB : asked;
    char *why = why_not(hunt, model, &weak);
    if (!why && !hunt->settings->oracle)
        why = why_not(hunt, SM_MODEL_SC, &sc);
    const char *wrong = why ? NULL : wrong_output(hunt, &weak, &sc);
    if (wrong)
        why = sm_print("verify found an output under %s that is not right: %.*s",
                       sm_model_words[model], (int)strcspn(wrong, "\n"), wrong);
    *proved = !why;
    if (!why)
        why = sm_print("verify covered every execution under %s: %lu, none fails",
                       sm_model_words[model], (unsigned long)weak.executions);
    sm_verify_report_free(&weak);
    sm_verify_report_free(&sc);
    return why;
}
