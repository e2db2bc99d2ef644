# real.sh - sourced by run.sh: the multithreaded compressors of Debian's zstd and xz, unmodified,
# built by their own build systems, and sqlite.c with Debian's SQLite. The builds by clang are kept
# in BUILD/bench-detect; what `stalemate cc` makes is made anew each time.
sources=$build/tests/thirdparty/sources
kept=$build/bench-detect
mkdir -p "$kept"

real_programs() {
    for pair in zstd:libzstd xz:xz-utils; do
        if "$here/../../tests/thirdparty/fetch.sh" "$sources" "${pair#*:}" >&2; then
            echo "${pair%%:*}"
        else
            echo "bench: ${pair%%:*} is left out: there is no source for it" >&2
        fi
    done
    if "$here/../sqlite.sh" "$build" >/dev/null; then
        echo sqlite
    else
        echo "bench: sqlite is left out: there is no source for it" >&2
    fi
}

# input BYTES: that much text, always the same.
input() {
    [ -e "$kept/input.$1" ] || seq 1 10000000 | head -c "$1" >"$kept/input.$1"
    echo "$kept/input.$1"
}

# tree PACKAGE NAME KIND: a copy of the source to build in, unless that has been done.
tree() {
    "$here/../../tests/thirdparty/fetch.sh" "$sources" "$1" >&2
    [ "$3" != detect ] || rm -rf "$kept/$2.$3"
    if [ ! -e "$kept/$2.$3" ]; then # whole, or not at all
        rm -rf "$kept/copy"
        cp -a "$sources/$1" "$kept/copy"
        mv "$kept/copy" "$kept/$2.$3"
    fi
    echo "$kept/$2.$3"
}

logged() { # COMMAND...
    "$@" >"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        echo "bench: cannot build: $*" >&2
        exit 1
    }
}

# command NAME KIND WORDS...: what run.sh runs.
command_for() {
    to=$work/$1.$2
    shift 2
    printf '#!/bin/sh\nexec %s\n' "$*" >"$to"
    chmod +x "$to"
}

# Eight jobs of four megabytes, two at a time.
make_zstd() {
    at=$(tree libzstd zstd "$1")
    logged make -j"$(nproc)" -C "$at/programs" CC="$(compiler "$1")" zstd-release
    command_for zstd "$1" "$at/programs/zstd" -q -c -1 -T2 -B4194304 "$(input 32000000)"
}

# What autoconf and automake generate is in the package; they need not be on the machine.
make_xz() {
    at=$(tree xz-utils xz "$1")
    [ -e "$at/Makefile" ] || (cd "$at" && logged ./configure CC="$(compiler "$1")" --disable-shared \
        --disable-nls --disable-doc --disable-scripts --quiet CFLAGS=-O2)
    logged make -j"$(nproc)" -C "$at" ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=:
    command_for xz "$1" "$at/src/xz/xz" -0 -T2 --block-size=1000000 -c "$(input 4000000)"
}

# Three threads. SQLite itself is most of the code: it is built the same way as the program.
make_sqlite() {
    at=$("$here/../sqlite.sh" "$build")
    [ "$1" != detect ] || rm -f "$kept/sqlite.$1.o"
    [ -e "$kept/sqlite.$1.o" ] || logged $(compiler "$1") -O2 -DSQLITE_THREADSAFE=1 \
        -c "$at/sqlite3.c" -o "$kept/sqlite.$1.o"
    logged $(compiler "$1") -O2 -I"$at" "$here/sqlite.c" "$kept/sqlite.$1.o" -o "$work/sqlite.$1" \
        -pthread -ldl -lm
}
