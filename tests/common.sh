# common.sh - sourced by tests of commands with BIN-DIR and SCRATCH as $1 and $2.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$1/stalemate
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
    [ -z "$text" ] || also "$text"
}

# also TEXT: and this was printed too.
also() {
    grep -q -F -e "$1" output || { cat output; fail "no '$1' in what it says"; }
}

# never TEXT: and this was not.
never() {
    ! grep -q -F -e "$1" output || { cat output; fail "'$1' in what it says"; }
}

# build SOURCE: of the test's directory, to the program of that name.
build() {
    "$stalemate" cc -g -O1 -pthread -o "$(basename "$1" .c)" "$here/$1" || fail "cannot build $1"
}

# await PID COMMAND...: COMMAND succeeds at last, however slow the machine; before PID has ended.
await() {
    pid=$1
    shift
    until "$@" >/dev/null 2>&1; do
        kill -0 "$pid" 2>/dev/null || "$@" >/dev/null 2>&1 ||
            { [ ! -e output ] || cat output; fail "it ended before: $*"; }
        sleep 0.1
    done
}
