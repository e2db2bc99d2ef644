#include "findings/known.h"

#include <string.h>

bool sm_known_read(struct sm_hunt_report *earlier, const char *path, struct sm_error *error)
{
    json_error_t why;
    json_t *json = json_load_file(path, 0, &why);
    bool ok = json && sm_hunt_json_parse(json, earlier);
    if (!json)
        sm_fail(error, SM_STATUS_USAGE,
                "cannot read the baseline %s: %s; make one with: stalemate hunt --json %s", path,
                why.text, path);
    else if (!ok)
        sm_fail(error, SM_STATUS_USAGE,
                "the baseline %s is not the result of a hunt; make one with: stalemate hunt "
                "--json %s",
                path, path);
    json_decref(json);
    return ok;
}

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Builds in different directories name a file differently. */
static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

static bool same_function(const struct sm_place *a, const struct sm_place *b)
{
    return same_text(a->function, b->function) && same_text(base_name(a->file), base_name(b->file));
}

static int badness(enum sm_verdict_kind verdict)
{
    return verdict == SM_VERDICT_DESTRUCTIVE ? 2 : verdict == SM_VERDICT_QOS;
}

static bool is_known_race(const struct sm_hunt_race *race, const struct sm_hunt_race *old)
{
    if (!same_text(race->variable, old->variable) || badness(race->verdict) > badness(old->verdict))
        return false;
    for (size_t i = 0; i < race->n_accesses; i++)
        for (size_t k = 0; k < old->n_accesses; k++)
            if (same_function(&race->accesses[i].place, &old->accesses[k].place))
                return true;
    return false;
}

static bool is_known_failure(const struct sm_failure *failure, const struct sm_failure *old)
{
    return failure->kind == old->kind && (same_function(&failure->place, &old->place) ||
                                          (!failure->place.file && !old->place.file));
}

static void drop_races(struct sm_hunt_report *report, const struct sm_hunt_report *earlier)
{
    for (size_t i = 0; i < report->n_races; i++)
        for (size_t k = 0; k < earlier->n_races; k++)
            if (is_known_race(&report->races[i], &earlier->races[k])) {
                sm_hunt_remove_race(report, i--);
                report->known++;
                break;
            }
}

static void drop_failures(struct sm_hunt_report *report, const struct sm_hunt_report *earlier)
{
    for (size_t i = 0; i < report->n_failures; i++)
        for (size_t k = 0; k < earlier->n_failures; k++)
            if (is_known_failure(&report->failures[i].failure, &earlier->failures[k].failure)) {
                sm_hunt_remove_failure(report, i--);
                report->known++;
                break;
            }
}

void sm_known_drop(struct sm_hunt_report *report, const struct sm_hunt_report *earlier)
{
    drop_races(report, earlier);
    drop_failures(report, earlier);
}
