#!/bin/sh
# The snippets of docs/ci.md, in projects of CMake and Meson: the hunt is a test, and fails.
. "$(dirname "$0")/common.sh"
page=$here/../../docs/ci.md
export PATH="$bin:$PATH"
unset STALEMATE_OPTIONS

# block LANGUAGE: the code blocks of that language.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$page"
}

# commands WORD: the shell commands of the block in which WORD stands, but for the report.
commands() {
    awk -v word="$1" '$0 == "```sh" { on = 1; text = ""; next }
        /^```/ { if (on && index(text, word)) printf "%s", text; on = 0 }
        on { text = text $0 "\n" }' "$page"
}

for system in cmake meson; do
    mkdir $system
    cd $system
    cp "$here/../../examples/lost_update.c" queue_test.c
    case $system in
    cmake)
        {
            echo "cmake_minimum_required(VERSION 3.13)"
            echo "project(queue C)"
            echo "enable_testing()"
            echo "find_package(Threads REQUIRED)"
            echo "add_executable(queue_test queue_test.c)"
            echo "target_link_libraries(queue_test Threads::Threads)"
            block cmake
        } >CMakeLists.txt
        ;;
    meson)
        {
            echo "project('queue', 'c')"
            echo "queue_test = executable('queue_test', 'queue_test.c', dependencies: dependency('threads'))"
            block meson
        } >meson.build
        ;;
    esac
    commands $system >commands.sh
    [ "$(wc -l <commands.sh)" -ge 3 ] || fail "no commands for $system in ci.md"
    sh commands.sh >log 2>&1 && fail "$system: a destructive race does not fail the test"
    grep -q 'destructive' log || { cat log; fail "$system: no verdict"; }
    grep -q 'id="data"' report.html || { cat log; fail "$system: no page"; }
    cd ..
done

# With another compiler there is nothing to hunt through.
cmake -S cmake -B plain -DCMAKE_C_COMPILER=clang-19 >log 2>&1 || { cat log; fail "plain"; }
ctest --test-dir plain -N >log
grep -q 'Total Tests: 0' log || { cat log; fail "a hunt without stalemate-cc"; }
