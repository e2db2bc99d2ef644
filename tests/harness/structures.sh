#!/bin/sh
# structures.sh BIN-DIR SCRATCH [all]: structures, each right, and broken by -DBROKEN. From the
# header alone every broken one is found, and no right one is reported.
. "$(dirname "$0")/../common.sh"
all=${3:-}

cp "$here"/structures/* .
structures="box deque lifo map pair queue ring set slots stack"
[ -z "$all" ] || structures="$structures permits tally"

# How many combinations `make test` takes; the executions of pair are many.
combinations_of() {
    [ "$1" = pair ] && echo 12 || echo 30
}

# Broken by weak memory orders alone, hence right under sc.
model_of() {
    [ "$1" = box ] && echo c11 || echo sc
}

# write NAME: the test, as test_NAME.o
write() {
    few=
    [ -n "$all" ] || few="--combinations $(combinations_of "$1")"
    "$stalemate" harness --quiet $few "$1.h" -o "test_$1.c" || fail "no test for $1.h"
    "$stalemate" cc -g -O1 -Wall -Wextra -Werror -pthread -c "test_$1.c" -o "test_$1.o" ||
        fail "test_$1.c does not compile"
}

# judge STATUS MODEL PROGRAM
judge() {
    says "$1" "" "$stalemate" verify --jobs 1 --first --model "$2" --out "out_$3" -- "./$3"
    if [ "$1" = 1 ]; then
        also "a sequential order of the calls explains their results: no, none does"
        also "this combination alone: '"
    else
        never "not complete"
        never "race on"
    fi
}

for name in $structures; do
    write "$name"
    "$stalemate" cc -g -O1 -pthread -o "$name" "test_$name.o" "$name.c" || fail "no $name"
    "$stalemate" cc -g -O1 -pthread -DBROKEN -o "$name-broken" "test_$name.o" "$name.c" ||
        fail "no broken $name"
    judge 1 "$(model_of "$name")" "$name-broken"
    judge 0 "$(model_of "$name")" "$name"
    [ -n "$all" ] || continue
    judge 0 c11 "$name"
    judge 0 sc "$name"
    says 1 "assert" "$stalemate" hunt --out "hunt_$name" --time 120 -- "./$name-broken"
    says 0 "" "$stalemate" hunt --out "hunt_$name" --time 120 -- "./$name"
    echo "$name: right and broken"
done
