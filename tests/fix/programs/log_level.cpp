/*
 * A class whose methods hold its mutex by std::unique_lock, but for one that writes.
 *
 * fix: std::lock_guard<std::mutex>
 * not: std::atomic
 * hides
 */
#include <cassert>
#include <mutex>
#include <thread>

class logger
{
  public:
    void raise(int by)
    {
        std::unique_lock<std::mutex> hold(mutex_);
        level_ += by;
        changes_++;
    }
    void set(int level)
    {
        level_ = level;
        changes_++;
    }
    int changes()
    {
        std::unique_lock<std::mutex> hold(mutex_);
        return changes_;
    }

  private:
    std::mutex mutex_;
    int level_ = 0, changes_ = 0;
};

int main()
{
    logger log;
    std::thread one([&] { log.raise(1); });
    std::thread two([&] { log.set(5); });
    one.join();
    two.join();
    assert(log.changes() == 2);
    return 0;
}
