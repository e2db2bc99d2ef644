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
#include "campaign/store.h"
#include "commands/commands.h"
#include "findings/json.h"
#include "target/image.h"

double sm_detect_seconds(const struct sm_detect *detect)
{
    return sm_now() - detect->started;
}

/* ---- merging ---- */

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

static bool same_place(const json_t *a, const json_t *b)
{
    return same_text(a, b, "file") && same_text(a, b, "line") && same_text(a, b, "column");
}

static bool same_race(const json_t *a, const json_t *b)
{
    const json_t *first = json_object_get(a, "first"), *second = json_object_get(a, "second");
    const json_t *other_first = json_object_get(b, "first");
    const json_t *other_second = json_object_get(b, "second");
    return same_text(a, b, "variable") &&
           ((same_place(first, other_first) && same_place(second, other_second)) ||
            (same_place(first, other_second) && same_place(second, other_first)));
}

static void merge(struct sm_detect *detect, json_t *race, json_int_t count)
{
    size_t i;
    json_t *known;
    json_array_foreach(detect->races, i, known)
    {
        if (!same_race(known, race))
            continue;
        count += json_integer_value(json_object_get(known, "count"));
        json_object_set_new(known, "count", json_integer(count));
        return;
    }
    json_object_del(race, "finding");
    json_object_set_new(race, "id", json_integer((json_int_t)json_array_size(detect->races) + 1));
    json_object_set_new(race, "count", json_integer(count));
    json_array_append(detect->races, race);
}

void sm_detect_add(struct sm_detect *detect, json_t *race, json_int_t count)
{
    if (sm_suppressions_match(&detect->suppressions, race))
        detect->suppressed++;
    else
        merge(detect, race, count);
}

/* ---- showing ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void show_place(const json_t *place)
{
    fprintf(stderr, "      %s", text_of(place, "function"));
    if (number_of(place, "line"))
        fprintf(stderr, "  %s:%d:%d", text_of(place, "file"), number_of(place, "line"),
                number_of(place, "column"));
    fprintf(stderr, "\n");
}

static void show_stack(const json_t *stack)
{
    size_t i;
    json_t *frame;
    json_array_foreach(stack, i, frame) show_place(frame);
}

static void show_access(const json_t *access)
{
    size_t i;
    json_t *lock;
    fprintf(stderr, "    %s by thread %d", text_of(access, "kind"), number_of(access, "thread"));
    if (json_object_get(access, "value"))
        fprintf(stderr, ", value %s", text_of(access, "value"));
    fprintf(stderr, "\n");
    show_stack(json_object_get(access, "stack"));
    json_array_foreach(json_object_get(access, "locks"), i, lock)
    {
        const char *name = json_string_value(json_object_get(lock, "name"));
        fprintf(stderr, "    holding the lock %s%sat %s\n", name ? name : "", name ? " " : "",
                text_of(lock, "address"));
        show_stack(json_object_get(json_object_get(lock, "taken"), "stack"));
    }
    if (json_array_size(json_object_get(access, "created"))) {
        fprintf(stderr, "    thread %d was created at\n", number_of(access, "thread"));
        show_stack(json_object_get(access, "created"));
    }
}

/* "table[]" is one variable; the first element that was seen to race says more. */
static void show_variable(const json_t *race)
{
    const char *variable = text_of(race, "variable"), *brackets = strstr(variable, "[]");
    fprintf(stderr, "race %d: data race on ", number_of(race, "id"));
    if (brackets && json_object_get(race, "element"))
        fprintf(stderr, "%.*s[%d]%s", (int)(brackets - variable), variable,
                number_of(race, "element"), brackets + 2);
    else
        fputs(variable, stderr);
    fprintf(stderr, ", seen %d time%s\n", number_of(race, "count"),
            number_of(race, "count") == 1 ? "" : "s");
}

static void show_race(const json_t *race)
{
    const json_t *block = json_object_get(race, "block");
    show_variable(race);
    show_access(json_object_get(race, "second"));
    show_access(json_object_get(race, "first"));
    if (json_object_get(race, "memory"))
        fprintf(stderr, "    memory held %s when the race was found\n", text_of(race, "memory"));
    if (block)
        fprintf(stderr, "    in a heap block of %d bytes, %d from its start\n",
                number_of(block, "size"), number_of(block, "offset"));
    if (json_is_object(json_object_get(block, "allocated"))) {
        fprintf(stderr, "    which was allocated at\n");
        show_stack(json_object_get(json_object_get(block, "allocated"), "stack"));
    }
    if (json_object_get(race, "advice"))
        fprintf(stderr, "    advice: %s\n", text_of(race, "advice"));
}

static void show_text(const struct sm_detect *detect)
{
    size_t i, n = json_array_size(detect->races);
    json_t *item;
    json_array_foreach(detect->races, i, item) show_race(item);
    json_array_foreach(detect->notes, i, item)
        fprintf(stderr, "note: %s\n", json_string_value(item));
    sm_suppressions_show_unused(&detect->suppressions);
    fprintf(stderr, "%zu data race%s in %lu execution%s", n, n == 1 ? "" : "s",
            (unsigned long)detect->executions, detect->executions == 1 ? "" : "s");
    if (detect->suppressed)
        fprintf(stderr, ", %lu suppressed", (unsigned long)detect->suppressed);
    fprintf(stderr, "\n");
}

static json_t *result_json(const struct sm_detect *detect, double seconds)
{
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:I, s:I, s:o, s:O, s:O}", "tool", "stalemate", "version",
        SM_VERSION, "command", "detect", "target", sm_json_target(detect->settings.operands.items),
        "seconds", seconds, "executions", (json_int_t)detect->executions, "suppressed",
        (json_int_t)detect->suppressed, "suppressions", sm_suppressions_json(&detect->suppressions),
        "races", detect->races, "notes", detect->notes);
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

/* A string of the dynamic section says which runtime the program was linked with. */
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

static bool execute(struct sm_detect *detect, struct sm_error *error)
{
    return has_library(detect->path) ? sm_detect_native(detect, error)
                                     : sm_detect_controlled(detect, error);
}

static bool run_command(struct sm_detect *detect, struct sm_error *error)
{
    detect->started = sm_now();
    sm_interrupt_catch();
    if (!find_program(detect, error) ||
        !sm_suppressions_read(&detect->suppressions, detect->settings.suppressions, error) ||
        !execute(detect, error))
        return false;
    double seconds = sm_detect_seconds(detect);
    if (!detect->settings.quiet)
        show_text(detect);
    return keep_result(detect, seconds, error);
}

int sm_detect_main(int argc, char **argv)
{
    (void)argc;
    struct sm_detect detect = {.races = json_array(), .notes = json_array()};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&detect.settings, SM_COMMAND_DETECT, true, argv, &error);
    if (ok && detect.settings.help)
        sm_command_help("detect", SM_COMMAND_DETECT);
    else if (ok)
        ok = run_command(&detect, &error);
    int status = json_array_size(detect.races) ? SM_STATUS_FOUND : SM_STATUS_OK;
    if (!ok)
        status = sm_error_print(&error);
    json_decref(detect.races);
    json_decref(detect.notes);
    sm_suppressions_free(&detect.suppressions);
    sm_settings_free(&detect.settings);
    sm_interrupt_finish();
    return status;
}
