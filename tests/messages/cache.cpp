// Two locks of two objects, which have the same name.
#include <mutex>
#include <thread>
class Entry
{
  public:
    void fill()
    {
        std::lock_guard<std::mutex> hold(mutex_);
        size_ = 1;
    }
    template <typename F> void with(F f)
    {
        std::lock_guard<std::mutex> hold(mutex_);
        f();
    }

  private:
    std::mutex mutex_;
    int size_ = 0;
};
class Cache
{
  public:
    void charge()
    {
        mutex_.lock();
        used_++;
        mutex_.unlock();
    }
    void render()
    {
        entry_->with([this] { charge(); });
    }
    void recount()
    {
        std::unique_lock<std::mutex> hold(mutex_);
        entry_->fill();
    }

  private:
    std::mutex mutex_;
    Entry *entry_ = new Entry;
    int used_ = 0;
};
int main()
{
    Cache cache;
    std::thread renderer([&] { cache.render(); }), janitor([&] { cache.recount(); });
    renderer.join();
    janitor.join();
}
