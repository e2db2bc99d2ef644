#!/bin/sh
# Options that build systems use, which must do what cc does and print nothing of ours.
. "$(dirname "$0")/common.sh"
s=$here/sources

"$cc" --version >version 2>errors && grep -q clang version && [ ! -s errors ] || fail "--version"
"$cc" -v >out 2>verbose && grep -q clang verbose || fail "-v"
"$cc" -dumpmachine | grep -q linux || fail "-dumpmachine"
"$cc" -print-search-dirs >out || fail "-print-search-dirs"

"$cc" -E "$s/hello.c" >preprocessed && grep -q 'extern int counter' preprocessed || fail "-E"
"$cc" -E -dM - </dev/null | grep -q __STALEMATE__ || fail "__STALEMATE__ is not defined"
"$cc" -M "$s/hello.c" | grep -q counter.h || fail "-M"
quiet "$cc" -MMD -MF depends -MT target -c "$s/hello.c" -o hello.o
grep -q '^target:.*hello.c' depends && grep -q counter.h depends || fail "-MMD -MF -MT"
quiet "$cc" -S "$s/worker.c" -o worker.s
grep -q sm_ worker.s || fail "-S is not instrumented"
quiet "$cc" -c worker.s -o from_assembly.o
quiet "$cc" -fsyntax-only "$s/worker.c"

echo 'int main(void) { return 0; }' | "$cc" -x c - -o from_stdin && ./from_stdin || fail "-x c -"
echo 'int main() { return 0; }' | "$cxx" -x c++ - -o from_stdin && ./from_stdin || fail "-x c++ -"
echo "-O1 -pthread $s/hello.c $s/worker.c -o from_file" >arguments
quiet "$cc" @arguments
runs 10 ./from_file

echo 'int main(void) { return 0 }' >wrong.c
status=0
"$cc" -c wrong.c 2>errors || status=$?
[ $status = 1 ] && grep -q "expected ';'" errors || fail "a syntax error is not reported as by clang"
! grep -qi stalemate errors || fail "a syntax error shows our name"

refused -flto "$cc" -flto -c "$s/worker.c"
refused -flto "$cc" -flto=thin hello.o from_assembly.o -o lto
refused -static "$cc" -static hello.o from_assembly.o -o static
