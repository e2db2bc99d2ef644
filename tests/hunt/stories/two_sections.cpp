/* A session is looked for under a shared lock, and made under another: two threads make one each.
   The accesses are those of std::map; the sections of the lock tell it.
   TELLS: in Cache::find unlocks / in Cache::find locks / in Cache::find locks / Another thread had
   the lock NEVER: anonymous namespace | fetch_add | atomic read-modify-write */
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace
{

class Cache
{
  public:
    int find(int user)
    {
        {
            std::shared_lock<std::shared_mutex> reading(mutex_);
            auto at = sessions_.find(user);
            if (at != sessions_.end())
                return at->second;
        }
        int session = last_.fetch_add(1) + 1;
        std::unique_lock<std::shared_mutex> writing(mutex_);
        sessions_[user] = session;
        return session;
    }

  private:
    std::shared_mutex mutex_;
    std::map<int, int> sessions_;
    std::atomic<int> last_{0};
};

Cache cache;
int found[2];

} // namespace

int main()
{
    std::thread one([] { found[0] = cache.find(7); });
    std::thread other([] { found[1] = cache.find(7); });
    one.join();
    other.join();
    return found[0] != found[1];
}
