/* detect.c - `stalemate detect`: data races, over one or many executions. */
#include "commands/detect.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/detect.h"
#include "base/find.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "base/words.h"
#include "campaign/shards.h"
#include "campaign/store.h"
#include "commands/commands.h"
#include "commands/on/on.h"
#include "findings/json.h"
#include "findings/parse.h"
#include "target/image.h"

double sm_detect_seconds(const struct sm_detect *detect)
{
    return sm_now() - detect->started;
}

void sm_detect_add(struct sm_detect *detect, struct sm_data_race *race)
{
    if (!sm_suppressions_match(&detect->suppressions, race)) {
        sm_races_found_add(&detect->races, race);
        return;
    }
    detect->suppressed++;
    sm_data_race_free(race);
}

static void add_failure(struct sm_detect *detect, struct sm_detect_failure failure)
{
    detect->failures =
        sm_resize(detect->failures, (detect->n_failures + 1) * sizeof *detect->failures);
    detect->failures[detect->n_failures++] = failure;
}

void sm_detect_exited(struct sm_detect_exits *exits, int status)
{
    exits->differ |= exits->n++ && exits->status != status;
    exits->status = status;
}

void sm_detect_note_exits(struct sm_detect *detect, const struct sm_detect_exits *exits)
{
    if (!exits->n)
        return;
    char *which = exits->differ ? sm_copy_text("") : sm_print(", %d", exits->status);
    char *note = sm_print("%lu of the executions ended with a status other than 0%s",
                          (unsigned long)exits->n, which);
    sm_list_add(&detect->notes, note);
    free(note);
    free(which);
}

void sm_detect_failed(struct sm_detect *detect, enum sm_failure_kind kind, char *how)
{
    for (size_t i = 0; i < detect->n_failures; i++)
        if (!detect->failures[i].told && detect->failures[i].kind == sm_failure_words[kind] &&
            strcmp(detect->failures[i].how, how) == 0) {
            detect->failures[i].count++;
            free(how);
            return;
        }
    add_failure(detect,
                (struct sm_detect_failure){.how = how, .kind = sm_failure_words[kind], .count = 1});
}

/* Offsets in blocks differ between executions. */
static bool is_same_detail(const struct sm_detect_failure *failure, const char *detail)
{
    return sm_harm_is_raced(sm_failure_of_word(failure->kind)) || strcmp(failure->how, detail) == 0;
}

static bool is_same(const struct sm_detect_failure *failure, const char *kind, const char *detail,
                    const json_t *told)
{
    return failure->told && strcmp(failure->kind, kind) == 0 && is_same_detail(failure, detail) &&
           json_equal(json_object_get(failure->told, "place"), json_object_get(told, "place"));
}

/* A possible deadlock counts as a failure: see native/report.c. */
static bool is_warning(const char *word)
{
    int kind = sm_failure_of_word(word);
    return sm_failure_severities[kind] == SM_SEVERITY_WARNING && kind != SM_FAILURE_LOCK_ORDER;
}

static bool is_suppressed(struct sm_detect *detect, const json_t *told)
{
    struct sm_harm_report report = sm_parse_harm(told);
    bool suppressed = sm_suppressions_harm(&detect->suppressions, &report);
    sm_harm_report_free(&report);
    return suppressed;
}

void sm_detect_harm(struct sm_detect *detect, const json_t *told)
{
    const char *kind = sm_parse_string(told, "kind"), *detail = sm_parse_string(told, "detail");
    if (!kind || !detail)
        return;
    for (size_t i = 0; i < detect->n_failures; i++)
        if (is_same(&detect->failures[i], kind, detail, told)) {
            detect->failures[i].count++;
            return;
        }
    if (is_suppressed(detect, told)) {
        detect->suppressed++;
        return;
    }
    json_t *kept = json_deep_copy(told);
    add_failure(detect, (struct sm_detect_failure){.how = sm_copy_text(detail),
                                                   .kind = sm_parse_string(kept, "kind"),
                                                   .count = 1,
                                                   .told = kept,
                                                   .warning = is_warning(kind)});
}

/* ---- showing ---- */

static void print(struct sm_sink *sink, const char *format, va_list arguments)
{
    (void)sink;
    vfprintf(stderr, format, arguments);
}

static void show_race(const struct sm_data_race *race)
{
    struct sm_sink sink = {print};
    char heading[40];
    snprintf(heading, sizeof heading, "race %lu: ", (unsigned long)race->id);
    sm_race_print_text(race, heading, &sink);
}

static void show_told(const struct sm_detect_failure *failure)
{
    struct sm_sink sink = {print};
    struct sm_harm_report report = sm_parse_harm(failure->told);
    sm_harm_print_text(&report, failure->warning ? "warning: " : "failure: ", &sink);
    sm_harm_report_free(&report);
}

static void show_failure(const struct sm_detect *detect, const struct sm_detect_failure *failure)
{
    if (failure->told)
        show_told(failure);
    else
        fprintf(stderr, "failure: %s: %s, in %lu of %lu executions\n", failure->kind, failure->how,
                (unsigned long)failure->count, (unsigned long)detect->executions);
}

static void show_text(const struct sm_detect *detect)
{
    size_t n = detect->races.n;
    for (size_t i = 0; i < n; i++)
        show_race(&detect->races.items[i]);
    for (size_t i = 0; i < detect->n_failures; i++)
        show_failure(detect, &detect->failures[i]);
    for (size_t i = 0; i < detect->notes.n; i++)
        fprintf(stderr, "note: %s\n", detect->notes.items[i]);
    sm_suppressions_show_unused(&detect->suppressions);
    fprintf(stderr, "%zu data race%s in %lu execution%s", n, n == 1 ? "" : "s",
            (unsigned long)detect->executions, detect->executions == 1 ? "" : "s");
    if (detect->suppressed)
        fprintf(stderr, ", %lu suppressed", (unsigned long)detect->suppressed);
    fprintf(stderr, "\n");
    if (detect->settings.gathered)
        sm_merged_text(&detect->settings.gathered->merged, stderr);
    if (detect->settings.gathered && detect->cut)
        fprintf(stderr, "not complete: executions of shards are missing\n");
}

static json_t *races_json(const struct sm_races_found *races)
{
    json_t *array = json_array();
    for (size_t i = 0; i < races->n; i++)
        json_array_append_new(array, sm_json_race(&races->items[i]));
    return array;
}

static json_t *failure_json(const struct sm_detect_failure *failure)
{
    json_t *json = failure->told ? json_deep_copy(failure->told)
                                 : json_pack("{s:s, s:o, s:n}", "kind", failure->kind, "detail",
                                             sm_json_text(failure->how), "place");
    json_object_set_new(json, "count", json_integer((json_int_t)failure->count));
    return json;
}

static json_t *failures_json(const struct sm_detect *detect, bool warnings)
{
    json_t *array = json_array();
    for (size_t i = 0; i < detect->n_failures; i++)
        if (detect->failures[i].warning == warnings)
            json_array_append_new(array, failure_json(&detect->failures[i]));
    return array;
}

static json_t *result_json(const struct sm_detect *detect, double seconds)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:o, s:f, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:b}", "tool",
                  "stalemate", "version", SM_VERSION, "command", "detect", "target",
                  sm_json_target(detect->settings.operands.items), "seconds", seconds, "executions",
                  (json_int_t)detect->executions, "suppressed", (json_int_t)detect->suppressed,
                  "suppressions", sm_suppressions_json(&detect->suppressions), "races",
                  races_json(&detect->races), "notes", sm_json_lines(&detect->notes), "failures",
                  failures_json(detect, false), "warnings", failures_json(detect, true), "complete",
                  (int)!detect->cut);
    if (detect->settings.gathered)
        json_object_set_new(json, "shards", sm_json_merged(&detect->settings.gathered->merged));
    return json;
}

static bool keep_result(const struct sm_detect *detect, double seconds, struct sm_error *error)
{
    json_t *json = result_json(detect, seconds);
    char *text = json_dumps(json, JSON_COMPACT);
    bool ok = (!detect->settings.json || sm_json_write(json, detect->settings.json, error)) &&
              sm_store_result(&detect->settings, "detect", text, error);
    free(text);
    json_decref(json);
    return ok;
}

/* ---- the command ---- */

/* A string of the dynamic section shows which runtime the program was linked with. */
static bool has_library(const char *path)
{
    bool found = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
    void *bytes = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (bytes != MAP_FAILED) {
        found = memmem(bytes, (size_t)size, SM_DETECT_LIBRARY, sizeof SM_DETECT_LIBRARY);
        munmap(bytes, (size_t)size);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

static bool find_program(struct sm_detect *detect, struct sm_error *error)
{
    const struct sm_list *operands = &detect->settings.operands;
    if (operands->n)
        return sm_find_program(operands->items[0], detect->path, error);
    return sm_fail(error, SM_STATUS_USAGE,
                   "detect: no program given; type: stalemate detect [OPTIONS] -- PROGRAM "
                   "ARGS...");
}

/* "Nothing found" means something only if something was checked. */
static bool check_executed(const struct sm_detect *detect, struct sm_error *error)
{
    if (!detect->executions && !sm_interrupt_signal())
        return sm_fail(error, SM_STATUS_TARGET,
                       "the time was over before one execution was complete; give it more with "
                       "--time SECONDS");
    return detect->sites || detect->n_failures ||
           sm_fail(error, SM_STATUS_USAGE,
                   "%s: nothing in it is instrumented, so no race can be found; compile its files, "
                   "too, with: stalemate cc --detect -g -c",
                   detect->path);
}

static bool execute(struct sm_detect *detect, struct sm_error *error)
{
    const struct sm_settings *settings = &detect->settings;
    bool divided = settings->shard.of || settings->gathered, native = has_library(detect->path);
    if (native && settings->assume_fix)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--assume-fix: %s was built with --detect, and its accesses are the "
                       "processor's own; build it without --detect",
                       detect->path);
    struct sm_store *store =
        divided ? sm_store_open(settings->out ? settings->out : SM_OUT_DEFAULT, error) : NULL;
    bool ok = (!divided || store) &&
              (native ? sm_detect_native : sm_detect_controlled)(detect, store, error);
    sm_store_close(store);
    return ok;
}

static bool run_command(struct sm_detect *detect, struct sm_error *error)
{
    detect->started = sm_now();
    sm_interrupt_catch();
    if (!find_program(detect, error) ||
        !sm_suppressions_read(&detect->suppressions, detect->settings.suppressions, error) ||
        !execute(detect, error))
        return false;
    if (detect->settings.shard.of)
        return check_executed(detect, error);
    const struct sm_gathered *gathered = detect->settings.gathered;
    double seconds = gathered ? gathered->seconds : sm_detect_seconds(detect);
    detect->cut |= gathered && !sm_gathered_complete(gathered);
    if (!detect->settings.quiet)
        show_text(detect);
    return keep_result(detect, seconds, error) && check_executed(detect, error);
}

static bool fails(const struct sm_detect *detect)
{
    for (size_t i = 0; i < detect->n_failures; i++)
        if (!detect->failures[i].warning)
            return true;
    return false;
}

static int finish(struct sm_detect *detect, bool ok, struct sm_error *error)
{
    if (ok && !detect->settings.help)
        ok = run_command(detect, error);
    bool found = (detect->races.n || fails(detect)) && !detect->settings.shard.of;
    int status = !ok ? sm_error_print(error) : found ? SM_STATUS_FOUND : SM_STATUS_OK;
    sm_races_found_free(&detect->races);
    sm_list_free(&detect->notes);
    for (size_t i = 0; i < detect->n_failures; i++) {
        free(detect->failures[i].how);
        json_decref(detect->failures[i].told);
    }
    free(detect->failures);
    sm_suppressions_free(&detect->suppressions);
    sm_settings_free(&detect->settings);
    sm_interrupt_finish();
    return status;
}

int sm_detect_gathered(struct sm_settings *settings)
{
    struct sm_detect detect = {.settings = *settings};
    struct sm_error error = {0};
    return finish(&detect, true, &error);
}

int sm_detect_main(int argc, char **argv)
{
    (void)argc;
    struct sm_detect detect = {0};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&detect.settings, SM_COMMAND_DETECT, true, argv, &error);
    if (ok && detect.settings.help)
        sm_command_help("detect", SM_COMMAND_DETECT);
    if (ok && !detect.settings.help && detect.settings.on) {
        int status = sm_on(&detect.settings, SM_COMMAND_DETECT, "detect");
        sm_settings_free(&detect.settings);
        return status;
    }
    return finish(&detect, ok, &error);
}
