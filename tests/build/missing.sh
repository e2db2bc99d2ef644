#!/bin/sh
# On a machine without the compiler `make` says what to type, before it has made anything.
. "$(dirname "$0")/common.sh"
source=$(cd "$here/../.." && pwd)

# without COMMAND: all commands of the machine but this one.
without() {
    rm -rf commands
    mkdir commands
    find /usr/bin /bin -maxdepth 1 ! -name "$1" -exec ln -sf -t commands {} +
    status=0
    PATH=$PWD/commands make -C "$source" BUILD="$PWD/made" product >output 2>&1 || status=$?
    [ $status != 0 ] || fail "it builds without $1"
    grep -q "make: $1 is missing; run: make setup" output || { cat output; fail "without $1"; }
    [ ! -e made ] || fail "something was made without $1"
}
without clang-19
without clang++-19
without cmake
