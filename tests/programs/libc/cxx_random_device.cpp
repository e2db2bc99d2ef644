// std::random_device asks the processor, unless the execution has numbers of its own.
#include <cassert>
#include <chrono>
#include <cstdio>
#include <new>
#include <random>
#include <string>
#include <thread>

int main()
{
    std::random_device device;
    unsigned first = device(), second = device();
    std::mt19937 generator(first ^ second);
    std::string text(generator() % 100, 'x');
    auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(generator() % 5));
    assert(std::chrono::steady_clock::now() >= before);
    int *block = new int[generator() % 1000 + 1];
    std::printf("%u %u %zu\n", first, second, text.size());
    delete[] block;
    return 0;
}
