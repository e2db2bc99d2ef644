/* `stalemate check WITNESS`: checks the records of a witness, and prints the verdict as text or
   JSON. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/options.h"
#include "base/status.h"
#include "base/words.h"
#include "base/write.h"
#include "checker/check.h"
#include "commands/commands.h"
#include "target/initial.h"
#include "witness/witness.h"

struct check {
    struct sm_settings settings;
    const char *file;
    struct sm_witness witness;
    struct sm_initial_memory memory;
    struct sm_verdict verdict;
    double seconds;
};

static bool read_witness(struct check *c, struct sm_error *error)
{
    char why[SM_WHY_SIZE];
    if (c->settings.operands.n != 1)
        return sm_fail(error, SM_STATUS_USAGE, "check: %s; type: stalemate check [OPTIONS] WITNESS",
                       c->settings.operands.n ? "one witness at a time" : "no witness given");
    c->file = c->settings.operands.items[0];
    if (!sm_witness_read(c->file, &c->witness, why) || !sm_witness_is_whole(&c->witness, why))
        return sm_fail(error, SM_STATUS_USAGE, "cannot read the witness %s: %s", c->file, why);
    if (c->witness.records_lost)
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s lacks %lu events, for which there was no room when it was recorded; "
                       "record a shorter execution, for instance with --steps",
                       c->file, (unsigned long)c->witness.records_lost);
    return true;
}

static void place(void *context, uint32_t site, char *to, size_t size)
{
    const struct check *c = context;
    const struct sm_site_row *row = sm_sites_find(&c->witness.sites, site);
    if (row)
        (void)snprintf(to, size, "%s at %s:%u:%u in %s", row->variable, row->file, row->line,
                       row->column, row->function);
    else
        (void)snprintf(to, size, "site %u", site);
}

static void judge(struct check *c)
{
    struct timespec start, end;
    struct sm_check_options options = sm_check_options_of(&c->witness);
    options.place = place;
    options.context = c;
    sm_initial_open(&c->memory, &c->witness);
    options.begins = sm_initial_begins;
    options.memory = &c->memory;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    sm_check_records(c->witness.records, c->witness.n_records, &options, &c->verdict);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    sm_initial_close(&c->memory);
    c->seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
}

/* The recorder found that a value depends on itself, and there is a path by which it may: in the
   trace, or through accesses that were not watched. */
static bool is_circular(const struct check *c)
{
    return c->verdict.legal && c->witness.circular &&
           (c->verdict.may_be_circular || c->witness.watch_mode != SM_WATCH_ALL);
}

/* A witness of verify may claim hb without certificates (docs/memory-models.md): what hb requires
   beyond oota is not decided. */
static bool is_undecided(const struct check *c)
{
    struct sm_check_options options = sm_check_options_of(&c->witness);
    return c->verdict.legal && c->verdict.may_be_circular && options.model == SM_MODEL_HB &&
           !options.certified;
}

/* ---- JSON ---- */

/* File names need not be UTF-8; JSON must. */
static json_t *text(const char *string)
{
    json_t *json = json_string(string);
    if (json)
        return json;
    char clean[sizeof((struct sm_verdict *)0)->why];
    (void)snprintf(clean, sizeof clean, "%s", string);
    for (char *c = clean; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(clean);
}

static json_t *target_json(const struct sm_list *arguments)
{
    json_t *array = json_array();
    for (size_t i = 0; i < arguments->n; i++)
        json_array_append_new(array, text(arguments->items[i]));
    return array;
}

static json_t *broken_json(const struct sm_verdict *verdict)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < verdict->n_events; i++)
        json_array_append_new(array, json_integer((json_int_t)verdict->events[i]));
    return array;
}

static json_t *check_json(const struct check *c)
{
    const struct sm_verdict *verdict = &c->verdict;
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:b, s:b, s:I, s:b, s:s, s:I, s:o, s:o, s:o}", "tool",
        "stalemate", "version", SM_VERSION, "command", "check", "target",
        target_json(&c->witness.arguments), "seconds", c->seconds, "legal", verdict->legal,
        "circular", is_circular(c), "certificates", (json_int_t)verdict->n_certified, "undecided",
        is_undecided(c), "model", sm_model_words[c->witness.options.model], "events",
        (json_int_t)c->witness.events, "why", verdict->legal ? json_null() : text(verdict->why),
        "axiom", verdict->legal ? json_null() : text(verdict->axiom), "broken_by",
        broken_json(verdict));
}

static bool write_json(const struct check *c, struct sm_error *error)
{
    struct sm_buffer text = {0};
    json_t *json = check_json(c);
    char *dump = json_dumps(json, JSON_INDENT(2));
    sm_buffer_print(&text, "%s\n", dump ? dump : "null");
    bool ok = sm_write_text(&text, c->settings.json, error);
    sm_buffer_free(&text);
    free(dump);
    json_decref(json);
    return ok;
}

/* ---- words ---- */

static bool json_takes_stdout(const struct check *c)
{
    return c->settings.json && strcmp(c->settings.json, "-") == 0;
}

static void print_trust(const struct check *c)
{
    if (c->memory.unchecked)
        printf("; %lu initial values not compared: %s is another build, or gone",
               (unsigned long)c->memory.unchecked, c->witness.program);
}

static void print_futures(const struct check *c)
{
    if (c->verdict.n_certified)
        printf("; future values certified: %u", c->verdict.n_certified);
    if (is_circular(c))
        printf("; a value from the future is not certified");
    if (is_undecided(c))
        printf("; future values have no certificates, so this was decided as in oota");
}

static void print(const struct check *c)
{
    const char *model = sm_model_words[c->witness.options.model];
    if (c->verdict.legal) {
        printf("%s: legal in %s, %lu events", c->file, model, (unsigned long)c->witness.events);
        print_futures(c);
        print_trust(c);
        printf("\n");
    } else {
        printf("%s: illegal in %s: %s\n", c->file, model, c->verdict.why);
    }
}

static bool check(struct check *c, struct sm_error *error)
{
    if (!read_witness(c, error))
        return false;
    judge(c);
    if (c->settings.json && !write_json(c, error))
        return false;
    if (!c->settings.quiet && !json_takes_stdout(c))
        print(c);
    return true;
}

int sm_check_main(int argc, char **argv)
{
    (void)argc;
    struct check c = {0};
    struct sm_error error = {0};
    int status = SM_STATUS_OK;
    if (!sm_settings_parse(&c.settings, SM_COMMAND_CHECK, false, argv, &error))
        status = sm_error_print(&error);
    else if (c.settings.help)
        sm_command_help("check", SM_COMMAND_CHECK);
    else if (!check(&c, &error))
        status = sm_error_print(&error);
    else
        status = c.verdict.legal ? SM_STATUS_OK : SM_STATUS_FOUND;
    sm_witness_free(&c.witness);
    sm_settings_free(&c.settings);
    return status;
}
