/* SQLite with one cache that the connections of all threads share: each inserts into its table. */
#include "programs/bench.h"
#include <sched.h>
#include <sqlite3.h>

static const char *const name = "file:bench?mode=memory&cache=shared";
static int n_rows, n_threads;

static sqlite3 *open_database(void)
{
    sqlite3 *database;
    if (sqlite3_open_v2(name, &database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI |
                            SQLITE_OPEN_SHAREDCACHE,
                        NULL))
        abort();
    return database;
}

/* A table, or the whole cache, that another connection has locked is tried again. */
static void run(sqlite3 *database, const char *text)
{
    int status;
    while ((status = sqlite3_exec(database, text, NULL, NULL, NULL) & 255) == SQLITE_LOCKED ||
           status == SQLITE_BUSY)
        sched_yield();
    if (status != SQLITE_OK) {
        fprintf(stderr, "sqlite: %s: %s\n", text, sqlite3_errmsg(database));
        abort();
    }
}

static void insert_batch(sqlite3 *database, sqlite3_stmt *insert, int id, int from)
{
    run(database, "begin immediate");
    for (int i = from; i < from + 50 && i < n_rows; i++) {
        char text[32];
        int n = sprintf(text, "row %d of %d", i * 7919 % n_rows, id);
        sqlite3_bind_int(insert, 1, i * 7919 % n_rows);
        sqlite3_bind_text(insert, 2, text, n, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE)
            abort();
        sqlite3_reset(insert);
    }
    run(database, "commit");
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    sqlite3 *database = open_database();
    sqlite3_stmt *insert;
    char text[64];
    sprintf(text, "insert into t%d values (?, ?)", id);
    while (sqlite3_prepare_v2(database, text, -1, &insert, NULL) != SQLITE_OK)
        sched_yield();
    for (int i = 0; i < n_rows; i += 50)
        insert_batch(database, insert, id, i);
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return NULL;
}

static int print_row(void *unused, int n, char **values, char **names)
{
    (void)unused, (void)n, (void)names;
    printf("sqlite %s %s\n", values[0], values[1]);
    return 0;
}

int main(int argc, char **argv)
{
    n_rows = argument(argc, argv, 1, 20000);
    n_threads = argument(argc, argv, 2, 3);
    sqlite3 *database = open_database();
    for (int i = 0; i < n_threads; i++) {
        char text[96];
        sprintf(text, "create table t%d(a integer, b text); create index i%d on t%d(b)", i, i, i);
        run(database, text);
    }
    run_threads(n_threads, worker);
    for (int i = 0; i < n_threads; i++) {
        char text[96];
        sprintf(text, "select count(*), sum(a * length(b)) from t%d", i);
        if (sqlite3_exec(database, text, print_row, NULL, NULL))
            abort();
    }
    sqlite3_close(database);
    return 0;
}
