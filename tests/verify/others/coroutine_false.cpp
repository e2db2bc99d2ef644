// flags: -std=c++20
// violation: fails the assertion
// race: std::coroutine_handle<void>._M_fr_ptr
// The twin of coroutine.cpp that says it is suspended before the handle is there.
#include <cassert>
#include <coroutine>
#include <exception>
#include <semaphore>
#include <thread>

static std::binary_semaphore suspended{0}, done{0};
static std::coroutine_handle<> waiting;

struct suspend {
    bool await_ready()
    {
        return false;
    }
    void await_suspend(std::coroutine_handle<> handle)
    {
        suspended.release();
        waiting = handle;
    }
    void await_resume() {}
};

struct task {
    struct promise_type {
        task get_return_object()
        {
            return {};
        }
        std::suspend_never initial_suspend()
        {
            return {};
        }
        std::suspend_never final_suspend() noexcept
        {
            return {};
        }
        void return_void() {}
        void unhandled_exception()
        {
            std::terminate();
        }
    };
};

static void look(int *value)
{
    ++*value;
}

static task job()
{
    int value = 1;
    look(&value);
    co_await suspend{};
    look(&value);
    assert(value == 3);
    done.release();
}

int main()
{
    std::thread other([] {
        suspended.acquire();
        assert(waiting);
        waiting.resume();
    });
    job();
    done.acquire();
    other.join();
}
