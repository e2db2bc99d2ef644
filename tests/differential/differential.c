/*
 * differential.c - what Stalemate finds in random programs, against the reference.
 *
 *   differential controlled|detect PROGRAM FIRST N
 *
 * Runs the interpreter with N seeds, FIRST and on, under control or by itself, and compares the
 * places that it was seen racing on with those of the reference. Prints how to see each
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
#include "../../core/libc/descriptors.h"
#include "../../target/symbols.h"
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

/* By enum place. */
static const char *const names[PLACES] = {"pool0",
                                          "pool1",
                                          "pool2",
                                          "pool3",
                                          "mutex",
                                          "rwlock",
                                          "spin",
                                          "cond",
                                          "barrier",
                                          "semaphore",
                                          "robust_a",
                                          "robust_b",
                                          "file descriptor 60",
                                          "file descriptor 61"};
_Static_assert(FIRST_DESCRIPTOR == 60 && PLACES == 14, "the names above");

/* "pool2[]" and the like. */
static unsigned bit_of(const char *variable)
{
    for (unsigned place = 0; variable && place < PLACES; place++)
        if (strstr(variable, names[place]))
            return 1u << place;
    return 1u << OTHER_PLACE;
}

static void print_places(unsigned places)
{
    for (unsigned place = 0; place <= OTHER_PLACE; place++)
        if (places >> place & 1)
            printf(" %s", place == OTHER_PLACE ? "another" : names[place]);
    printf(places ? "" : " nothing");
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

/* What the accesses in the source call it, or, of an object that only calls use, its symbol. */
static unsigned place_of(const struct sm_race *race, const struct sm_sites *sites,
                         struct sm_symbols *symbols)
{
    const struct sm_race_access *sides[] = {&race->first, &race->second};
    for (unsigned i = 0; i < 2; i++) {
        const struct sm_site_row *row = sm_sites_find(sites, sides[i]->site);
        if (row && bit_of(row->variable) != 1u << OTHER_PLACE)
            return bit_of(row->variable);
    }
    char *name = race->descriptor >= 0 ? sm_print(SM_DESCRIPTOR_NAME, race->descriptor)
                                       : sm_symbols_variable(symbols, race->addr);
    unsigned place = bit_of(name);
    free(name);
    return place;
}

static unsigned all_places(void)
{
    const struct sm_control *control = target.shared.control;
    struct sm_sites sites = {0};
    unsigned places = 0;
    if (!control->n_races)
        return 0;
    sm_shared_sites(&target.shared, &sites);
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    for (uint32_t i = 0; i < control->n_races; i++)
        places |= place_of(&control->races[i], &sites, symbols);
    sm_symbols_close(symbols);
    sm_sites_free(&sites);
    return places;
}

static unsigned found_under_control(unsigned long seed)
{
    struct sm_settings settings = {0};
    struct sm_error error = {0};
    struct sm_ended ended;
    char *none[] = {"detect", NULL};
    if (!sm_settings_parse(&settings, SM_COMMAND_DETECT, false, none, &error))
        exit(sm_error_print(&error));
    settings.options.seed = seed;
    settings.options.schedule = SM_SCHEDULE_RANDOM;
    settings.options.races = 2;  /* those of calls, too */
    settings.options.memory = 0; /* the programs race with free() on purpose, and go on */
    if (!sm_target_run(&target, &settings.options, &ended, &error))
        exit(sm_error_print(&error));
    if (ended.stop != SM_STOP_NONE || ended.wait_status != 0)
        printf("seed %lu: the program did not end well (status %d): %s\n", seed, ended.wait_status,
               target.shared.control->detail);
    sm_settings_free(&settings);
    return all_places();
}

/* ---- natively ---- */

enum { LONGEST = 60 }; /* seconds; a program takes milliseconds */

static _Noreturn void become(const char *program, int findings)
{
    char number[16];
    snprintf(number, sizeof number, "%d", findings);
    setenv(SM_DETECT_ENV, number, 1);
    alarm(LONGEST);
    lseek(seed_file, 0, SEEK_SET);
    dup2(seed_file, STDIN_FILENO);
    execl(program, program, (char *)NULL);
    _exit(127);
}

/* Two locks that are taken in different orders are none of our business. What is read after the
   free is told as that: only one pool is ever freed. */
static unsigned place_of_failure(const char *kind)
{
    if (strcmp(kind, "lock-order") == 0)
        return 0;
    return 1u << (strcmp(kind, "use-after-free") == 0 ? (unsigned)HEAP_POOL : OTHER_PLACE);
}

static unsigned place_of_finding(const json_t *finding)
{
    const json_t *failure = json_object_get(finding, "failure");
    const char *kind = json_string_value(json_object_get(failure, "kind"));
    const json_t *race = json_object_get(finding, "race");
    if (kind)
        return place_of_failure(kind);
    return race ? bit_of(json_string_value(json_object_get(race, "variable"))) : 0;
}

static unsigned read_findings(int findings)
{
    unsigned places = 0;
    char *line = NULL;
    size_t room = 0;
    lseek(findings, 0, SEEK_SET);
    FILE *file = fdopen(findings, "r");
    while (file && getline(&line, &room, file) > 0) {
        json_t *object = json_loads(line, 0, NULL);
        places |= place_of_finding(object);
        json_decref(object);
    }
    free(line);
    fclose(file);
    return places;
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

static void print_disagreement(unsigned long seed, unsigned found, unsigned expected,
                               const char *program)
{
    printf("seed %lu: races on", seed);
    print_places(found);
    printf("; the reference says");
    print_places(expected);
    printf("; again: echo %lu | %s\n", seed, program);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: differential controlled|detect PROGRAM FIRST N\n");
        return 2;
    }
    bool controlled = strcmp(argv[1], "controlled") == 0;
    unsigned long first = strtoul(argv[3], NULL, 10), n = strtoul(argv[4], NULL, 10);
    unsigned long disagreements = 0, racy = 0, places = 0;
    seed_file = memfd_create("seed", 0);
    write_seed(first);
    if (controlled)
        open_target(argv[2]);
    for (unsigned long seed = first; seed < first + n; seed++) {
        struct program program;
        generate(&program, seed);
        write_seed(seed);
        unsigned expected = racy_places(&program);
        unsigned found = controlled ? found_under_control(seed) : found_natively(argv[2], seed);
        racy += expected != 0;
        places += (unsigned long)__builtin_popcount(expected);
        if (found != expected) {
            disagreements++;
            print_disagreement(seed, found, expected, argv[2]);
        }
    }
    printf("differential: %lu programs %s, %lu with races, on %lu of %lu places; %lu "
           "disagreements\n",
           n, argv[1], racy, places, n * PLACES, disagreements);
    if (controlled)
        sm_target_close(&target);
    return disagreements != 0;
}
