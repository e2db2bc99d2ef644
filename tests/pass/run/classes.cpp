// Exceptions, virtual calls, templates, statics, lambdas, the library's containers.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns
{
struct Base {
    int x = 1;
    virtual ~Base()
    {
        destroyed++;
    }
    virtual int get() const
    {
        return x;
    }
    static int destroyed;
};
int Base::destroyed;
struct Other {
    long tag = 5;
    virtual int other()
    {
        return static_cast<int>(tag);
    }
    virtual ~Other() = default;
};
struct Derived : Base, Other {
    int y = 2;
    int get() const override
    {
        return x + y;
    }
    int other() override
    {
        return static_cast<int>(tag) * y;
    }
};
struct Virtual : virtual Base {
    int z = 9;
    int get() const override
    {
        return x * z;
    }
};
} // namespace ns

template <typename T> struct Stack {
    std::vector<T> items;
    void push(T item)
    {
        items.push_back(std::move(item));
    }
    T pop()
    {
        if (items.empty())
            throw std::out_of_range("empty");
        T top = std::move(items.back());
        items.pop_back();
        return top;
    }
};

struct Guard {
    int &count;
    explicit Guard(int &c) : count(c)
    {
        count++;
    }
    ~Guard()
    {
        count--;
    }
};

static int depth, caught;

static int thrower(int n)
{
    Guard guard(depth);
    if (n == 0)
        throw std::runtime_error("bottom");
    if (n == 3) {
        try {
            return thrower(n - 1);
        } catch (const std::runtime_error &e) {
            caught++;
            throw;
        }
    }
    return thrower(n - 1) + 1;
}

static int quiet(int n) noexcept
{
    try {
        return thrower(n);
    } catch (const std::exception &e) {
        std::printf("%s %d %d\n", e.what(), depth, caught);
        return -1;
    }
}

static int &counter()
{
    static int count = std::max(depth, 41);
    return ++count;
}

inline int inline_function(const std::string &s)
{
    static std::map<std::string, int> seen;
    return ++seen[s];
}

// A library function that is not declared noexcept: a call that seems to throw.
unsigned long length_of(const char *) asm("strlen");
__attribute__((always_inline)) static inline unsigned long inlined_length(const char *s)
{
    return length_of(s);
}
static unsigned long lengths(char *s)
{
    Guard guard(depth);
    s[1] = 0;
    return length_of(s) + inlined_length(s + 2);
}

struct alignas(64) Aligned {
    char bytes[70];
};

struct Member {
    int a, b;
    int sum() const
    {
        return a + b;
    }
};

int main()
{
    ns::Derived d;
    ns::Base *base = &d;
    ns::Other *other = &d;
    ns::Virtual v;
    std::printf("%d %d %d\n", base->get(), other->other(), static_cast<ns::Base &>(v).get());
    std::printf("%d\n", quiet(6));
    Stack<std::string> strings;
    strings.push("one"), strings.push("two");
    std::printf("%s %s\n", strings.pop().c_str(), strings.pop().c_str());
    try {
        strings.pop();
    } catch (std::out_of_range &e) {
        std::printf("%s\n", e.what());
    }
    std::printf("%d %d\n", counter(), counter());
    int total = 0;
    std::vector<int> numbers{3, 1, 2};
    std::function<void(int)> add = [&total, k = 2](int n) mutable { total += n * k++; };
    std::for_each(numbers.begin(), numbers.end(), add);
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
    std::printf("%d %d\n", total, numbers[0]);
    std::printf("%d %d\n", inline_function("a"), inline_function("a"));
    auto owner = std::make_unique<ns::Derived>();
    std::shared_ptr<ns::Base> shared = std::make_shared<ns::Derived>(), copy = shared;
    shared.reset();
    owner.reset();
    std::printf("%d %ld\n", ns::Base::destroyed, copy.use_count());
    char text[] = "abcdef";
    std::printf("%lu\n", lengths(text));
    Aligned aligned{};
    aligned.bytes[69] = 7;
    Aligned second = aligned;
    int Member::*pointer = &Member::b;
    int (Member::*method)() const = &Member::sum;
    Member m{1, 2};
    m.*pointer += 5;
    std::printf("%d %d %d\n", second.bytes[69], m.b, (m.*method)());
    return 0;
}
