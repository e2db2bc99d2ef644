/*
 * One method of a class forgets the mutex that the others hold.
 *
 * fix: std::lock_guard<std::mutex> guard(mutex_);
 * not: fetch_sub
 * hides
 */
#include <cassert>
#include <mutex>
#include <thread>

class Counter
{
  public:
    void add(int n)
    {
        std::lock_guard<std::mutex> hold(mutex_);
        value_ += n;
    }
    void drop()
    {
        --value_;
    }
    int value()
    {
        std::lock_guard<std::mutex> hold(mutex_);
        return value_;
    }

  private:
    std::mutex mutex_;
    int value_ = 0;
};

static Counter counter;

int main()
{
    std::thread adder([] { counter.add(2); });
    std::thread dropper([] { counter.drop(); });
    adder.join();
    dropper.join();
    assert(counter.value() == 1);
    return 0;
}
