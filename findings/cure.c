/* cure.c - see cure.h. */
#include "findings/cure.h"

#include <stdlib.h>

#include "findings/json.h"
#include "findings/parse.h"

void sm_cure_free(struct sm_cure_found *cure)
{
    if (!cure)
        return;
    for (size_t i = 0; i < cure->n_rejected; i++) {
        free(cure->rejected[i].text);
        free(cure->rejected[i].why);
        free(cure->rejected[i].witness);
    }
    free(cure->rejected);
    free(cure->text);
    free(cure->patch);
    free(cure->directory);
    free(cure->no_patch);
    free(cure->not_built);
    free(cure->repairs);
    free(cure->by);
    free(cure);
}

struct sm_cure_found *sm_cure_copy(const struct sm_cure_found *cure)
{
    struct sm_cure_found *copy = sm_new(sizeof(*copy));
    *copy = (struct sm_cure_found){.text = sm_copy_text(cure->text),
                                   .patch = sm_copy_text(cure->patch),
                                   .directory = sm_copy_text(cure->directory),
                                   .no_patch = sm_copy_text(cure->no_patch),
                                   .not_built = sm_copy_text(cure->not_built),
                                   .repairs = sm_copy_text(cure->repairs),
                                   .tried = cure->tried,
                                   .by = sm_copy_text(cure->by),
                                   .exact = cure->exact,
                                   .n_rejected = cure->n_rejected};
    copy->rejected = sm_new((cure->n_rejected + 1) * sizeof(*copy->rejected));
    for (size_t i = 0; i < cure->n_rejected; i++)
        copy->rejected[i] =
            (struct sm_rejected){.text = sm_copy_text(cure->rejected[i].text),
                                 .why = sm_copy_text(cure->rejected[i].why),
                                 .witness = sm_copy_text(cure->rejected[i].witness)};
    return copy;
}

/* ---- JSON ---- */

json_t *sm_cure_json(const struct sm_cure_found *cure)
{
    if (!cure)
        return json_null();
    json_t *rejected = json_array();
    for (size_t i = 0; i < cure->n_rejected; i++)
        json_array_append_new(rejected, json_pack("{s:o, s:o, s:o}", "text",
                                                  sm_json_text(cure->rejected[i].text), "why",
                                                  sm_json_text(cure->rejected[i].why), "witness",
                                                  sm_json_text(cure->rejected[i].witness)));
    return json_pack("{s:o, s:o, s:b, s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "text",
                     sm_json_text(cure->text), "patch", sm_json_text(cure->patch), "tried",
                     (int)cure->tried, "by", sm_json_text(cure->by), "exact", (int)cure->exact,
                     "directory", sm_json_text(cure->directory), "no_patch",
                     sm_json_text(cure->no_patch), "not_built", sm_json_text(cure->not_built),
                     "repairs", sm_json_text(cure->repairs), "rejected", rejected);
}

static char *copy_of(const json_t *json, const char *key)
{
    return sm_copy_text(sm_parse_string(json, key));
}

struct sm_cure_found *sm_cure_parse(const json_t *json)
{
    const json_t *rejected = json_object_get(json, "rejected"), *item;
    size_t i;
    if (!json_is_object(json))
        return NULL;
    struct sm_cure_found *cure = sm_new(sizeof(*cure));
    *cure = (struct sm_cure_found){.text = copy_of(json, "text"),
                                   .patch = copy_of(json, "patch"),
                                   .directory = copy_of(json, "directory"),
                                   .no_patch = copy_of(json, "no_patch"),
                                   .not_built = copy_of(json, "not_built"),
                                   .repairs = copy_of(json, "repairs"),
                                   .tried = json_is_true(json_object_get(json, "tried")),
                                   .by = copy_of(json, "by"),
                                   .exact = json_is_true(json_object_get(json, "exact"))};
    cure->rejected = sm_new((json_array_size(rejected) + 1) * sizeof(*cure->rejected));
    json_array_foreach(rejected, i, item) cure->rejected[cure->n_rejected++] =
        (struct sm_rejected){.text = copy_of(item, "text"),
                             .why = copy_of(item, "why"),
                             .witness = copy_of(item, "witness")};
    return cure;
}

/* ---- text ---- */

enum { MOST_REJECTED_SHOWN = 8 }; /* of what was rejected */

static const char *how_sure(const struct sm_cure_found *cure)
{
    return cure->exact ? "proved by verify: no execution fails, and no race is left"
                       : "hunted clean: nothing failed, and no race was seen";
}

static void print_rejected(const struct sm_rejected *rejected, FILE *to)
{
    fprintf(to, "  not enough: %s\n    %s\n", rejected->text, rejected->why);
    if (rejected->witness)
        fprintf(to, "    replay with: stalemate replay %s\n", rejected->witness);
}

void sm_cure_print(const struct sm_cure_found *cure, FILE *to)
{
    fprintf(to, "repair: %s\n", cure->text);
    if (cure->by)
        fprintf(to, "  %s\n", how_sure(cure));
    if (cure->not_built)
        fprintf(to, "  the patch itself was not tried: %s; give --build CMD\n", cure->not_built);
    for (size_t i = 0; i < cure->n_rejected && i < MOST_REJECTED_SHOWN; i++)
        print_rejected(&cure->rejected[i], to);
    if (cure->n_rejected > MOST_REJECTED_SHOWN)
        fprintf(to, "  and %zu more that are not enough: see --json\n",
                cure->n_rejected - MOST_REJECTED_SHOWN);
    if (cure->patch)
        fprintf(to, "patch, for patch -p1 in %s:\n%s", *cure->directory ? cure->directory : "/",
                cure->patch);
    else if (cure->no_patch)
        fprintf(to, "  no patch: %s\n", cure->no_patch);
}
