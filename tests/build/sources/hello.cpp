// The same in C++, with the worker in C.
#include <iostream>
#include <thread>

extern "C" {
#include "counter.h"
}

int main()
{
    std::thread thread(work, nullptr);
    work(nullptr);
    thread.join();
    std::cout << counter << std::endl;
    return 0;
}
