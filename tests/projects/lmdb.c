/* LMDB: one thread writes pairs of equal values, two read them in transactions of their own. */
#include <assert.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MDB_env *environment;
static MDB_dbi table;

static void put(MDB_txn *transaction, char *key, int value)
{
    MDB_val name = {1, key}, data = {sizeof value, &value};
    assert(mdb_put(transaction, table, &name, &data, 0) == 0);
}

static int get(MDB_txn *transaction, char *key)
{
    MDB_val name = {1, key}, data;
    int value;
    assert(mdb_get(transaction, table, &name, &data) == 0);
    memcpy(&value, data.mv_data, sizeof value);
    return value;
}

static void write_pair(int value)
{
    MDB_txn *transaction;
    assert(mdb_txn_begin(environment, NULL, 0, &transaction) == 0);
    if (value == 0)
        assert(mdb_dbi_open(transaction, NULL, 0, &table) == 0);
    put(transaction, "a", value);
    put(transaction, "b", value);
    assert(mdb_txn_commit(transaction) == 0);
}

static void *reader(void *arg)
{
    for (int i = 0; i < 2; i++) {
        MDB_txn *transaction;
        assert(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction) == 0);
        assert(get(transaction, "a") == get(transaction, "b"));
        mdb_txn_abort(transaction);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    char directory[] = "lmdbXXXXXX";
    assert(mkdtemp(directory));
    mdb_env_create(&environment);
    mdb_env_set_mapsize(environment, 1 << 20);
    assert(mdb_env_open(environment, directory, MDB_NOSYNC, 0600) == 0);
    write_pair(0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 1; i < 4; i++)
        write_pair(i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mdb_env_close(environment);
    /* The next execution is to find what this one found. */
    assert(chdir(directory) == 0 && unlink("data.mdb") == 0 && unlink("lock.mdb") == 0);
    assert(chdir("..") == 0 && rmdir(directory) == 0);
    return 0;
}
