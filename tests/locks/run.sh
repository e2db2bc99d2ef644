#!/bin/bash
# run.sh STALEMATE SCRATCH: every case of this directory, in each command and flavour that should
# notice it: what it says is what the case says, and nothing else (cases.h).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$1
rm -rf "$2"
mkdir -p "$2"
cd "$2"
unset STALEMATE_OPTIONS TSAN_OPTIONS
bad=0

wrong() {
    echo "FAILED: $*"
    bad=1
}

# kinds FILE: the words after "kind": at the given indentation of the lists of failures
kinds() {
    sed -n 's/^      "kind": "\(.*\)",*$/\1/p; s/^    "kind": "\(.*\)",*$/\1/p' "$1" | sort -u | xargs
}

# expect COMMAND FILE CASE KIND
expect() {
    local found
    found=$(kinds "$2")
    [ "${found:-none}" = "$4" ] || wrong "$1 of $3 finds '${found:-none}', not '$4'"
}

under_control() {
    if [ "$4" != v ]; then
        "$stalemate" run --quiet --json run.json -- "./$1" "$2" >/dev/null 2>&1 </dev/null || true
        expect run run.json "$2" "$3"
    fi
    case $4 in *[cv]*) ;; *) return 0 ;; esac
    "$stalemate" verify --quiet --json verify.json -- "./$1" "$2" >/dev/null 2>&1 </dev/null || true
    expect verify verify.json "$2" "$3"
    [ "$1" = mutex ] || return 0
    "$stalemate" hunt --seed 1 --jobs 1 --trials 20 --quiet --json hunt.json -- "./$1" "$2" \
        >/dev/null 2>&1 </dev/null || true
    expect hunt hunt.json "$2" "$3"
}

# hunts CASE HAPPENS STATUS: does hunt find an execution that ends in the deadlock?
hunts() {
    local status=0
    "$stalemate" hunt --seed 1 --jobs 1 --trials 20 --quiet --json hunt.json -- ./order "$1" \
        >/dev/null 2>&1 </dev/null || status=$?
    [ $status = "$3" ] || wrong "hunt of $1 ends with $status, not $3"
    grep -q "\"happens\": $2" hunt.json || wrong "hunt of $1 does not say happens: $2"
}

# leaves LINE KINDS: with this suppression `detect` finds in the inverted order
leaves() {
    echo "$1" >suppressions
    "$stalemate" detect --suppressions suppressions --quiet --json detect.json -- \
        ./order-native inverted >/dev/null 2>&1 </dev/null || true
    expect "detect, with $1," detect.json inverted "$2"
}

# One that waits for ever is ended when it has said what it has to say.
natively() {
    local pid status=0 said
    : >out # before it is looked at, not when the other process comes to it
    "./$1-native" "$2" >>out 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        if grep -q "^stalemate: $3: " out && [ "$5" = hangs ]; then
            kill -9 $pid 2>/dev/null || true
        fi
        sleep 0.02
    done
    { wait $pid || status=$?; } 2>/dev/null
    said=$(sed -n 's/^stalemate: \([a-z-]*\): .*/\1/p' out | sort -u | xargs)
    [ "${said:-none}" = "$3" ] || wrong "natively $2 finds '${said:-none}', not '$3'"
    if [ "$3" = none ] && [ $status != 0 ]; then
        wrong "natively $2 ends with $status"
    fi
}

for source in mutex others order results; do
    "$stalemate" cc -g -O1 -pthread -o $source "$here/$source.c"
    "$stalemate" cc --detect -DNATIVE -g -O1 -pthread -o $source-native "$here/$source.c"
    "./$source" list >cases
    while read -r name kind where hangs; do
        case $where in *[cCv]*) under_control $source "$name" "$kind" "$where" ;; esac
        case $where in *n*) natively $source "$name" "$kind" "$where" "${hangs:-}" ;; esac
    done <cases
    echo "$source: $(wc -l <cases) cases"
done
hunts unforced true 1
hunts inverted false 0
leaves lock-order:first_ab none
leaves deadlock:then_ba none
leaves lock-order:elsewhere lock-order
leaves lock:first_ab lock-order
exit $bad
