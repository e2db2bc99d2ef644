/*
 * A flag and its message, both members of a class.
 *
 * fix: std::atomic<bool>
 * fix: std::memory_order_release
 * fix: std::memory_order_acquire
 * hides
 */
#include <cassert>
#include <thread>

class mailbox
{
  public:
    void put(int message)
    {
        message_ = message;
        full_ = true;
    }
    bool get(int *message)
    {
        if (!full_)
            return false;
        *message = message_;
        return true;
    }

  private:
    int message_ = 0;
    bool full_ = false;
};

static mailbox box;

int main()
{
    std::thread sender([] { box.put(7); });
    std::thread receiver([] {
        int message = 0;
        if (box.get(&message))
            assert(message == 7);
    });
    sender.join();
    receiver.join();
    return 0;
}
