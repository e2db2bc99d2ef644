// std::thread and what rests on it, std::atomic of many types.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

struct Pair {
    int a, b;
};
struct Wide {
    long a, b;
};

static std::atomic<int> count{0};
static std::atomic<bool> ready{false};
static std::atomic<Pair> pair{Pair{1, 2}};
static std::atomic<Wide> wide{Wide{1, 2}};
static std::atomic<double> real{1.5};
static std::atomic<Pair *> pointer{nullptr};
static std::atomic_flag spin = ATOMIC_FLAG_INIT;
static std::mutex mutex;
static std::condition_variable condition;
static std::once_flag once;
static int plain, queue;
static thread_local int local = 5;

static void work(int n)
{
    std::call_once(once, [] { queue = 10; });
    for (int i = 0; i < n; i++) {
        count.fetch_add(1, std::memory_order_relaxed);
        ++count;
        while (spin.test_and_set(std::memory_order_acquire))
            std::this_thread::yield();
        plain += local;
        spin.clear(std::memory_order_release);
    }
    local++;
    std::unique_lock<std::mutex> lock(mutex);
    queue++;
    condition.notify_all();
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(work, 100);
    {
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [] { return queue >= 13; });
    }
    std::thread last([&] {
        while (!ready.load(std::memory_order_acquire))
            std::this_thread::yield();
        plain++;
    });
    ready = true;
    for (auto &t : threads)
        t.join();
    last.join();
    std::printf("%d %d %d %d\n", count.load(), plain, queue, local);
    Pair expected{1, 2};
    bool made = pair.compare_exchange_strong(expected, Pair{3, 4});
    Pair now = pair;
    std::printf("%d %d %d\n", made, now.a, now.b);
    Wide w = wide.exchange(Wide{5, 6});
    Wide loaded = wide.load();
    std::printf("%ld %ld\n", w.b, loaded.a);
    double d = real;
    while (!real.compare_exchange_weak(d, d * 2))
        ;
    std::printf("%g\n", real.load());
    Pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    pointer = pairs;
    pointer++;
    std::printf("%d\n", pointer.load()->a);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::atomic_signal_fence(std::memory_order_acquire);
    auto future = std::async(std::launch::async, [] { return plain * 2; });
    std::printf("%d\n", future.get());
    return 0;
}
