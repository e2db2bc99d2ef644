#!/bin/sh
# sqlite.sh BUILD - prints the directory with the sqlite3.c and sqlite3.h of Debian's source
# package, made once in BUILD. Fails where the package or tclsh is not to be had.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
sources=$build/tests/thirdparty/sources
made=$build/bench-sqlite
if [ ! -e "$made/sqlite3.c" ]; then
    "$here/../tests/thirdparty/fetch.sh" "$sources" sqlite3 >&2
    command -v tclsh >/dev/null || { echo "bench: no tclsh; run: make setup" >&2; exit 1; }
    rm -rf "$made" "$made.new"
    cp -a "$sources/sqlite3" "$made.new"
    (cd "$made.new" && ./configure && make sqlite3.c) >"$build/bench-sqlite.log" 2>&1 || {
        tail -n 20 "$build/bench-sqlite.log" >&2
        exit 1
    }
    mv "$made.new" "$made"
fi
echo "$made"
