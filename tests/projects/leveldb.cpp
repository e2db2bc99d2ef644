// LevelDB: two threads write a batch each while a third reads a snapshot.
#include <leveldb/db.h>
#include <leveldb/write_batch.h>

#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

static leveldb::DB *database;

static void Write(const char *value)
{
    leveldb::WriteBatch batch;
    batch.Put("a", value);
    batch.Put("b", value);
    assert(database->Write(leveldb::WriteOptions(), &batch).ok());
}

static void Read()
{
    std::string a, b;
    leveldb::ReadOptions options;
    options.snapshot = database->GetSnapshot();
    leveldb::Status one = database->Get(options, "a", &a), two = database->Get(options, "b", &b);
    assert(one.ok() == two.ok() && a == b);
    database->ReleaseSnapshot(options.snapshot);
}

int main()
{
    char directory[] = "levelXXXXXX";
    leveldb::Options options;
    options.create_if_missing = true;
    assert(mkdtemp(directory));
    assert(leveldb::DB::Open(options, std::string(directory) + "/db", &database).ok());
    std::thread first(Write, "1"), second(Write, "2"), reader(Read);
    first.join();
    second.join();
    reader.join();
    delete database;
    // The next execution is to find what this one found.
    assert(leveldb::DestroyDB(std::string(directory) + "/db", options).ok());
    assert(rmdir(directory) == 0);
    return 0;
}
