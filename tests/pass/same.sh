#!/bin/sh
# same.sh CLANG PLUGIN STUB WORK SOURCE [FLAG...]
# Builds SOURCE natively and with the pass at -O0 to -O3. Whether nothing is watched,
# everything is, or the back-edge counter runs out all the time: the program must print
# and return the same. Leaves the build in WORK when it does not.
set -eu
clang=$1 plugin=$2 stub=$3 work=$4 source=$5
shift 5
case $source in *.cpp) clang="$clang --driver-mode=g++" ;; esac
mkdir -p "$work"
library=$(dirname "$stub")

fail() {
    echo "FAIL: $1" >&2
    echo "  try: $2" >&2
    exit 1
}

# run NAME ENVIRONMENT...: output, then exit status, in NAME.out
run() {
    out=$work/$1.out
    program=$2
    shift 2
    status=0
    env "$@" "$program" >"$out" 2>"$out.err" || status=$?
    echo "status $status" >>"$out"
}

for level in 0 1 2 3; do
    base=$work/O$level
    flags="-O$level -g -pthread -Wno-everything -fno-omit-frame-pointer $*"
    optnone=
    [ $level = 0 ] && optnone="-Xclang -disable-O0-optnone"
    $clang $flags "$source" -o "$base.native" -latomic -lm
    $clang $flags $optnone -fpass-plugin="$plugin" "$source" -o "$base.watched" \
        "$stub" -Wl,-rpath,"$library" -latomic -lm ||
        fail "$source does not compile at -O$level" "$clang $flags -fpass-plugin=$plugin $source"
    run "O$level.native" "$base.native"
    for watch in 0 1 2; do
        for budget in 1 1000000; do
            name=O$level.$watch.$budget
            run "$name" "$base.watched" STUB_WATCH=$watch STUB_BUDGET=$budget
            cmp -s "$base.native.out" "$work/$name.out" ||
                fail "$source at -O$level differs; see $work/$name.out" \
                    "STUB_WATCH=$watch STUB_BUDGET=$budget $base.watched"
        done
    done
done
