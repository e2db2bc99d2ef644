/*
 * differential.c - what Stalemate finds in random programs, against the reference.
 *
 *   differential controlled|detect PROGRAM FIRST N
 *
 * Runs the interpreter with N seeds, FIRST and on, under control or by itself, and compares the
 * pools that it was seen racing on with those of the reference. Prints how to see each
 * disagreement again.
 */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../abi/detect.h"
#include "../../base/options.h"
#include "../../target/target.h"
#include "program.h"

static int seed_file = -1; /* the interpreter's standard input */

static void write_seed(unsigned long seed)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%lu\n", seed);
    if (ftruncate(seed_file, 0) != 0 || pwrite(seed_file, text, (size_t)length, 0) != length)
        abort();
}

/* "pool2[]" and the like; 0 for anything else. */
static unsigned pool_bit(const char *variable)
{
    const char *name = variable ? strstr(variable, "pool") : NULL;
    return name ? 1u << (name[4] - '0') : 0;
}

/* ---- under control ---- */

static struct sm_target target;

static void open_target(char *program)
{
    char *arguments[] = {program, NULL};
    struct sm_error error = {0};
    if (!sm_target_open(&target, program, arguments, dup(seed_file), -1, -1, &error))
        exit(sm_error_print(&error));
    target.serve = true;
    if (!sm_target_prepare(&target, &error))
        exit(sm_error_print(&error));
    target.shared.control->watch_mode = SM_WATCH_ALL;
}

static unsigned pool_of(const struct sm_sites *sites, const struct sm_race_access *access)
{
    const struct sm_site_row *row = sm_sites_find(sites, access->site);
    return row ? pool_bit(row->variable) : 0;
}

static unsigned found_under_control(unsigned long seed)
{
    struct sm_settings settings = {0};
    struct sm_error error = {0};
    struct sm_ended ended;
    struct sm_sites sites = {0};
    unsigned pools = 0;
    char *none[] = {"detect", NULL};
    if (!sm_settings_parse(&settings, SM_COMMAND_DETECT, false, none, &error))
        exit(sm_error_print(&error));
    settings.options.seed = seed;
    settings.options.schedule = SM_SCHEDULE_RANDOM;
    settings.options.races = 1;
    settings.options.memory = 0; /* the programs race with free() on purpose, and go on */
    if (!sm_target_run(&target, &settings.options, &ended, &error))
        exit(sm_error_print(&error));
    if (ended.stop != SM_STOP_NONE || ended.wait_status != 0)
        printf("seed %lu: the program did not end well (status %d): %s\n", seed, ended.wait_status,
               target.shared.control->detail);
    sm_shared_sites(&target.shared, &sites);
    for (uint32_t i = 0; i < target.shared.control->n_races; i++) {
        const struct sm_race *race = &target.shared.control->races[i];
        unsigned pool = pool_of(&sites, &race->first);
        pools |= pool ? pool : pool_of(&sites, &race->second);
    }
    sm_sites_free(&sites);
    sm_settings_free(&settings);
    return pools;
}

/* ---- natively ---- */

static _Noreturn void become(const char *program, int findings)
{
    char number[16];
    snprintf(number, sizeof number, "%d", findings);
    setenv(SM_DETECT_ENV, number, 1);
    lseek(seed_file, 0, SEEK_SET);
    dup2(seed_file, STDIN_FILENO);
    execl(program, program, (char *)NULL);
    _exit(127);
}

/* What is read after the free is told as that: only one pool is ever freed. */
static unsigned pool_of_finding(const json_t *finding)
{
    const json_t *failure = json_object_get(finding, "failure");
    const char *kind = json_string_value(json_object_get(failure, "kind"));
    if (kind && strcmp(kind, "use-after-free") == 0)
        return 1u << HEAP_POOL;
    const json_t *race = json_object_get(finding, "race");
    return pool_bit(json_string_value(json_object_get(race, "variable")));
}

static unsigned read_findings(int findings)
{
    unsigned pools = 0;
    char *line = NULL;
    size_t room = 0;
    lseek(findings, 0, SEEK_SET);
    FILE *file = fdopen(findings, "r");
    while (file && getline(&line, &room, file) > 0) {
        json_t *object = json_loads(line, 0, NULL);
        pools |= pool_of_finding(object);
        json_decref(object);
    }
    free(line);
    fclose(file);
    return pools;
}

static unsigned found_natively(const char *program, unsigned long seed)
{
    int status = 0, findings = memfd_create("findings", 0);
    pid_t child = fork();
    if (child == 0)
        become(program, findings);
    waitpid(child, &status, 0);
    if (status != 0)
        printf("seed %lu: the program did not end well (status %d)\n", seed, status);
    return read_findings(findings);
}

/* ---- */

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: differential controlled|detect PROGRAM FIRST N\n");
        return 2;
    }
    bool controlled = strcmp(argv[1], "controlled") == 0;
    unsigned long first = strtoul(argv[3], NULL, 10), n = strtoul(argv[4], NULL, 10);
    unsigned long disagreements = 0, racy = 0, pools = 0;
    seed_file = memfd_create("seed", 0);
    write_seed(first);
    if (controlled)
        open_target(argv[2]);
    for (unsigned long seed = first; seed < first + n; seed++) {
        struct program program;
        generate(&program, seed);
        write_seed(seed);
        unsigned expected = racy_pools(&program);
        unsigned found = controlled ? found_under_control(seed) : found_natively(argv[2], seed);
        racy += expected != 0;
        pools += (unsigned long)__builtin_popcount(expected);
        if (found == expected)
            continue;
        disagreements++;
        printf("seed %lu: races on pools %x, the reference says %x; again: echo %lu | %s\n", seed,
               found, expected, seed, argv[2]);
    }
    printf(
        "differential: %lu programs %s, %lu with races, on %lu of %lu pools; %lu disagreements\n",
        n, argv[1], racy, pools, n * POOLS, disagreements);
    if (controlled)
        sm_target_close(&target);
    return disagreements != 0;
}
