/*
 * stalemate campaign: many tests, one budget.
 *
 * Each round of a test is a hunt (a process of its own) with seeds that were not used before, and
 * with twice the trials of the last. Which test is next, and which is saturated, is in
 * campaign/effort.h. Without --time the campaign ends when all are saturated; with it the time is
 * spent.
 *
 * The state after each round is in campaign.json in the --out directory, in the format of --json:
 * the next run reads it, and continues with the next round. A test whose program was rebuilt is not
 * saturated any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/find.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "campaign/effort.h"
#include "campaign/suite.h"
#include "commands/commands.h"
#include "findings/json.h"
#include "findings/parse.h"
#include "target/image.h"

enum {
    FIRST_TRIALS = 20, /* of a variable, in the first round of a test */
    MOST_DOUBLINGS = 6,
};
/* Distance between the seeds of one round and those of the next. */
#define SEEDS_APART 10000019ul

struct member {
    const struct sm_suite_test *test;
    char *directory; /* of its store, in --out */
    char build[SM_BUILD_ID_SIZE];
    struct sm_effort *effort; /* its entry in the efforts of struct night */
    uint64_t executions;
    json_t *findings; /* array */
    char *why;        /* why it could not be run; NULL: it could */
};

struct night {
    struct sm_settings settings;
    const char *out;
    double started;
    struct sm_suite suite;
    struct member *members;
    struct sm_effort *efforts; /* one for each member */
    json_t *baseline;          /* of --baseline, or NULL */
};

static double seconds_left(const struct night *night)
{
    return night->settings.time - (sm_now() - night->started);
}

static bool is_over(const struct night *night)
{
    return sm_interrupt_signal() || (night->settings.time > 0 && seconds_left(night) < 0.1);
}

/* ---- findings ---- */

static const json_t *find(const json_t *findings, const char *key)
{
    size_t i;
    const json_t *item;
    json_array_foreach(findings, i, item)
    {
        const char *known = sm_parse_string(item, "key");
        if (known && strcmp(known, key) == 0)
            return item;
    }
    return NULL;
}

/* True if it is new. */
static bool add_finding(struct member *member, const char *kind, const char *key,
                        const json_t *found)
{
    static const char *const keys[] = {"id",    "variable", "verdict", "model",  "exact",
                                       "place", "detail",   "failure", "witness"};
    if (find(member->findings, key))
        return false;
    json_t *json =
        json_pack("{s:s, s:o, s:s, s:I}", "kind", kind, "test", sm_json_text(member->test->name),
                  "key", key, "round", (json_int_t)member->effort->rounds);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_object_get(found, keys[i]))
            json_object_set(json, keys[i], json_object_get(found, keys[i]));
    json_array_append_new(member->findings, json);
    return true;
}

/* The same race with a worse verdict is another finding. */
static bool add_race(struct member *member, const json_t *race)
{
    const char *id = sm_parse_string(race, "id"), *verdict = sm_parse_string(race, "verdict");
    bool bad = verdict && strcmp(verdict, "destructive") == 0;
    char *key = sm_print("race %s%s", id ? id : "?", bad ? " destructive" : "");
    bool is_new = add_finding(member, bad ? "destructive" : "race", key, race);
    free(key);
    return is_new;
}

static bool add_failure(struct member *member, const json_t *failure)
{
    const json_t *place = json_object_get(failure, "place");
    const char *kind = sm_parse_string(failure, "kind"), *file = sm_parse_string(place, "file");
    const char *slash = file ? strrchr(file, '/') : NULL;
    char *key = sm_print("failure %s %s:%lu", kind ? kind : "?",
                         slash  ? slash + 1
                         : file ? file
                                : "",
                         (unsigned long)sm_parse_number(place, "line"));
    bool is_new = add_finding(member, "failure", key, failure);
    free(key);
    return is_new;
}

/* Every verdict of the round is verify's: there are races, and trials cannot change their
   verdicts. */
static bool is_exact(const json_t *hunt)
{
    size_t i;
    const json_t *race, *races = json_object_get(hunt, "races");
    json_array_foreach(races, i,
                       race) if (!json_is_true(json_object_get(race, "exact"))) return false;
    return json_array_size(races) > 0;
}

static void learn(struct member *member, const json_t *hunt)
{
    size_t i;
    const json_t *item;
    uint64_t findings = 0;
    json_array_foreach(json_object_get(hunt, "races"), i, item) findings += add_race(member, item);
    json_array_foreach(json_object_get(hunt, "failures"), i, item) findings +=
        add_failure(member, item);
    member->executions += sm_parse_number(hunt, "executions");
    sm_effort_round(member->effort, findings, is_exact(hunt));
}

/* ---- a round ---- */

static uint64_t trials_of(const struct night *night, uint64_t round)
{
    uint64_t first = night->settings.trials ? night->settings.trials : FIRST_TRIALS;
    return first << (round < MOST_DOUBLINGS ? round : MOST_DOUBLINGS);
}

/* Until all tests have had their first round, each gets an equal part of the remaining time. */
static double limit(const struct night *night)
{
    size_t waiting = 0;
    for (size_t i = 0; i < night->suite.n; i++)
        waiting += !night->efforts[i].last_seconds && !night->members[i].why;
    double left = seconds_left(night);
    return waiting ? left / (double)waiting : left;
}

static struct sm_list command_of(const struct night *night, const struct member *member,
                                 const char *json)
{
    struct sm_list words = {0};
    struct sm_buffer text = {0};
    struct sm_settings same = night->settings;
    same.trials = 0;
    same.baseline = NULL;
    sm_buffer_text(&text, "stalemate hunt --quiet");
    sm_settings_plan(&same, SM_COMMAND_CAMPAIGN, &text);
    sm_buffer_print(&text, " --seed %lu --trials %lu",
                    (unsigned long)(same.options.seed + member->effort->rounds * SEEDS_APART),
                    (unsigned long)trials_of(night, member->effort->rounds));
    if (same.jobs)
        sm_buffer_print(&text, " --jobs %lu", (unsigned long)same.jobs);
    if (same.time > 0)
        sm_buffer_print(&text, " --time %.3f", limit(night) > 0.1 ? limit(night) : 0.1);
    sm_split_words(text.data, &words);
    sm_buffer_free(&text);
    const char *more[] = {"--out", member->directory, "--json", json, "--"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        sm_list_add(&words, more[i]);
    for (size_t i = 0; i < member->test->command.n; i++)
        sm_list_add(&words, member->test->command.items[i]);
    return words;
}

/* In the child. */
static _Noreturn void become_hunt(const struct member *member, const struct sm_list *words,
                                  const char *log)
{
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (input < 0 || output < 0)
        _exit(SM_STATUS_USAGE);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    for (size_t i = 0; i < member->test->environment.n; i++)
        putenv(member->test->environment.items[i]);
    if (!member->test->directory || chdir(member->test->directory) == 0)
        execv("/proc/self/exe", words->items);
    dprintf(STDERR_FILENO, "stalemate: %s: %s\n", member->test->directory, strerror(errno));
    _exit(SM_STATUS_USAGE);
}

/* The last line of the log, without our own prefix. */
static char *last_line(const char *log)
{
    static const char prefix[] = "stalemate: ";
    char *line = NULL, *last = NULL;
    size_t room = 0;
    FILE *file = fopen(log, "re");
    while (file && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        free(last);
        last = sm_copy_text(strncmp(line, prefix, strlen(prefix)) ? line : line + strlen(prefix));
    }
    free(line);
    if (file)
        fclose(file);
    return last ? last : sm_copy_text("it said nothing");
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void take_round(struct member *member, const char *path, const char *log, int status)
{
    json_t *hunt = json_load_file(path, 0, NULL);
    if (hunt && status <= SM_STATUS_FOUND)
        learn(member, hunt);
    else if (!sm_interrupt_signal())
        member->why = last_line(log);
    member->effort->unable = member->why != NULL;
    json_decref(hunt);
}

static bool make_round(struct night *night, struct member *member, struct sm_error *error)
{
    char *json = sm_print("%s/round.json", member->directory);
    char *log = sm_print("%s/round.log", member->directory);
    struct sm_list words = command_of(night, member, json);
    double before = sm_now();
    unlink(json);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_hunt(member, &words, log);
    if (child > 0)
        take_round(member, json, log, wait_for(child));
    sm_effort_spend(member->effort, sm_now() - before);
    sm_list_free(&words);
    free(json);
    free(log);
    return child > 0 ||
           sm_fail(error, SM_STATUS_TARGET, "cannot start a process: %s", strerror(errno));
}

/* ---- the result ---- */

static bool is_news(const struct night *night, const struct member *member, const json_t *finding)
{
    size_t i;
    const json_t *test;
    json_array_foreach(json_object_get(night->baseline, "tests"), i, test)
    {
        const char *name = sm_parse_string(test, "name");
        if (name && strcmp(name, member->test->name) == 0)
            return !find(json_object_get(test, "findings"), sm_parse_string(finding, "key"));
    }
    return true;
}

static json_t *member_json(const struct night *night, const struct member *member)
{
    size_t i;
    json_t *finding;
    json_array_foreach(member->findings, i, finding)
        json_object_set_new(finding, "new", json_boolean(is_news(night, member, finding)));
    return json_pack(
        "{s:o, s:o, s:s, s:I, s:I, s:I, s:f, s:b, s:o, s:O}", "name",
        sm_json_text(member->test->name), "target", sm_json_target(member->test->command.items),
        "build", member->build, "rounds", (json_int_t)member->effort->rounds, "quiet",
        (json_int_t)member->effort->quiet, "executions", (json_int_t)member->executions, "seconds",
        member->effort->seconds, "saturated", (int)sm_effort_is_saturated(member->effort), "why",
        sm_json_text(member->why), "findings", member->findings);
}

static size_t count(const struct night *night, const char *kind, bool new_only)
{
    size_t n = 0, i;
    const json_t *finding;
    for (size_t k = 0; k < night->suite.n; k++)
        json_array_foreach(night->members[k].findings, i, finding) n +=
            strcmp(sm_parse_string(finding, "kind"), kind) == 0 &&
            (!new_only || is_news(night, &night->members[k], finding));
    return n;
}

static size_t count_unable(const struct night *night)
{
    size_t n = 0;
    for (size_t i = 0; i < night->suite.n; i++)
        n += night->members[i].why != NULL;
    return n;
}

static bool is_complete(const struct night *night)
{
    for (size_t i = 0; i < night->suite.n; i++)
        if (!sm_effort_is_saturated(&night->efforts[i]) && !night->members[i].why)
            return false;
    return true;
}

static json_t *night_json(const struct night *night)
{
    json_t *tests = json_array();
    for (size_t i = 0; i < night->suite.n; i++)
        json_array_append_new(tests, member_json(night, &night->members[i]));
    size_t news = count(night, "destructive", true) + count(night, "failure", true) +
                  count(night, "race", true);
    return json_pack("{s:s, s:s, s:s, s:o, s:f, s:o, s:{s:I, s:I, s:I, s:I, s:I, s:I}, s:b}",
                     "tool", "stalemate", "version", SM_VERSION, "command", "campaign", "target",
                     sm_json_target(night->settings.operands.items), "seconds",
                     sm_now() - night->started, "tests", tests, "summary", "tests",
                     (json_int_t)night->suite.n, "unable", (json_int_t)count_unable(night),
                     "destructive", (json_int_t)count(night, "destructive", false), "failures",
                     (json_int_t)count(night, "failure", false), "races",
                     (json_int_t)count(night, "race", false), "new", (json_int_t)news, "complete",
                     (int)is_complete(night));
}

/* Saves the state for the next run, atomically: we may be killed at any time. */
static bool save(const struct night *night, struct sm_error *error)
{
    char *path = sm_print("%s/campaign.json", night->out), *half = sm_print("%s.tmp", path);
    json_t *json = night_json(night);
    bool ok = sm_json_write(json, half, error) &&
              (rename(half, path) == 0 ||
               sm_fail(error, SM_STATUS_USAGE, "cannot write %s: %s", path, strerror(errno)));
    json_decref(json);
    free(half);
    free(path);
    return ok;
}

static void show_findings(const struct night *night, const struct member *member, FILE *to)
{
    size_t i;
    const json_t *finding;
    json_array_foreach(member->findings, i, finding)
    {
        const char *kind = sm_parse_string(finding, "kind");
        const char *variable = sm_parse_string(finding, "variable");
        const char *detail = sm_parse_string(finding, "detail");
        const char *witness = sm_parse_string(finding, "witness");
        if (strcmp(kind, "race") == 0)
            continue;
        fprintf(to, "%s: %s%s: %s\n", member->test->name,
                night->baseline && is_news(night, member, finding) ? "new: " : "", kind,
                variable ? variable
                : detail ? detail
                         : "");
        if (witness)
            fprintf(to, "  replay with: stalemate replay %s\n", witness);
    }
    if (member->why)
        fprintf(to, "%s: not run: %s\n", member->test->name, member->why);
}

static void show(const struct night *night)
{
    const struct sm_settings *settings = &night->settings;
    FILE *to = settings->json && strcmp(settings->json, "-") == 0 ? stderr : stdout;
    if (settings->quiet)
        return;
    for (size_t i = 0; i < night->suite.n; i++)
        show_findings(night, &night->members[i], to);
    fprintf(to, "\n%-30s %7s %11s %9s %9s\n", "test", "rounds", "executions", "seconds",
            "findings");
    for (size_t i = 0; i < night->suite.n; i++) {
        const struct member *member = &night->members[i];
        fprintf(to, "%-30s %7lu %11lu %9.1f %9zu%s\n", member->test->name,
                (unsigned long)member->effort->rounds, (unsigned long)member->executions,
                member->effort->seconds, json_array_size(member->findings),
                sm_effort_is_saturated(member->effort) ? "  saturated" : "");
    }
    fprintf(to, "%zu tests, %zu destructive races, %zu failures, %zu other races", night->suite.n,
            count(night, "destructive", false), count(night, "failure", false),
            count(night, "race", false));
    if (night->baseline)
        fprintf(to, "; new since the baseline: %zu, %zu, %zu", count(night, "destructive", true),
                count(night, "failure", true), count(night, "race", true));
    fprintf(to, "%s\n", is_complete(night) ? "" : "\nthe same command goes on from here");
}

/* ---- rounds ---- */

static struct member *choose(const struct night *night)
{
    size_t next = sm_effort_choose(night->efforts, night->suite.n, night->settings.time > 0);
    return next < night->suite.n ? &night->members[next] : NULL;
}

static bool spend(struct night *night, struct sm_error *error)
{
    struct member *member;
    while (!is_over(night) && (member = choose(night))) {
        if (!make_round(night, member, error) || !save(night, error))
            return false;
        if (!night->settings.quiet)
            fprintf(stderr, "%s: round %lu: %lu new, %zu in all, %.1f s\n", member->test->name,
                    (unsigned long)member->effort->rounds, (unsigned long)member->effort->last_new,
                    json_array_size(member->findings), member->effort->last_seconds);
    }
    return true;
}

/* ---- beginning ---- */

static char *directory_name(const char *out, const char *name)
{
    char *path = sm_print("%s/%s", out, name);
    for (char *c = path + strlen(out) + 1; *c; c++)
        if (*c == '/' || *c == ' ')
            *c = '_';
    return path;
}

static void identify(struct member *member)
{
    struct sm_error ignored;
    char path[PATH_MAX];
    if (sm_find_program(member->test->command.items[0], path, &ignored))
        sm_image_build_id(path, member->build);
}

static void remember(struct member *member, const json_t *test)
{
    const char *build = sm_parse_string(test, "build");
    json_t *findings = json_object_get(test, "findings");
    member->effort->rounds = sm_parse_number(test, "rounds");
    member->executions = sm_parse_number(test, "executions");
    member->effort->seconds = json_number_value(json_object_get(test, "seconds"));
    if (build && strcmp(build, member->build) == 0)
        member->effort->quiet = sm_parse_number(test, "quiet");
    if (json_is_array(findings)) {
        json_decref(member->findings);
        member->findings = json_incref(findings);
    }
}

static void resume(struct night *night)
{
    char *path = sm_print("%s/campaign.json", night->out);
    json_t *earlier = json_load_file(path, 0, NULL);
    size_t i;
    const json_t *test;
    for (size_t k = 0; k < night->suite.n; k++)
        json_array_foreach(json_object_get(earlier, "tests"), i, test)
        {
            const char *name = sm_parse_string(test, "name");
            if (name && strcmp(name, night->members[k].test->name) == 0)
                remember(&night->members[k], test);
        }
    json_decref(earlier);
    free(path);
}

static bool make_directory(const char *path, struct sm_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           sm_fail(error, SM_STATUS_USAGE,
                   "cannot make the directory %s: %s; another can be given with --out DIR", path,
                   strerror(errno));
}

static bool read_baseline(struct night *night, struct sm_error *error)
{
    const char *path = night->settings.baseline;
    json_error_t why;
    if (!path)
        return true;
    night->baseline = json_load_file(path, 0, &why);
    return json_is_array(json_object_get(night->baseline, "tests")) ||
           sm_fail(error, SM_STATUS_USAGE,
                   "the baseline %s is not the result of a campaign (%s); make one with: stalemate "
                   "campaign --json %s",
                   path, night->baseline ? "no tests in it" : why.text, path);
}

static bool open_night(struct night *night, struct sm_error *error)
{
    char *out = realpath(night->settings.out ? night->settings.out : SM_OUT_DEFAULT, NULL);
    night->started = sm_now();
    if (night->settings.operands.n != 1)
        return sm_fail(error, SM_STATUS_USAGE,
                       "campaign: one list of tests; type: stalemate campaign [OPTIONS] TESTS");
    if (!sm_suite_read(&night->suite, night->settings.operands.items[0], error) ||
        !read_baseline(night, error))
        return free(out), false;
    if (!out && make_directory(night->settings.out ? night->settings.out : SM_OUT_DEFAULT, error))
        out = realpath(night->settings.out ? night->settings.out : SM_OUT_DEFAULT, NULL);
    night->out = out; /* absolute: tests have directories of their own */
    night->members = sm_new((night->suite.n + 1) * sizeof *night->members);
    night->efforts = sm_new((night->suite.n + 1) * sizeof *night->efforts);
    for (size_t i = 0; out && i < night->suite.n; i++) {
        struct member *member = &night->members[i];
        *member = (struct member){
            .test = &night->suite.tests[i], .effort = &night->efforts[i], .findings = json_array()};
        member->directory = directory_name(out, member->test->name);
        identify(member);
        if (!make_directory(member->directory, error))
            return false;
    }
    if (out)
        resume(night);
    return out;
}

static void close_night(struct night *night)
{
    for (size_t i = 0; night->members && i < night->suite.n; i++) {
        json_decref(night->members[i].findings);
        free(night->members[i].directory);
        free(night->members[i].why);
    }
    free(night->members);
    free(night->efforts);
    sm_suite_free(&night->suite);
    json_decref(night->baseline);
    free((void *)night->out);
    sm_settings_free(&night->settings);
}

/* ---- the command ---- */

static bool run_night(struct night *night, struct sm_error *error)
{
    if (!open_night(night, error) || !spend(night, error))
        return false;
    show(night);
    json_t *json = night_json(night);
    bool ok = !night->settings.json || sm_json_write(json, night->settings.json, error);
    json_decref(json);
    return ok && (count_unable(night) < night->suite.n ||
                  sm_fail(error, SM_STATUS_TARGET, "campaign: no test could be run; the first: %s",
                          night->members[0].why));
}

static int status_of(const struct night *night)
{
    bool new_only = night->baseline;
    return count(night, "destructive", new_only) || count(night, "failure", new_only)
               ? SM_STATUS_FOUND
               : SM_STATUS_OK;
}

int sm_campaign_main(int argc, char **argv)
{
    (void)argc;
    struct night night = {0};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&night.settings, SM_COMMAND_CAMPAIGN, false, argv, &error);
    int status = SM_STATUS_OK;
    if (ok && night.settings.help) {
        sm_command_help("campaign", SM_COMMAND_CAMPAIGN);
    } else {
        sm_interrupt_catch();
        ok = ok && run_night(&night, &error);
        status = ok ? status_of(&night) : sm_error_print(&error);
    }
    close_night(&night);
    sm_interrupt_finish();
    return status;
}
