// Containers and idioms of C++: each thread has its own, all read one, or a mutex guards one. A
// round is about 64 operations.
#include "cell.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace
{

constexpr int n_items = 64;

// Read by all after prepare().
std::vector<int> common_vector;
std::map<int, int> common_map;
std::unordered_map<std::string, int> common_names;
std::vector<std::string> names;
std::shared_ptr<int> common_pointer;

// Under the mutex.
std::mutex lock;
std::vector<int> guarded_vector;
std::map<int, int> guarded_map;
std::deque<std::string> guarded_queue;

void prepare(int)
{
    common_vector.assign(n_items, 3);
    common_map.clear();
    common_names.clear();
    names.clear();
    for (int i = 0; i < n_items; i++) {
        common_map[i * 7 % n_items] = i;
        names.push_back("a name that is not short " + std::to_string(i));
        common_names[names.back()] = i;
    }
    common_pointer = std::make_shared<int>(1);
    guarded_vector.clear();
    guarded_map.clear();
    guarded_queue.clear();
}

BODY(vector_push)
{
    for (long i = 0; i < context->rounds; i++) {
        std::vector<int> numbers;
        for (int j = 0; j < n_items; j++)
            numbers.push_back(j);
        USE(numbers.data());
    }
}

BODY(vector_index)
{
    for (long i = 0; i < context->rounds; i++) {
        int sum = 0;
        for (int j = 0; j < n_items; j++)
            sum += common_vector[static_cast<unsigned>(j * 29) % n_items];
        USE(sum);
    }
}

BODY(vector_sort)
{
    std::vector<int> numbers(n_items);
    for (long i = 0; i < context->rounds; i++) {
        for (int j = 0; j < n_items; j++)
            numbers[j] = static_cast<int>(i + j * 37) % n_items;
        std::sort(numbers.begin(), numbers.end());
    }
}

BODY(bits)
{
    std::vector<bool> set(1024);
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++)
            set[static_cast<unsigned>(i + j * 37) % 1024] = !set[static_cast<unsigned>(j)];
}

BODY(string_append)
{
    for (long i = 0; i < context->rounds; i++) {
        std::string text;
        for (int j = 0; j < n_items; j++)
            text += static_cast<char>('a' + j % 26);
        USE(text.data());
    }
}

BODY(string_short)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++) {
            std::string text = std::to_string(j);
            USE(text.size());
        }
}

BODY(map_insert)
{
    for (long i = 0; i < context->rounds; i++) {
        std::map<int, int> map;
        for (int j = 0; j < n_items; j++)
            map[j * 37 % n_items] = j;
        USE(map.size());
    }
}

BODY(map_find)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++)
            USE(common_map.find(j)->second);
}

BODY(names_find)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++)
            USE(common_names.find(names[j])->second);
}

BODY(hash_insert)
{
    for (long i = 0; i < context->rounds; i++) {
        std::unordered_map<int, int> map;
        for (int j = 0; j < n_items; j++)
            map[j * 37] = j;
        USE(map.size());
    }
}

BODY(set_walk)
{
    std::set<int> set(common_vector.begin(), common_vector.end());
    for (int j = 0; j < n_items; j++)
        set.insert(j);
    for (long i = 0; i < context->rounds; i++) {
        int sum = 0;
        for (int value : set)
            sum += value;
        USE(sum);
    }
}

BODY(list_push)
{
    for (long i = 0; i < context->rounds; i++) {
        std::list<int> list;
        for (int j = 0; j < n_items; j++)
            list.push_back(j);
        USE(list.size());
    }
}

BODY(deque_push)
{
    std::deque<int> queue;
    for (long i = 0; i < context->rounds; i++) {
        for (int j = 0; j < n_items; j++)
            queue.push_back(j);
        while (!queue.empty())
            queue.pop_front();
    }
}

BODY(pointer_copy)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++) {
            std::shared_ptr<int> mine = common_pointer;
            USE(*mine);
        }
}

BODY(pointer_unique)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++) {
            auto mine = std::make_unique<std::array<int, 8>>();
            (*mine)[3] = j;
            USE(mine.get());
        }
}

BODY(function_call)
{
    int sum = 0;
    std::function<void(int)> add = [&sum](int value) { sum += value; };
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++)
            add(j);
    USE(sum);
}

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

struct Square : Shape {
    int side = 3;
    int area() const override
    {
        return side * side;
    }
};

struct Strip : Shape {
    int width = 5;
    int area() const override
    {
        return width;
    }
};

BODY(virtual_call)
{
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int j = 0; j < n_items; j++) {
        if (j % 3)
            shapes.push_back(std::make_unique<Square>());
        else
            shapes.push_back(std::make_unique<Strip>());
    }
    for (long i = 0; i < context->rounds; i++) {
        int sum = 0;
        for (const auto &shape : shapes)
            sum += shape->area();
        USE(sum);
    }
}

__attribute__((noinline)) void throw_it(long value)
{
    throw std::runtime_error(value ? "odd" : "even");
}

BODY(exception)
{
    for (long i = 0; i < context->rounds; i++) {
        try {
            throw_it(i % 2);
        } catch (const std::exception &error) {
            USE(error.what());
        }
    }
}

BODY(guarded_push)
{
    for (long i = 0; i < context->rounds; i++) {
        std::lock_guard<std::mutex> guard(lock);
        for (int j = 0; j < n_items; j++)
            guarded_vector.push_back(j);
        guarded_vector.clear();
    }
}

BODY(guarded_insert)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++) {
            std::lock_guard<std::mutex> guard(lock);
            guarded_map[j * 37 % n_items] += j;
        }
}

BODY(guarded_strings)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++) {
            std::string text = "message " + std::to_string(j) + " of a length";
            std::lock_guard<std::mutex> guard(lock);
            guarded_queue.push_back(std::move(text));
            if (guarded_queue.size() > 100)
                guarded_queue.pop_front();
        }
}

BODY(static_local)
{
    for (long i = 0; i < context->rounds; i++)
        for (int j = 0; j < n_items; j++) {
            static const std::vector<int> table(100, 2);
            USE(table[static_cast<unsigned>(j)]);
        }
}

} // namespace

#define BOTH(group, body)                                                                          \
    {"c++/" group "/" #body "/1", 1, body, prepare},                                               \
    {                                                                                              \
        "c++/" group "/" #body "/2", 2, body, prepare                                              \
    }

const struct cell cells[] = {
    BOTH("own", vector_push),    BOTH("read", vector_index),     BOTH("own", vector_sort),
    BOTH("own", bits),           BOTH("own", string_append),     BOTH("own", string_short),
    BOTH("own", map_insert),     BOTH("read", map_find),         BOTH("read", names_find),
    BOTH("own", hash_insert),    BOTH("own", set_walk),          BOTH("own", list_push),
    BOTH("own", deque_push),     BOTH("read", pointer_copy),     BOTH("own", pointer_unique),
    BOTH("own", function_call),  BOTH("own", virtual_call),      BOTH("own", exception),
    BOTH("mutex", guarded_push), BOTH("mutex", guarded_insert),  BOTH("mutex", guarded_strings),
    BOTH("read", static_local),  {nullptr, 0, nullptr, nullptr},
};

namespace
{

std::vector<int> racy_vector(8, 1);
std::map<int, int> racy_map{{1, 1}, {2, 2}, {3, 3}};
std::string racy_text = "a text that is kept in the heap, as it is long";

} // namespace

TWIN(twin_element)
{
    racy_vector[3] = 1;
}

TWIN(twin_value)
{
    racy_map.find(2)->second = 5;
}

TWIN(twin_looks)
{
    USE(racy_map.find(2)->second);
}

TWIN(twin_character)
{
    racy_text[17] = 'x';
}

TWIN(twin_counts)
{
    USE(std::count(racy_text.begin(), racy_text.end(), 'x'));
}

const struct twin twins[] = {
    {"vector", twin_element, twin_element},
    {"map", twin_value, twin_looks},
    {"text", twin_character, twin_counts},
    {nullptr, nullptr, nullptr},
};
