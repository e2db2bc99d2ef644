/* SQLite: two threads, each with its connection to a shared cache, count up one row. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdlib.h>

static const char name[] = "file:counter?mode=memory&cache=shared";

static int execute(sqlite3 *database, const char *text)
{
    int got;
    while ((got = sqlite3_exec(database, text, NULL, NULL, NULL)) == SQLITE_LOCKED ||
           got == SQLITE_BUSY)
        sched_yield();
    return got;
}

static void *count(void *arg)
{
    sqlite3 *database;
    assert(sqlite3_open_v2(name, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL) == 0);
    assert(execute(database, "update t set n = n + 1") == 0);
    assert(sqlite3_close(database) == 0);
    return arg;
}

static int take(void *arg, int n, char **values, char **names)
{
    (void)n;
    (void)names;
    *(int *)arg = atoi(values[0]);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    sqlite3 *database;
    int n = 0, flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
    assert(sqlite3_open_v2(name, &database, flags, NULL) == 0);
    assert(execute(database, "create table t(n); insert into t values(0)") == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sqlite3_exec(database, "select n from t", take, &n, NULL) == 0);
    assert(sqlite3_close(database) == 0);
    return n != 2;
}
