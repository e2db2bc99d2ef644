#include "findings/shards.h"

#include <stdlib.h>

#include "findings/json.h"

/* ---- a shard ---- */

void sm_report_shard_text(const struct sm_shard_report *report, FILE *to)
{
    fprintf(to, "shard %lu of %lu: %lu execution%s of its slice",
            (unsigned long)report->slice.index, (unsigned long)report->slice.of,
            (unsigned long)report->made, report->made == 1 ? "" : "s");
    if (report->failed)
        fprintf(to, ", %lu of them failed", (unsigned long)report->failed);
    fprintf(to, "; %lu executions", (unsigned long)report->executions);
    if (report->found)
        fprintf(to, " (and %lu remembered)", (unsigned long)report->found);
    fprintf(to, " in %.1f s\n", report->seconds);
    if (report->complete)
        fprintf(to, "when all shards are done: stalemate merge --out DIR %s ...\n", report->out);
    else
        fputs("not complete; the same command goes on from here\n", to);
}

bool sm_report_shard_json(const struct sm_shard_report *report, const char *path,
                          struct sm_error *error)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:o, s:f, s:I, s:I, s:{s:I, s:I}, s:I, s:I, s:I, s:b}", "tool",
                  "stalemate", "version", SM_VERSION, "command", report->command, "target",
                  sm_json_target(report->target), "seconds", report->seconds, "executions",
                  (json_int_t)report->executions, "remembered", (json_int_t)report->found, "shard",
                  "index", (json_int_t)report->slice.index, "of", (json_int_t)report->slice.of,
                  "planned", (json_int_t)report->planned, "made", (json_int_t)report->made,
                  "failed", (json_int_t)report->failed, "complete", (int)report->complete);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}

/* ---- all of them ---- */

void sm_merged_free(struct sm_merged *merged)
{
    free(merged->missing);
    free(merged->incomplete);
    sm_list_free(&merged->damaged);
    *merged = (struct sm_merged){0};
}

static json_t *numbers_json(const uint64_t *numbers, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, json_integer((json_int_t)numbers[i]));
    return array;
}

json_t *sm_json_merged(const struct sm_merged *merged)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o}", "of", (json_int_t)merged->of, "merged",
                     (json_int_t)merged->merged, "missing",
                     numbers_json(merged->missing, merged->n_missing), "incomplete",
                     numbers_json(merged->incomplete, merged->n_incomplete), "damaged",
                     sm_json_lines(&merged->damaged));
}

static void print_numbers(const char *what, const uint64_t *numbers, size_t n, FILE *to)
{
    enum { MOST = 10 };
    if (!n)
        return;
    fprintf(to, "; %s:", what);
    for (size_t i = 0; i < n && i < MOST; i++)
        fprintf(to, "%s %lu", i ? "," : "", (unsigned long)numbers[i]);
    if (n > MOST)
        fprintf(to, " and %zu more", n - MOST);
}

void sm_merged_text(const struct sm_merged *merged, FILE *to)
{
    fprintf(to, "%lu of %lu shards", (unsigned long)merged->merged, (unsigned long)merged->of);
    print_numbers("missing", merged->missing, merged->n_missing, to);
    print_numbers("not complete", merged->incomplete, merged->n_incomplete, to);
    fputc('\n', to);
    for (size_t i = 0; i < merged->damaged.n; i++)
        fprintf(to, "%s\n", merged->damaged.items[i]);
}
