// right: 1
// wrong: 0 1
// A class with a mutex and a condition; wrong: one of its functions forgets the mutex.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

class Slot
{
    std::mutex mutex;
    std::condition_variable filled;
    bool full = false;
    int value = 0;

  public:
    void put(int what)
    {
        std::lock_guard<std::mutex> guard(mutex);
        value = what;
        full = true;
        filled.notify_one();
    }
    int take()
    {
        std::unique_lock<std::mutex> guard(mutex);
        filled.wait(guard, [this] { return full; });
        return value;
    }
    int peek()
    {
#ifdef WRONG
        if (full)
            return value;
#endif
        return take();
    }
};

int main()
{
    Slot slot;
    std::thread producer([&slot] { slot.put(1); });
    std::printf("%d\n", slot.peek());
    producer.join();
    return 0;
}
