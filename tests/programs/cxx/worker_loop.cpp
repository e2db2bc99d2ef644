// The loop of a worker as it is usually written in C++: a lambda calls it. It is no unit of work.
#include <condition_variable>
#include <mutex>
#include <thread>

class Worker
{
    std::mutex mutex;
    std::condition_variable wake;
    bool stop = false;
    int work = 0, done = 0;
    std::thread thread;

    void run()
    {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return stop || work; });
            bool last = stop;
            int n = work;
            work = 0;
            lock.unlock();
            for (int i = 0; i < n; i++)
                done++; // no other thread's
            lock.lock();
            if (last && !work)
                return;
        }
    }

  public:
    Worker() : thread([this] { run(); }) {}

    void add()
    {
        {
            std::lock_guard<std::mutex> lock(mutex);
            work++;
        }
        wake.notify_one();
    }

    int close()
    {
        {
            std::lock_guard<std::mutex> lock(mutex);
            stop = true;
        }
        wake.notify_one();
        thread.join();
        return done;
    }
};

int main()
{
    Worker worker;
    worker.add();
    worker.add();
    return worker.close() == 2 ? 0 : 1;
}
