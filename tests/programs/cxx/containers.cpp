// Containers, strings, virtual calls, lambdas and streams under a mutex.
#include <cassert>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace
{

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() const override
    {
        return side * side;
    }
};
struct Strip : Shape {
    int length;
    explicit Strip(int l) : length(l) {}
    int area() const override
    {
        return length;
    }
};

std::mutex lock;
std::unordered_map<int, std::string> names;
std::deque<std::function<int()>> jobs;
std::vector<std::unique_ptr<Shape>> shapes;

void work(int id)
{
    for (int i = 0; i < 10; i++) {
        std::ostringstream name;
        name << id << ':' << i;
        std::lock_guard<std::mutex> hold(lock);
        names[id * 10 + i] = name.str();
        jobs.push_back([id, i] { return id + i; });
        if (i % 2)
            shapes.push_back(std::make_unique<Square>(i));
        else
            shapes.push_back(std::make_unique<Strip>(i));
    }
}

} // namespace

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(work, i);
    for (auto &thread : threads)
        thread.join();
    int area = 0, sum = 0;
    for (const auto &shape : shapes)
        area += shape->area();
    for (const auto &job : jobs)
        sum += job();
    assert(names.size() == 30 && names[17] == "1:7");
    assert(area == 3 * (1 + 9 + 25 + 49 + 81 + 0 + 2 + 4 + 6 + 8) && sum == 135 + 30);
    std::cout << "area " << area << std::endl;
    return 0;
}
