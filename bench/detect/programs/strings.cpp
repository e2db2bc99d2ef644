// An index of words: threads split lines, count in maps of their own, and merge under a mutex.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace
{

using Index = std::unordered_map<std::string, std::vector<int>>;

struct Shared {
    std::vector<std::string> lines;
    std::atomic<int> next{0};
    std::mutex lock;
    Index index;
};

std::string word(unsigned number)
{
    static const char *const syllables[] = {"ra", "ce", "lo", "ck", "me", "mo", "ry", "fen"};
    std::string text;
    for (; number; number /= 8)
        text += syllables[number % 8];
    return text;
}

std::vector<std::string> make_lines(int n)
{
    std::vector<std::string> lines;
    std::uint32_t seed = 12;
    for (int i = 0; i < n; i++) {
        std::string line;
        for (int j = 0; j < 10; j++) {
            seed = seed * 1664525 + 1013904223;
            line += word((seed >> 16) % 4000 + 1) + (j % 3 ? " " : ", ");
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

void index_line(const std::string &line, int number, Index &index)
{
    std::string current;
    for (char letter : line) {
        if (letter != ' ' && letter != ',') {
            current.push_back(letter);
            continue;
        }
        if (!current.empty())
            index[current].push_back(number);
        current.clear();
    }
}

void merge(Shared &shared, Index &mine)
{
    std::lock_guard<std::mutex> guard(shared.lock);
    for (auto &[text, numbers] : mine) {
        auto &all = shared.index[text];
        all.insert(all.end(), numbers.begin(), numbers.end());
    }
}

void work(Shared &shared)
{
    const int n = static_cast<int>(shared.lines.size()), chunk = 500;
    for (int from; (from = shared.next.fetch_add(chunk)) < n;) {
        Index mine;
        for (int i = from; i < std::min(n, from + chunk); i++)
            index_line(shared.lines[i], i, mine);
        merge(shared, mine);
    }
}

std::string describe(const std::string &text, std::vector<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    std::string line = text + ": " + std::to_string(numbers.size());
    for (std::size_t i = 0; i < numbers.size() && i < 20; i++)
        line.append(" ").append(std::to_string(numbers[i]));
    return line;
}

} // namespace

int main(int argc, char **argv)
{
    Shared shared;
    shared.lines = make_lines(argc > 1 ? std::atoi(argv[1]) : 60000);
    std::vector<std::thread> threads;
    for (int i = 0; i < (argc > 2 ? std::atoi(argv[2]) : 2); i++)
        threads.emplace_back([&shared] { work(shared); });
    for (auto &thread : threads)
        thread.join();
    std::vector<std::string> report;
    for (const auto &[text, numbers] : shared.index)
        report.push_back(describe(text, numbers));
    std::sort(report.begin(), report.end());
    std::uint64_t sum = 0;
    for (const auto &line : report)
        for (char letter : line)
            sum = sum * 31 + static_cast<unsigned char>(letter);
    std::printf("strings %zu %llu\n", report.size(), static_cast<unsigned long long>(sum));
    return 0;
}
