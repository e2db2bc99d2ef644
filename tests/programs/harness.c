/*
 * harness.c - runs one program under test, and says whether it did as it must.
 *
 *   program-harness program|determinism|legal STALEMATE SOURCE BINARY
 *
 * program: on both carriers, under each schedule and model, with a few seeds, each run ends
 * as the header of the source says (header.h); so does one run without `stalemate`.
 *
 * determinism: for each of 50 seeds, two runs have the same trace hash and the same end, and a
 * replay of the first one's witness reproduces it. The second run is on the other carrier for half
 * of the seeds, under each schedule.
 *
 * legal: whatever the program does under each of the six models, the checker calls it legal.
 *
 * A failure prints the command that failed, to be pasted, and leaves its files beside BINARY.
 */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "header.h"
#include "spawn.h"

static const char *const schedules[] = {"random", "pct", "pos", "rr", "hesitant"};
static const char *const carriers[] = {"fiber", "thread"};
enum { N_SCHEDULES = sizeof schedules / sizeof *schedules };
enum { PROGRAM_SEEDS = 3, DETERMINISM_SEEDS = 50, LEGAL_SEEDS = 2 };

struct test {
    const char *stalemate, *binary;
    struct header header;
    char input[4096], log[4096], json[4096], witness[4096];
    int hits; /* runs that ended as a `sometimes` header says */
};

struct settings {
    const char *carrier, *schedule, *model;
    int seed;
    bool record;
};

/* One run as its JSON tells it. */
struct result {
    int exit;      /* 0 when it did not exit */
    char kind[16]; /* of failure; empty when there was none */
    char detail[256];
    char hash[64];
    long long events;
};

static void show_log(const struct test *test)
{
    char line[1024];
    FILE *file = fopen(test->log, "r");

    if (!file)
        return;
    for (int i = 0; i < 40 && fgets(line, sizeof(line), file); i++)
        printf("  | %s", line);
    fclose(file);
}

_Noreturn static void fail(const struct test *test, const struct command *command, const char *why)
{
    printf("FAILED: %s\n", why);
    command_print(command);
    printf("  < %s\n", test->input);
    show_log(test);
    exit(1);
}

static struct command run_command(const struct test *test, const struct settings *settings)
{
    static char seed[32];
    struct command command = {0};
    const char *fixed[] = {
        test->stalemate,    "run",     "--quiet",       "--json",          test->json,
        "--seed",           seed,      "--carrier",     settings->carrier, "--schedule",
        settings->schedule, "--model", settings->model, "--timeout",       "1000"};

    snprintf(seed, sizeof(seed), "%d", settings->seed);
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        command_add(&command, fixed[i]);
    if (settings->record) {
        command_add(&command, "--record");
        command_add(&command, test->witness);
    }
    for (int i = 0; i < test->header.options.n; i++)
        command_add(&command, test->header.options.word[i]);
    command_add(&command, "--");
    command_add(&command, test->binary);
    for (int i = 0; i < test->header.args.n; i++)
        command_add(&command, test->header.args.word[i]);
    return command;
}

static void copy_string(char *to, size_t size, const json_t *value)
{
    snprintf(to, size, "%s", json_string_value(value) ? json_string_value(value) : "");
}

static struct result read_result(const struct test *test, const struct command *command)
{
    struct result result = {0};
    json_t *root = json_load_file(test->json, 0, NULL);

    if (!root)
        fail(test, command, "no JSON came out");
    const json_t *failure = json_object_get(root, "failure");
    result.exit = (int)json_integer_value(json_object_get(root, "exit"));
    result.events = json_integer_value(json_object_get(root, "events"));
    copy_string(result.hash, sizeof(result.hash), json_object_get(root, "trace_hash"));
    copy_string(result.kind, sizeof(result.kind), json_object_get(failure, "kind"));
    copy_string(result.detail, sizeof(result.detail), json_object_get(failure, "detail"));
    json_decref(root);
    if (!result.hash[0])
        fail(test, command, "the JSON has no trace_hash");
    return result;
}

static struct result run(const struct test *test, const struct settings *settings)
{
    struct command command = run_command(test, settings);

    remove(test->json);
    int status = spawn(&command, test->input, test->log);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        fail(test, &command, "stalemate run itself failed");
    return read_result(test, &command);
}

static bool went_well(const struct result *result)
{
    return !result->kind[0] && result->exit == 0;
}

static bool as_expected(const struct header *header, const struct result *result)
{
    if (!strcmp(header->kind, "exit"))
        return result->exit == header->status &&
               (!result->kind[0] || (header->status && !strcmp(result->kind, "exit")));
    if (strcmp(header->kind, result->kind) != 0)
        return false;
    return !header->signal[0] || strstr(result->detail, header->signal);
}

static void check_end(struct test *test, const struct settings *settings)
{
    struct result result = run(test, settings);
    char why[512];

    if (as_expected(&test->header, &result)) {
        test->hits++;
        return;
    }
    if (test->header.sometimes && went_well(&result))
        return;
    struct command command = run_command(test, settings);
    snprintf(why, sizeof(why), "expected '%s', but it ended with status %d, failure '%s' (%s)",
             test->header.expect, result.exit, result.kind, result.detail);
    fail(test, &command, why);
}

static void check_native(const struct test *test)
{
    const struct header *header = &test->header;
    struct command command = {0};

    command_add(&command, test->binary);
    for (int i = 0; i < header->args.n; i++)
        command_add(&command, header->args.word[i]);
    int status = spawn(&command, test->input, test->log);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != header->status)
        fail(test, &command, "without stalemate, it does not end as expected");
}

static void check_program(struct test *test)
{
    struct settings settings = {0};

    for (int m = 0; m < test->header.models.n; m++)
        for (int c = 0; c < 2; c++)
            for (int s = 0; s < N_SCHEDULES; s++)
                for (int seed = 1; seed <= (s < 4 ? PROGRAM_SEEDS : 1); seed++) {
                    settings.model = test->header.models.word[m];
                    settings.carrier = carriers[c];
                    settings.schedule = schedules[s];
                    settings.seed = seed;
                    check_end(test, &settings);
                }
    if (!test->hits) {
        struct command command = run_command(test, &settings);
        fail(test, &command, "no run ended as its header says it sometimes does");
    }
    if (test->header.native && !strcmp(test->header.kind, "exit"))
        check_native(test);
}

static void check_same(const struct test *test, const struct settings *settings,
                       const struct result *first, const char *what)
{
    struct result second = run(test, settings);
    char why[512];

    if (!strcmp(first->hash, second.hash) && first->events == second.events &&
        first->exit == second.exit && !strcmp(first->kind, second.kind))
        return;
    struct command command = run_command(test, settings);
    snprintf(why, sizeof(why), "%s: %s after %lld events, but first it was %s after %lld", what,
             second.hash, second.events, first->hash, first->events);
    fail(test, &command, why);
}

/* Replay ends with the status that the recorded run ended with: 0, or 1 for a failure. */
static void check_replay(const struct test *test, const struct result *first)
{
    struct command command = {0};

    command_add(&command, test->stalemate);
    command_add(&command, "replay");
    command_add(&command, test->witness);
    int status = spawn(&command, "/dev/null", test->log);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != (first->kind[0] ? 1 : 0))
        fail(test, &command, "the witness does not replay to the same end");
    remove(test->witness);
}

static void check_determinism(const struct test *test)
{
    for (int seed = 1; seed <= DETERMINISM_SEEDS; seed++) {
        struct settings settings = {"fiber", schedules[seed % N_SCHEDULES],
                                    test->header.models.word[0], seed, true};
        struct result first = run(test, &settings);
        check_replay(test, &first);
        settings.record = false;
        settings.carrier = carriers[seed / N_SCHEDULES % 2];
        check_same(test, &settings, &first, "a second run differs");
    }
}

static void check_legal(const struct test *test)
{
    static const char *const models[] = {"sc", "tso", "pso", "c11", "hb", "oota"};

    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int seed = 1; seed <= LEGAL_SEEDS; seed++) {
            struct settings settings = {"fiber", schedules[seed % N_SCHEDULES], models[m], seed,
                                        true};
            run(test, &settings);
            struct command command = {0};
            command_add(&command, test->stalemate);
            command_add(&command, "check");
            command_add(&command, test->witness);
            int status = spawn(&command, "/dev/null", test->log);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                fail(test, &command, "the checker does not call the execution legal");
            remove(test->witness);
        }
}

static void name_files(struct test *test, const char *mode)
{
    snprintf(test->input, sizeof(test->input), "%s.%s.in", test->binary, mode);
    snprintf(test->log, sizeof(test->log), "%s.%s.log", test->binary, mode);
    snprintf(test->json, sizeof(test->json), "%s.%s.json", test->binary, mode);
    snprintf(test->witness, sizeof(test->witness), "%s.%s.witness", test->binary, mode);
    FILE *file = fopen(test->input, "w");
    if (!file || fprintf(file, "%s%s", test->header.input, *test->header.input ? "\n" : "") < 0 ||
        fclose(file)) {
        perror(test->input);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: program-harness program|determinism|legal STALEMATE SOURCE "
                        "BINARY\n");
        return 2;
    }
    struct test test = {.stalemate = argv[2], .binary = argv[4], .header = header_read(argv[3])};

    name_files(&test, argv[1]);
    if (!strcmp(argv[1], "program"))
        check_program(&test);
    else if (!strcmp(argv[1], "legal"))
        check_legal(&test);
    else
        check_determinism(&test);
    return 0;
}
