#include "campaign/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/options.h"

/* Kept results are only good for the layout they were written with. */
#define LAYOUT 2

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS execution("
    " key BLOB PRIMARY KEY, layout INTEGER NOT NULL, facts BLOB NOT NULL, races BLOB)"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS result("
    " identity BLOB PRIMARY KEY, target TEXT NOT NULL, finished TEXT NOT NULL,"
    " json TEXT NOT NULL) WITHOUT ROWID;";

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

static bool complain(const struct sm_store *store, struct sm_error *error)
{
    return sm_fail(error, SM_STATUS_USAGE,
                   "cannot use %s: %s; is the disk full, or the directory read-only? another "
                   "directory can be given with --out DIR",
                   store->path, sqlite3_errmsg(store->db));
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
    /* NORMAL: a power cut may lose the last results, never the file. */
    return sqlite3_busy_timeout(store->db, 10000) == SQLITE_OK &&
           sqlite3_exec(store->db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(store->db, schema, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(store->db,
                              "SELECT facts, races FROM execution WHERE key=? AND layout=?", -1,
                              &store->find, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO execution VALUES(?,?,?,?)", -1,
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
    complain(store, error);
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

bool sm_store_find(struct sm_store *store, struct sm_store_key key, struct sm_result *result)
{
    sqlite3_stmt *find = store->find;
    sqlite3_bind_blob(find, 1, &key, sizeof key, SQLITE_STATIC);
    sqlite3_bind_int(find, 2, LAYOUT);
    bool found = sqlite3_step(find) == SQLITE_ROW &&
                 sqlite3_column_bytes(find, 0) == sizeof result->facts &&
                 (size_t)sqlite3_column_bytes(find, 1) % sizeof *result->races == 0;
    if (found) {
        size_t size = (size_t)sqlite3_column_bytes(find, 1);
        *result = (struct sm_result){.n_races = (uint32_t)(size / sizeof *result->races)};
        memcpy(&result->facts, sqlite3_column_blob(find, 0), sizeof result->facts);
        if (size)
            result->races = sm_copy_bytes(sqlite3_column_blob(find, 1), size);
    }
    sqlite3_reset(find);
    return found;
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
    kept->result.races = result->n_races
                             ? sm_copy_bytes(result->races, result->n_races * sizeof *result->races)
                             : NULL;
}

static bool write_one(sqlite3_stmt *keep, const struct kept *kept)
{
    const struct sm_result *result = &kept->result;
    sqlite3_bind_blob(keep, 1, &kept->key, sizeof kept->key, SQLITE_STATIC);
    sqlite3_bind_int(keep, 2, LAYOUT);
    sqlite3_bind_blob(keep, 3, &result->facts, sizeof result->facts, SQLITE_STATIC);
    sqlite3_bind_blob(keep, 4, result->races, (int)(result->n_races * sizeof *result->races),
                      SQLITE_STATIC);
    bool ok = sqlite3_step(keep) == SQLITE_DONE;
    sqlite3_reset(keep);
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
        complain(store, error);
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
        return complain(store, error);
    sqlite3_bind_blob(statement, 1, identity, 2 * sizeof *identity, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, result->target, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, result->json, -1, SQLITE_STATIC);
    bool ok = sqlite3_step(statement) == SQLITE_DONE || complain(store, error);
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
        return complain(store, error);
    int status;
    while ((status = sqlite3_step(each)) == SQLITE_ROW) {
        struct sm_store_result result = {(const char *)sqlite3_column_text(each, 0),
                                         (const char *)sqlite3_column_text(each, 1),
                                         (const char *)sqlite3_column_text(each, 2)};
        if (!see(&result, context))
            break;
    }
    bool ok = status == SQLITE_DONE || status == SQLITE_ROW || complain(store, error);
    sqlite3_finalize(each);
    return ok;
}
