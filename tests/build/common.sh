# common.sh - sourced by the tests of this directory with BIN-DIR and SCRATCH as $1 and $2.
. "$(dirname "$0")/../common.sh"
bin=$1
cc=$bin/stalemate-cc
cxx=$bin/stalemate-c++

# quiet COMMAND...: it succeeds and prints nothing.
quiet() {
    "$@" >output 2>&1 </dev/null || { cat output; fail "$*"; }
    [ ! -s output ] || { cat output; fail "it printed something: $*"; }
}

# refused TEXT COMMAND...: it fails with status 2 and a message that has TEXT in it.
refused() {
    text=$1
    shift
    status=0
    "$@" >output 2>&1 </dev/null || status=$?
    [ $status = 2 ] || { cat output; fail "status $status, not 2: $*"; }
    grep -q -e "$text" output || { cat output; fail "no '$text' in the message of: $*"; }
}

# runs EXPECTED COMMAND...: it exits with 0 and prints EXPECTED, by itself and under control.
runs() {
    expected=$1
    shift
    [ "$("$@")" = "$expected" ] || fail "by itself it does not print '$expected': $*"
    for carrier in fiber thread; do
        got=$("$bin/stalemate" run --quiet --carrier $carrier -- "$@") ||
            fail "under control ($carrier): $*"
        [ "$got" = "$expected" ] || fail "under control ($carrier) it printed '$got': $*"
    done
}

# instrumented FILE / not_instrumented FILE: does it refer to our hooks?
instrumented() {
    nm -u "$1" 2>/dev/null | grep -q ' sm_' || fail "$1 is not instrumented"
}
not_instrumented() {
    ! nm -u "$1" 2>/dev/null | grep -q ' sm_' || fail "$1 is instrumented"
}
