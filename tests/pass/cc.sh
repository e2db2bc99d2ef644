#!/bin/sh
# cc.sh BIN WORK
# Would a build system notice that BIN/stalemate-cc is not an ordinary compiler?
set -eu
bin=$1 work=$2
cc=$bin/stalemate-cc cxx=$bin/stalemate-c++
rm -rf "$work"
mkdir -p "$work"
cd "$work"
failed=0

complain() {
    echo "FAIL: $1" >&2
    failed=1
}

# quiet STATUS COMMAND...: has that exit status, and prints nothing on stderr
quiet() {
    wanted=$1
    shift
    status=0
    "$@" >out 2>err || status=$?
    [ $status = "$wanted" ] || complain "status $status instead of $wanted: $*"
    [ ! -s err ] || { complain "prints: $*" && cat err >&2; }
}

# refused WORDS COMMAND...: exit status 2, and WORDS among what it says
refused() {
    words=$1
    shift
    status=0
    "$@" >out 2>err || status=$?
    [ $status = 2 ] || complain "status $status instead of 2: $*"
    grep -q -- "$words" err || { complain "does not say '$words': $*" && cat err >&2; }
}

cat >main.c <<'END'
#include <stalemate.h>
#include <stdio.h>
int shared;
int twice(int);
int main(void)
{
    shared = 21;
    stalemate_assume(1);
    return printf("%d\n", twice(shared)) != 3;
}
END
echo 'int twice(int n) { return 2 * n; }' >twice.c
cat >main.cpp <<'END'
#include <iostream>
#include <stdexcept>
int main()
{
    try {
        throw std::runtime_error("42");
    } catch (std::exception &e) {
        std::cout << e.what() << "\n";
    }
}
END
echo '.globl nothing
nothing: ret' >nothing.s
strict="-Wall -Wextra -Werror"

for level in -O0 -O1 -O2 -O3 -Os; do
    quiet 0 "$cc" $strict $level main.c twice.c -o program
    [ "$(./program)" = 42 ] || complain "wrong output at $level"
done
quiet 0 "$cc" $strict -c main.c
quiet 0 "$cc" $strict -c twice.c -o second.o -MMD -MF second.d
quiet 0 "$cc" main.o second.o -o linked
[ "$(./linked)" = 42 ] || complain "objects linked apart do not work"
quiet 0 "$cc" $strict -S twice.c -o twice.s
quiet 0 "$cc" $strict -c twice.s
quiet 0 "$cc" -c nothing.s
quiet 0 "$cc" $strict -fsyntax-only main.c
quiet 0 "$cc" -E main.c
grep -q 'stalemate_assume(1)' out || complain "-E does not preprocess for Stalemate"
quiet 0 "$cc" -M main.c
grep -q '^main.o:' out || complain "-M does not list"
quiet 0 "$cc" --version
grep -q clang out || complain "--version does not name clang"
quiet 0 "$cc" -dumpmachine
quiet 0 "$cc" -print-search-dirs
"$cc" -v 2>err || complain "-v alone fails"
"$cc" 2>err && complain "no arguments at all succeed" || :
echo 'int main(void) { return 0; }' | quiet 0 "$cc" $strict -x c - -o standard_input
quiet 0 ./standard_input
echo "$strict -O2 'main.c' twice.c -o response" >words
quiet 0 "$cc" @words
[ "$(./response)" = 42 ] || complain "a response file does not work"
quiet 0 "$cc" $strict -shared -fPIC twice.c -o libtwice.so
quiet 0 "$cc" main.c -L. -ltwice -Wl,-rpath,"$work" -o with_library
[ "$(./with_library)" = 42 ] || complain "a shared library does not work"
quiet 0 "$cc" $strict -static-libgcc main.c twice.c -Wl,--as-needed -o frugal
ldd ./frugal | grep -q libstalemate_rt || complain "--as-needed drops the runtime"
quiet 0 "$cc" -r main.o second.o -o relocatable.o
quiet 0 "$cxx" $strict main.cpp -o cpp
[ "$(./cpp)" = 42 ] || complain "C++ does not work"
quiet 0 "$bin/stalemate" c++ $strict main.cpp -o cpp
quiet 0 "$cc" $strict -emit-llvm -c twice.c -o twice.bc
quiet 0 "$cc" -c twice.bc -o from_bitcode.o
quiet 0 "$cc" $strict -c -- twice.c
quiet 0 "$cc" $strict -static -c twice.c
quiet 0 "$cc" $strict -flto -fno-lto -c twice.c

refused link-time "$cc" -flto -c twice.c
refused link-time "$cc" -flto=thin twice.c
echo "-flto" >words
refused link-time "$cc" @words -c twice.c
refused "shared library" "$cc" -static main.c twice.c -o program
refused "race detector" "$cc" -fsanitize=undefined,thread -c twice.c
for sanitizer in address memory leak hwaddress undefined,address; do
    refused "replaces malloc" "$cc" -fsanitize=$sanitizer -c twice.c
    refused "replaces malloc" "$cc" --detect -fsanitize=$sanitizer -c twice.c
done
quiet 0 "$cc" -fsanitize=undefined -c twice.c
status=0
"$cc" -c missing.c 2>err || status=$?
[ $status = 1 ] || complain "a missing file gives $status, clang gives 1"
STALEMATE_CLANG=/nonexistent refused STALEMATE_CLANG "$cc" -c twice.c
exit $failed
