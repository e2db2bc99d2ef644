#include "campaign/shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "campaign/store_rows.h"
#include "target/input.h"

const char *sm_shard_command(enum sm_command_bit command)
{
    switch (command) {
    case SM_COMMAND_RUN:
        return "run";
    case SM_COMMAND_DETECT:
        return "detect";
    case SM_COMMAND_ATOMICITY:
        return "atomicity";
    default:
        return "hunt";
    }
}

static void free_plan(struct sm_shard_plan *plan)
{
    free(plan->command);
    free(plan->options);
    free(plan->target);
    free(plan->version);
    free(plan->build);
    sm_buffer_free(&plan->environment);
    sm_buffer_free(&plan->input);
    *plan = (struct sm_shard_plan){0};
}

void sm_gathered_free(struct sm_gathered *gathered)
{
    free_plan(&gathered->plan);
    free(gathered->shards);
    sm_merged_free(&gathered->merged);
}

/* ---- writing ---- */

static struct sm_store_key plan_key(const struct sm_shard_plan *plan)
{
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "%s\n%s\n%s\n%s\n%lu\n", plan->command, plan->options, plan->target,
                    plan->version, (unsigned long)plan->shards);
    sm_buffer_add(&text, plan->identity, sizeof plan->identity);
    XXH128_hash_t hash = XXH3_128bits(text.data, text.size);
    sm_buffer_free(&text);
    return (struct sm_store_key){{hash.low64, hash.high64}};
}

static void bind_buffer(sqlite3_stmt *statement, int column, const struct sm_buffer *buffer)
{
    sqlite3_bind_blob(statement, column, buffer->data ? buffer->data : "", (int)buffer->size,
                      SQLITE_STATIC);
}

static bool finish(sqlite3_stmt *statement)
{
    bool ok = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return ok;
}

static bool write_plan(sqlite3 *db, const struct sm_shard_plan *plan)
{
    struct sm_store_key key = plan_key(plan);
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO campaign VALUES(?,?,?,?,?,?,?,?,?,?)", -1,
                           &statement, NULL) != SQLITE_OK)
        return false;
    const char *texts[] = {plan->command, plan->options, plan->target, plan->version};
    sqlite3_bind_blob(statement, 1, &key, sizeof key, SQLITE_STATIC);
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(statement, 2 + i, texts[i], -1, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 6, plan->identity, sizeof plan->identity, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 7, (int64_t)plan->shards);
    sqlite3_bind_text(statement, 8, plan->build, -1, SQLITE_STATIC);
    bind_buffer(statement, 9, &plan->environment);
    bind_buffer(statement, 10, &plan->input);
    return finish(statement);
}

static bool write_shard(sqlite3 *db, const char *how, struct sm_store_key plan,
                        const struct sm_shard *shard)
{
    sqlite3_stmt *statement;
    char *text = sm_print("INSERT OR %s INTO shard VALUES(?,?,?,?,?,?,?,?)", how);
    bool ok = sqlite3_prepare_v2(db, text, -1, &statement, NULL) == SQLITE_OK;
    free(text);
    if (!ok)
        return false;
    sqlite3_bind_blob(statement, 1, &plan, sizeof plan, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, (int64_t)shard->number);
    sqlite3_bind_int64(statement, 3, (int64_t)shard->profile);
    sqlite3_bind_int64(statement, 4, (int64_t)shard->planned);
    sqlite3_bind_int64(statement, 5, (int64_t)shard->made);
    sqlite3_bind_int64(statement, 6, (int64_t)shard->executions);
    sqlite3_bind_double(statement, 7, shard->seconds);
    sqlite3_bind_int(statement, 8, shard->complete);
    return finish(statement);
}

/* ---- a shard's own side ---- */

static struct sm_shard_plan plan_of(const struct sm_campaign *campaign,
                                    const struct sm_settings *settings, enum sm_command_bit command)
{
    const struct sm_target *target = &campaign->workers[0];
    struct sm_buffer options = {0};
    struct sm_shard_plan plan = {.command = sm_copy_text(sm_shard_command(command)),
                                 .target = sm_store_target(settings),
                                 .version = sm_copy_text(SM_VERSION),
                                 .build = sm_copy_text(target->build_id),
                                 .identity = {campaign->identity[0], campaign->identity[1]},
                                 .shards = settings->shard.of};
    sm_settings_plan(settings, command, &options);
    plan.options = options.data ? options.data : sm_copy_text("");
    for (size_t i = 0; i < target->environment.n; i++)
        sm_buffer_add(&plan.environment, target->environment.items[i],
                      strlen(target->environment.items[i]) + 1);
    struct sm_capture input = {.fd = target->input, .pass_to = -1};
    sm_capture_read(&input, &plan.input);
    return plan;
}

static bool note(const struct sm_campaign *campaign, const struct sm_settings *settings,
                 enum sm_command_bit command, const char *how, const struct sm_shard *shard,
                 struct sm_error *error)
{
    sqlite3 *db = sm_store_database(campaign->store);
    struct sm_shard_plan plan = plan_of(campaign, settings, command);
    bool ok = (write_plan(db, &plan) && write_shard(db, how, plan_key(&plan), shard)) ||
              sm_store_complain(campaign->store, error);
    free_plan(&plan);
    return ok;
}

bool sm_shard_begin(const struct sm_campaign *campaign, const struct sm_settings *settings,
                    enum sm_command_bit command, struct sm_error *error)
{
    return note(campaign, settings, command, "IGNORE",
                &(struct sm_shard){.number = settings->shard.index}, error);
}

static bool say(const struct sm_shard_report *report, const struct sm_settings *settings,
                struct sm_error *error)
{
    bool json_on_stdout = settings->json && strcmp(settings->json, "-") == 0;
    FILE *to = json_on_stdout ? stderr : stdout;
    if (!settings->quiet)
        sm_report_shard_text(report, to);
    fflush(to); /* a signal may kill this process before it exits */
    return !settings->json || sm_report_shard_json(report, settings->json, error);
}

bool sm_shard_finish(const struct sm_campaign *campaign, const struct sm_settings *settings,
                     enum sm_command_bit command, uint64_t profile, struct sm_error *error)
{
    struct sm_shard_report report = {.command = sm_shard_command(command),
                                     .out = settings->out ? settings->out : SM_OUT_DEFAULT,
                                     .target = settings->operands.items,
                                     .slice = settings->shard,
                                     .seconds = sm_campaign_seconds(campaign),
                                     .executions = campaign->executions,
                                     .found = campaign->found,
                                     .planned = campaign->planned,
                                     .made = campaign->made,
                                     .failed = campaign->failed,
                                     .complete = !campaign->cut};
    struct sm_shard shard = {.number = settings->shard.index,
                             .profile = profile,
                             .planned = report.planned,
                             .made = report.made,
                             .executions = report.executions + report.found,
                             .seconds = report.seconds,
                             .complete = report.complete};
    return note(campaign, settings, command, "REPLACE", &shard, error) &&
           say(&report, settings, error);
}

/* ---- reading ---- */

/* A store to read from. */
struct shard_store {
    const char *directory;
    sqlite3 *db;
    struct sm_shard_plan plan;
    uint64_t n_plans;
    uint64_t damaged_rows;
    bool broken; /* SQLite could not read all of it */
};

static char *text_of(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return sm_copy_text(text ? text : "");
}

static struct sm_buffer buffer_of(sqlite3_stmt *statement, int column)
{
    struct sm_buffer buffer = {0};
    sm_buffer_add(&buffer, sqlite3_column_blob(statement, column),
                  (size_t)sqlite3_column_bytes(statement, column));
    return buffer;
}

static bool take_plan(sqlite3_stmt *statement, struct sm_shard_plan *plan)
{
    struct sm_store_key key;
    if (sqlite3_column_bytes(statement, 0) != sizeof key ||
        sqlite3_column_bytes(statement, 5) != sizeof plan->identity)
        return false;
    *plan = (struct sm_shard_plan){.command = text_of(statement, 1),
                                   .options = text_of(statement, 2),
                                   .target = text_of(statement, 3),
                                   .version = text_of(statement, 4),
                                   .shards = (uint64_t)sqlite3_column_int64(statement, 6),
                                   .build = text_of(statement, 7),
                                   .environment = buffer_of(statement, 8),
                                   .input = buffer_of(statement, 9)};
    memcpy(plan->identity, sqlite3_column_blob(statement, 5), sizeof plan->identity);
    memcpy(&key, sqlite3_column_blob(statement, 0), sizeof key);
    struct sm_store_key whole = plan_key(plan);
    return memcmp(&whole, &key, sizeof key) == 0;
}

/* The first of several; a damaged plan counts as none. */
static void read_plan(struct shard_store *source)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(source->db,
                           "SELECT id, command, options, target, version, identity, shards, build,"
                           " environment, input FROM campaign",
                           -1, &statement, NULL) != SQLITE_OK) {
        source->broken = true;
        return;
    }
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        struct sm_shard_plan plan = {0};
        bool whole = take_plan(statement, &plan);
        if (whole && !source->n_plans++)
            source->plan = plan;
        else
            free_plan(&plan);
        source->broken |= !whole;
    }
    source->broken |= status != SQLITE_DONE;
    sqlite3_finalize(statement);
}

static bool open_source(struct shard_store *source)
{
    char *path = sm_print("%s/stalemate.db", source->directory);
    int status = sqlite3_open_v2(path, &source->db, SQLITE_OPEN_READWRITE, NULL);
    if (status != SQLITE_OK) { /* the directory may be read-only */
        sqlite3_close(source->db);
        status = sqlite3_open_v2(path, &source->db, SQLITE_OPEN_READONLY, NULL);
    }
    free(path);
    sqlite3_busy_timeout(source->db, 10000);
    return status == SQLITE_OK;
}

static void close_source(struct shard_store *source)
{
    free_plan(&source->plan);
    sqlite3_close(source->db);
}

/* ---- who may be merged with whom ---- */

struct gathering {
    struct sm_gathered *gathered;
    struct sm_store *to;
    const char *out;
    const char *first; /* the directory that the plan was found in */
    sqlite3_stmt *add;
    struct sm_error *error;
};

static bool same_bytes(const struct sm_buffer *a, const struct sm_buffer *b)
{
    return a->size == b->size && (!a->size || memcmp(a->data, b->data, a->size) == 0);
}

static bool refuse(const struct gathering *gathering, const char *directory, const char *why,
                   const char *theirs, const char *ours)
{
    return sm_fail(gathering->error, SM_STATUS_USAGE,
                   "merge: %s is not of the same campaign as %s: %s (%s, not %s); nothing was "
                   "merged",
                   directory, gathering->first, why, theirs, ours);
}

static const char *or_none(const char *options)
{
    return *options ? options + 1 : "none"; /* each is preceded by a blank */
}

static bool agree_in_texts(const struct gathering *gathering, const struct shard_store *source)
{
    const struct sm_shard_plan *ours = &gathering->gathered->plan, *theirs = &source->plan;
    const struct {
        const char *why, *theirs, *ours;
    } rows[] = {{"another command", theirs->command, ours->command},
                {"another version of Stalemate", theirs->version, ours->version},
                {"another program, or other arguments", theirs->target, ours->target},
                {"another build of the program", theirs->build, ours->build},
                {"other options", or_none(theirs->options), or_none(ours->options)}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].theirs, rows[i].ours) != 0)
            return refuse(gathering, source->directory, rows[i].why, rows[i].theirs, rows[i].ours);
    return true;
}

static bool agrees(const struct gathering *gathering, const struct shard_store *source)
{
    const struct sm_shard_plan *ours = &gathering->gathered->plan, *theirs = &source->plan;
    char numbers[2][24];
    if (!agree_in_texts(gathering, source))
        return false;
    snprintf(numbers[0], sizeof numbers[0], "%lu", (unsigned long)theirs->shards);
    snprintf(numbers[1], sizeof numbers[1], "%lu", (unsigned long)ours->shards);
    if (ours->shards != theirs->shards)
        return refuse(gathering, source->directory, "another number of shards", numbers[0],
                      numbers[1]);
    snprintf(numbers[0], sizeof numbers[0], "%016lx", (unsigned long)theirs->identity[0]);
    snprintf(numbers[1], sizeof numbers[1], "%016lx", (unsigned long)ours->identity[0]);
    if (memcmp(ours->identity, theirs->identity, sizeof ours->identity) == 0)
        return true;
    const char *why = !same_bytes(&ours->input, &theirs->input) ? "another standard input"
                      : !same_bytes(&ours->environment, &theirs->environment)
                          ? "another environment"
                          : "other shared libraries";
    return refuse(gathering, source->directory, why, numbers[0], numbers[1]);
}

static bool join(struct gathering *gathering, struct shard_store *source)
{
    struct sm_gathered *gathered = gathering->gathered;
    if (source->n_plans > 1)
        return sm_fail(gathering->error, SM_STATUS_USAGE,
                       "merge: %s holds shards of more than one campaign; give each its own "
                       "directory with --out DIR; nothing was merged",
                       source->directory);
    if (!source->n_plans)
        return true;
    if (gathered->plan.command)
        return agrees(gathering, source);
    gathered->plan = source->plan;
    source->plan = (struct sm_shard_plan){0};
    gathering->first = source->directory;
    gathered->shards = sm_new(gathered->plan.shards * sizeof *gathered->shards);
    return true;
}

/* ---- shards ---- */

/* Which of two results of one shard is kept, independently of their order. */
static bool is_better(const struct sm_shard *a, const struct sm_shard *b)
{
    if (a->complete != b->complete)
        return a->complete;
    if (a->made != b->made)
        return a->made > b->made;
    if (a->executions != b->executions)
        return a->executions < b->executions;
    return a->seconds < b->seconds;
}

static bool take_shard(struct gathering *gathering, const struct shard_store *source,
                       const struct sm_shard *shard)
{
    struct sm_gathered *gathered = gathering->gathered;
    if (!gathered->plan.command || !shard->number || shard->number > gathered->plan.shards)
        return true;
    if (shard->profile && gathered->profile && shard->profile != gathered->profile)
        return sm_fail(gathering->error, SM_STATUS_TARGET,
                       "merge: %s: the executions before the plan have shown other races than "
                       "those of %s: the program depends on something that Stalemate does not "
                       "control; nothing was merged",
                       source->directory, gathering->first);
    if (shard->profile)
        gathered->profile = shard->profile;
    struct sm_shard *known = &gathered->shards[shard->number - 1];
    if (!known->number || is_better(shard, known))
        *known = *shard;
    return true;
}

static bool take_shards(struct gathering *gathering, struct shard_store *source)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(source->db,
                           "SELECT number, profile, planned, made, executions, seconds, complete"
                           " FROM shard",
                           -1, &statement, NULL) != SQLITE_OK) {
        source->broken = true;
        return true;
    }
    int status;
    bool ok = true;
    while (ok && (status = sqlite3_step(statement)) == SQLITE_ROW)
        ok = take_shard(
            gathering, source,
            &(struct sm_shard){.number = (uint64_t)sqlite3_column_int64(statement, 0),
                               .profile = (uint64_t)sqlite3_column_int64(statement, 1),
                               .planned = (uint64_t)sqlite3_column_int64(statement, 2),
                               .made = (uint64_t)sqlite3_column_int64(statement, 3),
                               .executions = (uint64_t)sqlite3_column_int64(statement, 4),
                               .seconds = sqlite3_column_double(statement, 5),
                               .complete = sqlite3_column_int(statement, 6)});
    source->broken |= ok && status != SQLITE_DONE;
    sqlite3_finalize(statement);
    return ok;
}

/* ---- executions ---- */

static bool copy_rows(struct gathering *gathering, struct shard_store *source, const char *order,
                      bool *whole)
{
    sqlite3_stmt *statement;
    char *text = sm_print("SELECT " SM_STORE_ROW " FROM trial ORDER BY key %s", order);
    *whole = sqlite3_prepare_v2(source->db, text, -1, &statement, NULL) == SQLITE_OK;
    free(text);
    if (!*whole)
        return true;
    int status;
    bool ok = true;
    while (ok && (status = sqlite3_step(statement)) == SQLITE_ROW) {
        struct sm_store_row row;
        if (sm_store_row_read(statement, &row))
            ok = sm_store_row_write(gathering->add, &row) ||
                 sm_store_complain(gathering->to, gathering->error);
        else
            source->damaged_rows++;
    }
    *whole = ok && status == SQLITE_DONE;
    sqlite3_finalize(statement);
    return ok;
}

/* Rows after a page that cannot be read are read from the other end. */
static bool copy_all_rows(struct gathering *gathering, struct shard_store *source)
{
    bool whole;
    if (!copy_rows(gathering, source, "ASC", &whole))
        return false;
    if (whole)
        return true;
    source->broken = true;
    return copy_rows(gathering, source, "DESC", &whole);
}

/* ---- one directory ---- */

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void note_damage(struct gathering *gathering, const struct shard_store *source,
                        const char *why)
{
    char *text = sm_print("%s: %s", source->directory, why);
    sm_list_add(&gathering->gathered->merged.damaged, text);
    free(text);
}

static void say_damage(struct gathering *gathering, const struct shard_store *source)
{
    char *lost = NULL;
    if (source->broken)
        note_damage(gathering, source, "the store is damaged; what could be read was merged");
    else if (source->damaged_rows)
        note_damage(gathering, source,
                    lost = sm_print("%lu execution%s damaged, and left out",
                                    (unsigned long)source->damaged_rows,
                                    source->damaged_rows == 1 ? " of it is" : "s of it are"));
    else if (!source->n_plans)
        note_damage(gathering, source, "no shard has begun there");
    free(lost);
}

static bool add_source(struct gathering *gathering, struct shard_store *source, bool own)
{
    if (!open_source(source)) {
        if (!own)
            note_damage(gathering, source, "there is no store in it that can be read");
        return true;
    }
    read_plan(source);
    bool ok = join(gathering, source) && take_shards(gathering, source) &&
              (own || copy_all_rows(gathering, source));
    if (ok && !own)
        say_damage(gathering, source);
    return ok;
}

static bool add_directory(struct gathering *gathering, const char *directory, bool own)
{
    struct shard_store source = {.directory = directory};
    struct stat file;
    if (stat(directory, &file) != 0 || !S_ISDIR(file.st_mode))
        return sm_fail(gathering->error, SM_STATUS_USAGE,
                       "merge: there is no directory %s; nothing was merged", directory);
    bool ok = add_source(gathering, &source, own);
    close_source(&source);
    return ok;
}

/* ---- all ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool write_shards(const struct gathering *gathering)
{
    const struct sm_gathered *gathered = gathering->gathered;
    sqlite3 *db = sm_store_database(gathering->to);
    bool ok = write_plan(db, &gathered->plan);
    struct sm_store_key key = plan_key(&gathered->plan);
    for (uint64_t i = 0; ok && i < gathered->plan.shards; i++)
        if (gathered->shards[i].number)
            ok = write_shard(db, "REPLACE", key, &gathered->shards[i]);
    return ok || sm_store_complain(gathering->to, gathering->error);
}

static void sum_up(struct sm_gathered *gathered)
{
    struct sm_merged *merged = &gathered->merged;
    uint64_t n = merged->of = gathered->plan.shards;
    merged->missing = sm_new((n + 1) * sizeof *merged->missing);
    merged->incomplete = sm_new((n + 1) * sizeof *merged->incomplete);
    for (uint64_t i = 0; i < n; i++) {
        const struct sm_shard *shard = &gathered->shards[i];
        gathered->executions += shard->executions;
        gathered->seconds += shard->seconds;
        merged->merged += shard->number != 0;
        if (!shard->number)
            merged->missing[merged->n_missing++] = i + 1;
        else if (!shard->complete)
            merged->incomplete[merged->n_incomplete++] = i + 1;
    }
    if (merged->damaged.n)
        qsort(merged->damaged.items, merged->damaged.n, sizeof *merged->damaged.items, by_text);
}

static bool check_found(const struct gathering *gathering)
{
    const struct sm_list *damaged = &gathering->gathered->merged.damaged;
    return gathering->gathered->plan.command ||
           sm_fail(gathering->error, SM_STATUS_USAGE,
                   "merge: no shard in any of the directories%s%s; make them with: stalemate hunt "
                   "--shard I/N --out DIR -- PROGRAM",
                   damaged->n ? ": " : "", damaged->n ? damaged->items[0] : "");
}

static bool add_all(struct gathering *gathering, const struct sm_list *directories)
{
    bool ok = add_directory(gathering, gathering->out, true);
    for (size_t i = 0; ok && i < directories->n; i++)
        if (!is_same_file(directories->items[i], gathering->out))
            ok = add_directory(gathering, directories->items[i], false);
    return ok && check_found(gathering) && write_shards(gathering);
}

bool sm_gather(struct sm_gathered *gathered, struct sm_store *to, const char *out,
               const struct sm_list *directories, struct sm_error *error)
{
    struct gathering gathering = {
        .gathered = gathered, .to = to, .out = out, .first = out, .error = error};
    sqlite3 *db = sm_store_database(to);
    bool ok = sqlite3_exec(db, "PRAGMA cache_size=-32768; BEGIN IMMEDIATE", NULL, NULL, NULL) ==
                  SQLITE_OK &&
              sqlite3_prepare_v2(db,
                                 "INSERT INTO trial VALUES(?,?,?,?,?,?,?) ON CONFLICT(key) DO"
                                 " UPDATE SET layout=excluded.layout, facts=excluded.facts,"
                                 " races=excluded.races, violations=excluded.violations,"
                                 " text=excluded.text, sum=excluded.sum"
                                 " WHERE excluded.facts < facts",
                                 -1, &gathering.add, NULL) == SQLITE_OK;
    if (!ok)
        return sm_store_complain(to, error);
    ok = add_all(&gathering, directories);
    sqlite3_finalize(gathering.add);
    if (ok && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        ok = sm_store_complain(to, error);
    if (ok)
        sum_up(gathered);
    else
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

bool sm_gathered_fits(const struct sm_gathered *gathered, const struct sm_campaign *campaign,
                      struct sm_error *error)
{
    const struct sm_shard_plan *plan = &gathered->plan;
    const struct sm_target *target = &campaign->workers[0];
    if (memcmp(plan->identity, campaign->identity, sizeof plan->identity) == 0)
        return true;
    return sm_fail(
        error, SM_STATUS_USAGE,
        "merge: the stores are of another build of %s than the one that is here (%s, not "
        "%s), or of other shared libraries; the stores are merged, and for the result "
        "type the same command where the program is the one that the shards have run",
        target->arguments.items[0], plan->build, target->build_id);
}

bool sm_gathered_complete(const struct sm_gathered *gathered)
{
    return !gathered->merged.n_missing && !gathered->merged.n_incomplete;
}
