#!/bin/sh
# compile.sh BUILD - what compiling costs: CPU seconds, peak memory and object size of one file at
# -O2 under clang, clang's ThreadSanitizer, `stalemate cc --detect` and `stalemate cc`, and each
# beside clang's. The files: a generated one (big.sh) and, from Debian's source packages where those
# can be had, SQLite's and a C++ unit test of LevelDB. Debug information is on in all, as both
# flavours and ThreadSanitizer want it for their reports.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${STALEMATE_CLANG:-clang-19}

compiler() { # KIND FILE
    own=$clang language=cc
    case $2 in
    *.cc) own=$(echo "$clang" | sed 's,clang,clang++,') language=c++ ;;
    esac
    case $1 in
    clang) echo "$own" ;;
    tsan) echo "$own -fsanitize=thread" ;;
    detect) echo "$build/bin/stalemate $language --detect" ;;
    control) echo "$build/bin/stalemate $language" ;;
    esac
}

# row FILE KIND: seconds, KiB, bytes of .text and of the object; $options are the compiler's
row() {
    /usr/bin/time -o "$work/time" -f '%U %S %M' $(compiler "$2" "$1") -g -O2 -w $options -c "$1" \
        -o "$work/object.o" >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; return 1; }
    echo "$2 $(cat "$work/time") $(size -A "$work/object.o" | awk '/^\.text/ { n += $2 } END { print n }')" \
        "$(wc -c <"$work/object.o")"
}

table() { # FILE
    for kind in clang tsan detect control; do
        row "$1" $kind || echo "bench: $kind cannot compile $1" >&2
    done | awk -v file="$(basename "$1")" '
        $1 == "clang" { s = $2 + $3; m = $4; t = $5; o = $6 }
        BEGIN { printf "%-10s %9s %6s %9s %6s %9s %6s %9s %6s\n", "compiler", "time", "", "memory",
                       "", "code", "", "object", "" }
        { printf "%-10s %8.1fs %6.2f %6.0f MB %6.2f %6.1f MB %6.2f %6.1f MB %6.2f\n", $1, $2 + $3,
                 ($2 + $3) / s, $4 / 1024, $4 / m, $5 / 1e6, $5 / t, $6 / 1e6, $6 / o }
        END { print "(" file ")" }'
}

options=
"$here/big.sh" >"$work/big.c"
table "$work/big.c"
if sqlite=$("$here/../sqlite.sh" "$build"); then
    table "$sqlite/sqlite3.c"
else
    echo "bench: sqlite3.c is left out: there is no source for it" >&2
fi
sources=$build/tests/thirdparty/sources
if "$here/../../tests/thirdparty/fetch.sh" "$sources" leveldb >&2; then
    leveldb=$sources/leveldb
    options="-std=c++17 -DLEVELDB_PLATFORM_POSIX=1 -I$leveldb -I$leveldb/include"
    table "$leveldb/db/log_test.cc"
else
    echo "bench: LevelDB's test is left out: there is no source for it" >&2
fi
