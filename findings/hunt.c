#include "findings/hunt.h"

#include <stdlib.h>
#include <string.h>

#include "findings/voice.h"
#include "target/symbols.h"

static void free_race(struct sm_hunt_race *race)
{
    for (size_t i = 0; i < race->n_accesses; i++)
        sm_access_free(&race->accesses[i]);
    free(race->accesses);
    free(race->id);
    free(race->variable);
    free(race->object);
    free(race->type);
    free(race->witness);
    sm_list_free(&race->story);
    free(race->remedy);
    free(race->cause);
    sm_cure_free(race->cure);
    sm_failure_free(&race->failure);
}

static void free_loose(struct sm_hunt_failure *failure)
{
    sm_failure_free(&failure->failure);
    free(failure->witness);
    free(failure->remedy);
    sm_list_free(&failure->story);
    sm_list_free(&failure->races);
    free(failure->cause);
    sm_cure_free(failure->cure);
}

void sm_hunt_remove_race(struct sm_hunt_report *report, size_t i)
{
    free_race(&report->races[i]);
    report->n_races--;
    memmove(&report->races[i], &report->races[i + 1],
            (report->n_races - i) * sizeof *report->races);
}

void sm_hunt_remove_failure(struct sm_hunt_report *report, size_t i)
{
    free_loose(&report->failures[i]);
    report->n_failures--;
    memmove(&report->failures[i], &report->failures[i + 1],
            (report->n_failures - i) * sizeof *report->failures);
}

void sm_hunt_report_free(struct sm_hunt_report *report)
{
    sm_list_free(&report->weak_atomics);
    for (size_t i = 0; i < report->n_races; i++)
        free_race(&report->races[i]);
    for (size_t i = 0; i < report->n_failures; i++)
        free_loose(&report->failures[i]);
    for (size_t i = 0; i < report->n_warnings; i++)
        sm_failure_free(&report->warnings[i].failure);
    free(report->races);
    free(report->failures);
    free(report->warnings);
    free(report->proof);
    free(report->baseline_errors);
}

size_t sm_hunt_count(const struct sm_hunt_report *report, enum sm_verdict_kind verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_races; i++)
        n += report->races[i].verdict == verdict;
    return n;
}

/* ---- the title ---- */

static bool is_reading(const struct sm_access *access)
{
    return strcmp(access->kind, "read") == 0 || strcmp(access->kind, "atomic-read") == 0;
}

/* A write, and a read of another thread; if there is none, any access of another thread. */
static void pick_pair(const struct sm_hunt_race *race, const struct sm_access **first,
                      const struct sm_access **second)
{
    *first = *second = NULL;
    for (size_t i = 0; i < race->n_accesses && !*first; i++)
        if (!is_reading(&race->accesses[i]))
            *first = &race->accesses[i];
    for (size_t i = 0; i < race->n_accesses && *first; i++) {
        const struct sm_access *access = &race->accesses[i];
        if (access->thread != (*first)->thread &&
            (!*second || (is_reading(access) && !is_reading(*second))))
            *second = access;
    }
}

static char *function_of(const struct sm_access *access)
{
    const struct sm_place *place = sm_voice_user_place(access);
    return sm_function_name(sm_copy_text(place->function ? place->function : "?"));
}

/* "meter_short() holds no lock"; "meter_long() holds meter.lock" */
static void put_held(struct sm_buffer *to, const struct sm_access *access)
{
    char *function = function_of(access);
    sm_buffer_print(to, "%s() holds", function);
    for (uint32_t i = 0; i < access->n_locks; i++)
        sm_buffer_print(to, "%s %s", i ? " and" : "",
                        access->locks[i].name ? access->locks[i].name : "a lock");
    if (!access->n_locks)
        sm_buffer_text(to, " no lock");
    free(function);
}

char *sm_hunt_race_locks(const struct sm_hunt_race *race)
{
    const struct sm_access *first, *second;
    struct sm_buffer text = {0};
    pick_pair(race, &first, &second);
    if (!second || (!first->n_locks && !second->n_locks))
        return NULL;
    put_held(&text, first);
    sm_buffer_text(&text, ", ");
    put_held(&text, second);
    return text.data;
}

char *sm_hunt_race_advice(const struct sm_hunt_race *race)
{
    const struct sm_access *first, *second;
    pick_pair(race, &first, &second);
    if (race->remedy || !second || !first->n_locks == !second->n_locks)
        return sm_copy_text(race->remedy ? race->remedy : sm_verdict_advice[race->verdict]);
    char *with = function_of(first->n_locks ? first : second);
    char *without = function_of(first->n_locks ? second : first);
    char *advice = sm_print("Take the lock that %s() holds in %s(), too", with, without);
    free(with);
    free(without);
    return advice;
}

char *sm_hunt_race_evidence(const struct sm_hunt_race *race)
{
    const struct sm_tally *tally = &race->tally;
    if (!tally->trials)
        return sm_copy_text(race->exact ? "every execution was explored" : "no trials");
    return sm_print("%lu of %lu trials failed, %lu stale reads", (unsigned long)tally->failures,
                    (unsigned long)tally->trials, (unsigned long)tally->stale_reads);
}

char *sm_hunt_race_title(const struct sm_hunt_race *race)
{
    const struct sm_access *first, *second;
    struct sm_buffer title = {0};
    pick_pair(race, &first, &second);
    sm_voice_race(&title, race->variable, race->object, race->type, second ? first : NULL, second);
    return title.data;
}
