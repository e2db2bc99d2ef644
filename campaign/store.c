#include "campaign/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/options.h"
#include "campaign/store_rows.h"

/* Kept results are only good for the layout they were written with. */
#define LAYOUT 5

/* An earlier layout had the table `execution`. */
static const char schema[] =
    "BEGIN;"
    "DROP TABLE IF EXISTS execution;"
    "CREATE TABLE IF NOT EXISTS trial("
    " key BLOB PRIMARY KEY, layout INTEGER NOT NULL, facts BLOB NOT NULL, races BLOB,"
    " violations BLOB, text BLOB, sum INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS campaign("
    " id BLOB PRIMARY KEY, command TEXT NOT NULL, options TEXT NOT NULL, target TEXT NOT NULL,"
    " version TEXT NOT NULL, identity BLOB NOT NULL, shards INTEGER NOT NULL, build TEXT NOT NULL,"
    " environment BLOB NOT NULL, input BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS shard("
    " campaign BLOB NOT NULL, number INTEGER NOT NULL, profile INTEGER NOT NULL,"
    " planned INTEGER NOT NULL, made INTEGER NOT NULL, executions INTEGER NOT NULL,"
    " seconds REAL NOT NULL, complete INTEGER NOT NULL, PRIMARY KEY(campaign, number))"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS result("
    " identity BLOB PRIMARY KEY, target TEXT NOT NULL, finished TEXT NOT NULL,"
    " json TEXT NOT NULL) WITHOUT ROWID;"
    "COMMIT;";

struct kept {
    struct sm_store_key key;
    struct sm_result result;
};

struct sm_store {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *find, *keep;
    struct kept *kept; /* not yet written */
    size_t n_kept, room;
};

bool sm_store_complain(const struct sm_store *store, struct sm_error *error)
{
    return sm_fail(error, SM_STATUS_USAGE,
                   "cannot use %s: %s; is the disk full, or the directory read-only? another "
                   "directory can be given with --out DIR",
                   store->path, sqlite3_errmsg(store->db));
}

sqlite3 *sm_store_database(struct sm_store *store)
{
    return store->db;
}

/* ---- opening ---- */

static bool make_directory(const char *directory, struct sm_error *error)
{
    struct stat file;
    if (mkdir(directory, 0777) == 0)
        return true;
    int reason = errno;
    if (reason == EEXIST && stat(directory, &file) == 0 && S_ISDIR(file.st_mode))
        return true;
    return sm_fail(error, SM_STATUS_USAGE,
                   "cannot make the directory %s: %s; another can be given with --out DIR",
                   directory, strerror(reason == EEXIST ? ENOTDIR : reason));
}

static bool prepare(struct sm_store *store)
{
    /* NORMAL: a power failure may lose the last results, never the file. */
    return sqlite3_busy_timeout(store->db, 10000) == SQLITE_OK &&
           sqlite3_exec(store->db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(store->db, schema, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(store->db, "SELECT " SM_STORE_ROW " FROM trial WHERE key=?", -1,
                              &store->find, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO trial VALUES(?,?,?,?,?,?,?)", -1,
                              &store->keep, NULL) == SQLITE_OK;
}

struct sm_store *sm_store_open(const char *directory, struct sm_error *error)
{
    if (!make_directory(directory, error))
        return NULL;
    struct sm_store *store = sm_new(sizeof *store);
    store->path = sm_print("%s/stalemate.db", directory);
    if (sqlite3_open(store->path, &store->db) == SQLITE_OK && prepare(store))
        return store;
    sm_store_complain(store, error);
    sm_store_close(store);
    return NULL;
}

void sm_store_close(struct sm_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->n_kept; i++)
        sm_result_free(&store->kept[i].result);
    free(store->kept);
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->keep);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}

/* ---- executions ---- */

/* What the store says of violations, before the violations themselves. */
struct violations_row {
    uint64_t lost, tuples, tuples_lost;
};

static uint64_t sum_of(const struct sm_store_row *row)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (int i = 0; i < SM_STORE_BLOBS; i++) {
        uint64_t size = row->blobs[i].size;
        XXH3_64bits_update(state, &size, sizeof size);
        if (size)
            XXH3_64bits_update(state, row->blobs[i].bytes, size);
    }
    uint64_t sum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return sum;
}

bool sm_store_row_read(sqlite3_stmt *statement, struct sm_store_row *row)
{
    for (int i = 0; i < SM_STORE_BLOBS; i++)
        row->blobs[i] = (struct sm_store_blob){sqlite3_column_blob(statement, i),
                                               (size_t)sqlite3_column_bytes(statement, i)};
    row->layout = sqlite3_column_int(statement, SM_STORE_BLOBS);
    row->sum = (uint64_t)sqlite3_column_int64(statement, SM_STORE_BLOBS + 1);
    return row->layout == LAYOUT && row->sum == sum_of(row) &&
           row->blobs[SM_STORE_KEY].size == sizeof(struct sm_store_key) &&
           row->blobs[SM_STORE_FACTS].size >= sizeof(struct sm_result_facts);
}

bool sm_store_row_write(sqlite3_stmt *statement, const struct sm_store_row *row)
{
    static const int columns[SM_STORE_BLOBS] = {1, 3, 4, 5, 6};
    for (int i = 0; i < SM_STORE_BLOBS; i++)
        sqlite3_bind_blob(statement, columns[i], row->blobs[i].bytes, (int)row->blobs[i].size,
                          SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, row->layout);
    sqlite3_bind_int64(statement, 7, (int64_t)row->sum);
    bool ok = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return ok;
}

static void unpack_violations(const struct sm_store_blob *blob, struct sm_result *result)
{
    struct violations_row head;
    if (blob->size < sizeof head)
        return;
    memcpy(&head, blob->bytes, sizeof head);
    size_t size = blob->size - sizeof head;
    result->violations_lost = (uint32_t)head.lost;
    result->tuples = head.tuples;
    result->tuples_lost = head.tuples_lost;
    result->n_violations = (uint32_t)(size / sizeof *result->violations);
    result->violations = sm_copy_bytes((const char *)blob->bytes + sizeof head, size);
}

/* The keys follow the facts. */
static void unpack_covered(const struct sm_store_blob *facts, struct sm_result *result)
{
    size_t size = facts->size - sizeof result->facts;
    result->n_covered = size / sizeof *result->covered;
    if (size)
        result->covered = sm_copy_bytes((const char *)facts->bytes + sizeof result->facts, size);
}

static void pack_facts(const struct sm_result *result, struct sm_buffer *to)
{
    sm_buffer_add(to, &result->facts, sizeof result->facts);
    sm_buffer_add(to, result->covered, result->n_covered * sizeof *result->covered);
}

static void unpack(const struct sm_store_row *row, struct sm_result *result)
{
    const struct sm_store_blob *races = &row->blobs[SM_STORE_RACES];
    const struct sm_store_blob *text = &row->blobs[SM_STORE_TEXT];
    *result = (struct sm_result){.n_races = (uint32_t)(races->size / sizeof *result->races)};
    memcpy(&result->facts, row->blobs[SM_STORE_FACTS].bytes, sizeof result->facts);
    if (result->n_races)
        result->races = sm_copy_bytes(races->bytes, races->size);
    unpack_covered(&row->blobs[SM_STORE_FACTS], result);
    unpack_violations(&row->blobs[SM_STORE_VIOLATIONS], result);
    if (text->size)
        result->text = sm_print("%.*s", (int)text->size, (const char *)text->bytes);
}

bool sm_store_find(struct sm_store *store, struct sm_store_key key, struct sm_result *result)
{
    struct sm_store_row row;
    sqlite3_bind_blob(store->find, 1, &key, sizeof key, SQLITE_STATIC);
    bool found = sqlite3_step(store->find) == SQLITE_ROW && sm_store_row_read(store->find, &row);
    if (found)
        unpack(&row, result);
    sqlite3_reset(store->find);
    return found;
}

static void *copy_array(const void *items, size_t n, size_t size)
{
    return n ? sm_copy_bytes(items, n * size) : NULL;
}

void sm_store_keep(struct sm_store *store, struct sm_store_key key, const struct sm_result *result)
{
    if (store->n_kept == store->room) {
        store->room = store->room ? store->room * 2 : 64;
        store->kept = sm_resize(store->kept, store->room * sizeof *store->kept);
    }
    struct kept *kept = &store->kept[store->n_kept++];
    *kept = (struct kept){key, *result};
    kept->result.choices = NULL;
    kept->result.foreseen = NULL;
    kept->result.races = copy_array(result->races, result->n_races, sizeof *result->races);
    kept->result.violations =
        copy_array(result->violations, result->n_violations, sizeof *result->violations);
    kept->result.covered = copy_array(result->covered, result->n_covered, sizeof *result->covered);
    kept->result.text = sm_copy_text(result->text);
}

static void pack_violations(const struct sm_result *result, struct sm_buffer *to)
{
    struct violations_row head = {result->violations_lost, result->tuples, result->tuples_lost};
    if (!head.lost && !head.tuples && !head.tuples_lost && !result->n_violations)
        return;
    sm_buffer_add(to, &head, sizeof head);
    sm_buffer_add(to, result->violations, result->n_violations * sizeof *result->violations);
}

static bool write_one(sqlite3_stmt *keep, const struct kept *kept)
{
    const struct sm_result *result = &kept->result;
    struct sm_buffer violations = {0}, facts = {0};
    pack_facts(result, &facts);
    pack_violations(result, &violations);
    struct sm_store_row row = {
        .layout = LAYOUT,
        .blobs = {[SM_STORE_KEY] = {&kept->key, sizeof kept->key},
                  [SM_STORE_FACTS] = {facts.data, facts.size},
                  [SM_STORE_RACES] = {result->races, result->n_races * sizeof *result->races},
                  [SM_STORE_VIOLATIONS] = {violations.data, violations.size},
                  [SM_STORE_TEXT] = {result->text, result->text ? strlen(result->text) : 0}}};
    row.sum = sum_of(&row);
    bool ok = sm_store_row_write(keep, &row);
    sm_buffer_free(&violations);
    sm_buffer_free(&facts);
    return ok;
}

bool sm_store_flush(struct sm_store *store, struct sm_error *error)
{
    if (!store->n_kept)
        return true;
    bool ok = sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    for (size_t i = 0; ok && i < store->n_kept; i++)
        ok = write_one(store->keep, &store->kept[i]);
    ok = ok && sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) {
        sm_store_complain(store, error);
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    for (size_t i = 0; i < store->n_kept; i++)
        sm_result_free(&store->kept[i].result);
    store->n_kept = 0;
    return true;
}

/* ---- results ---- */

bool sm_store_put(struct sm_store *store, const uint64_t identity[2],
                  const struct sm_store_result *result, struct sm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db,
                           "INSERT OR REPLACE INTO result VALUES(?, ?, datetime('now'), ?)", -1,
                           &statement, NULL) != SQLITE_OK)
        return sm_store_complain(store, error);
    sqlite3_bind_blob(statement, 1, identity, 2 * sizeof *identity, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, result->target, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, result->json, -1, SQLITE_STATIC);
    bool ok = sqlite3_step(statement) == SQLITE_DONE || sm_store_complain(store, error);
    sqlite3_finalize(statement);
    return ok;
}

char *sm_store_target(const struct sm_settings *settings)
{
    struct sm_buffer target = {0};
    for (size_t i = 0; i < settings->operands.n; i++) {
        sm_buffer_text(&target, i ? " " : "");
        sm_quote_word(settings->operands.items[i], &target);
    }
    return target.data;
}

bool sm_store_result(const struct sm_settings *settings, const char *command, const char *json,
                     struct sm_error *error)
{
    struct sm_buffer text = {0};
    char *target = sm_store_target(settings);
    struct sm_store *store = sm_store_open(settings->out ? settings->out : SM_OUT_DEFAULT, error);
    sm_buffer_print(&text, "%s -- %s", command, target);
    sm_settings_repeat(settings, &text);
    XXH128_hash_t hash = XXH3_128bits(text.data, text.size);
    bool ok =
        store && sm_store_put(store, (uint64_t[]){hash.low64, hash.high64},
                              &(struct sm_store_result){.target = target, .json = json}, error);
    sm_store_close(store);
    sm_buffer_free(&text);
    free(target);
    return ok;
}

bool sm_store_each(struct sm_store *store,
                   bool (*see)(const struct sm_store_result *result, void *context), void *context,
                   struct sm_error *error)
{
    sqlite3_stmt *each;
    if (sqlite3_prepare_v2(store->db,
                           "SELECT target, finished, json FROM result ORDER BY finished, target",
                           -1, &each, NULL) != SQLITE_OK)
        return sm_store_complain(store, error);
    int status;
    while ((status = sqlite3_step(each)) == SQLITE_ROW) {
        struct sm_store_result result = {(const char *)sqlite3_column_text(each, 0),
                                         (const char *)sqlite3_column_text(each, 1),
                                         (const char *)sqlite3_column_text(each, 2)};
        if (!see(&result, context))
            break;
    }
    bool ok = status == SQLITE_DONE || status == SQLITE_ROW || sm_store_complain(store, error);
    sqlite3_finalize(each);
    return ok;
}
