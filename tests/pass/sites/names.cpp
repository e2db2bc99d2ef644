// What C++ programs call their memory.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace ns
{
inline namespace v1
{
struct Queue {
    int head = 0;
    std::atomic<int> tail{0};
    static int instances;
    // expect: STORE ns::Queue.head size=4 object=ns::Queue+0
    // expect: RMW ns::Queue.tail size=4
    void push()
    {
        head++;
        tail.fetch_add(1, std::memory_order_relaxed);
        instances++;
    }
};
int Queue::instances;
} // namespace v1
int variable;
} // namespace ns
// expect: STORE ns::Queue::instances size=4
// expect: STORE ns::variable size=4

namespace
{
struct Hidden {
    int field;
};
} // namespace

template <typename T> struct Box {
    T value;
    // expect: LOAD Box<long>.value size=8
    T get()
    {
        return value;
    }
};

struct Base {
    int shared = 0;
    // expect: _ZN4Base4baseEv LOAD Base.shared
    int base()
    {
        return shared;
    }
    virtual ~Base() {}
};
struct Derived : Base {
    int own = 1;
    // expect: _ZN7Derived7derivedEv LOAD Base.shared
    // expect: LOAD Derived.own
    int derived()
    {
        return shared + own;
    }
};

std::atomic<bool> ready{false};
std::atomic<int> flags[4];
ns::Queue queue;
static Hidden hidden;

// expect: ATOMIC_LOAD *counter size=4
int through_pointer(std::atomic<int> *counter)
{
    return counter->load();
}
// expect: STORE number size=4
void by_reference(int &number)
{
    number = 3;
}

// Arguments of templates that nobody writes.
// expect: LOAD std::_Vector_base<int>._M_impl size=8
// absent: std::allocator<
// absent: /../
size_t length(const std::vector<int> &numbers)
{
    return numbers.size();
}

// The program's own line and function, not the library's.
// absent: main ATOMIC_LOAD this
// count: 1 main ATOMIC_STORE ready size=1
// count: 1 main ATOMIC_LOAD flags[] size=4
// expect: RMW queue.tail size=4
// expect: LOAD done size=4
// expect: LOAD &done size=8
// expect: STORE Hidden.field size=4
// expect: ATOMIC_LOAD guard of
// expect: STORE Grid.cells[] size=4
// absent: operator[]
struct Grid {
    std::array<int, 4> cells;
};
static Grid grid;
static void fill(Grid *to, int at)
{
    to->cells[at] = at;
}
static void set(Hidden *h)
{
    h->field = 1;
}

// A constant Node is no second type of the name; the pointer is loaded from a local that escapes.
// expect: LOAD Node.next size=8
// absent: LOAD Node+0
struct Node {
    Node *next;
    std::atomic<int> owner{0};
};
std::atomic<Node *> top;
const Node *kept;
Node *pop()
{
    Node *first = top.load();
    while (first && !top.compare_exchange_weak(first, first->next))
        ;
    kept = first;
    return first;
}

// A pointer to the whole is one to its first member in each method of that which was inlined.
// expect: STORE Counters.misses size=8
struct First {
    int hits;
    void hit(int n)
    {
        hits += n;
    }
};
struct Counters {
    First first;
    long unused[4];
    long misses;
    void count(int n)
    {
        first.hit(n);
        first.hit(n + 1);
        first.hit(n + n);
        first.hit(n ^ 3);
        first.hit(n * n);
        first.hit(n | 1);
        first.hit(n & 7);
        first.hit(n - 9);
        first.hit(n / 2);
        first.hit(n % 5);
        misses += first.hits;
    }
};
Counters counters;
Counters *volatile every = &counters;

// Not by the name of its method's parameter.
// expect: STORE stopped size=1
// absent: *this
int waits()
{
    std::atomic<bool> stopped{false};
    std::thread thread([&stopped] {
        while (!stopped.load(std::memory_order_acquire))
            ;
    });
    stopped.store(true, std::memory_order_release);
    thread.join();
    return stopped.load();
}

int once(int n)
{
    static int value = n;
    return value;
}

int main()
{
    int done = 0;
    Box<long> box{1};
    Derived derived;
    std::thread thread([&done] {
        while (!ready.load(std::memory_order_acquire))
            ;
        done = done + 1;
    });
    ready.store(true, std::memory_order_release);
    thread.join();
    ns::variable = 2;
    queue.push();
    queue.tail++;
    by_reference(done);
    set(&hidden);
    fill(&grid, done & 3);
    every->count(done);
    return done + flags[done & 1].load() + static_cast<int>(box.get()) + derived.base() +
               derived.derived() + through_pointer(&flags[1]) + once(3) +
               static_cast<int>(length({1, 2})) + waits() + (pop() != nullptr) >
           1000;
}
