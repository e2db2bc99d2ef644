# common.sh - sourced by the tests of this directory with BIN-DIR, SCRATCH and the directory of
# the checkers as $1, $2 and $3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$1/stalemate
checkers=$3
rm -rf "$2"
mkdir -p "$2"
cd "$2"
unset STALEMATE_OPTIONS

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# says STATUS TEXT COMMAND...: it exits with STATUS and prints TEXT, on either stream.
says() {
    status=$1 text=$2
    shift 2
    got=0
    "$@" >output 2>&1 </dev/null || got=$?
    [ $got = "$status" ] || { cat output; fail "status $got, not $status: $*"; }
    has "$text" output
}

# has TEXT FILE
has() {
    grep -q -F -e "$1" "$2" || { cat "$2"; fail "no '$1' in $2"; }
}

# hunt SOURCE [OPTIONS]: builds and hunts, with a seed; whatever comes of it.
hunt() {
    name=$(basename "$1" .c)
    cp "$here/../$1" .
    shift
    "$stalemate" cc -g -O1 -pthread -o "$name" "$name.c" || fail "cannot build $name"
    "$stalemate" hunt --seed 1 --trials 40 --no-prescient --quiet "$@" -- "./$name" </dev/null ||
        [ $? = 1 ] || fail "cannot hunt through $name"
}
