// output: ab-
// output: a-b
// output: -ab
// A stream of C++ prints in several calls, between which others may print.
#include <iostream>
#include <thread>

int main()
{
    std::thread other([] { std::cout << "a" << "b"; });
    std::cout << "-";
    other.join();
    return 0;
}
