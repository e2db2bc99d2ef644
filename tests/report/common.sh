# common.sh - sourced by the tests of this directory with BIN-DIR, SCRATCH and the directory of
# the checkers as $1, $2 and $3.
. "$(dirname "$0")/../common.sh"
checkers=$3

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
    "$stalemate" hunt --no-exact --seed 1 --trials 40 --no-prescient --quiet "$@" -- "./$name" </dev/null ||
        [ $? = 1 ] || fail "cannot hunt through $name"
}
