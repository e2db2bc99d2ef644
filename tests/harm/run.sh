#!/bin/sh
# run.sh BIN-DIR SCRATCH SOURCE [COMMANDS [MODELS [OPTION]]]: every CASE of the source (harm.h), in each of
# these commands; verify in each of these models. The kind that is found is the one that the case
# names, and nothing is found where it names none.
. "$(dirname "$0")/../common.sh"
source=$here/$3 commands=${4:-run hunt verify} models=${5:-sc c11} option=${6:-}
"$stalemate" cc -g -O1 -pthread -w -o program "$source" || fail "cannot build $source"

# kinds FILE: of all failures and violations in the JSON.
kinds() {
    sed -n 's/^ *"kind": "\([a-z-]*\)",*$/\1/p' "$1" | sort -u |
        grep -E "^($known)$" | tr '\n' ' '
}
known=$(sed -n 's/^SM_FAILURE([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$here/../../abi/failures.def" | paste -sd'|')

# look NAME KIND COMMAND...
look() {
    name=$1 kind=$2
    shift 2
    status=0
    # shellcheck disable=SC2086 # there may be none
    "$stalemate" "$@" $option --quiet --json json -- ./program "$name" >output 2>&1 || status=$?
    found=$(kinds json)
    expected=1
    [ "$kind" != none ] || expected=0
    [ "$status" = $expected ] ||
        fail "$name: stalemate $*: status $status, '$found': $(cat output)"
    [ "$kind" = none ] || [ "$found" ] || fail "$name: stalemate $* finds no $kind"
    for one in $found; do
        case "+$kind+" in
        *"+$one+"*) ;;
        *) fail "$name: stalemate $* finds $one, not $kind" ;;
        esac
    done
}

# tell NAME KIND: it is a warning, and the only one, where nobody has asked for a failure.
tell() {
    "$stalemate" run --quiet --json json -- ./program "$1" >output 2>&1 ||
        fail "$1: told, it is a failure: $(cat output)"
    found=$(kinds json)
    [ "${found:-none }" = "$2 " ] || fail "$1: run tells of '$found', not $2"
}

n=0
for line in $(sed -n 's/ //g; s/^CASE(\([a-z_]*\),\([a-z+-]*\)).*/\1:\2/p' "$source"); do
    name=${line%%:*} kind=${line#*:} n=$((n + 1))
    for command in $commands; do
        case $name:$command in
        *_without_order:run | *_without_order:hunt | *_by_schedule:verify) ;;
        *:run)
            # A spent budget is all that one execution sees of a livelock.
            [ "$kind" != livelock ] || kind=livelock+hang
            look "$name" "$kind" run --trials 40 --steps 20000
            kind=${line#*:}
            ;;
        *:hunt) look "$name" "$kind" hunt --seed 1 --jobs 1 --trials 20 --steps 20000 ;;
        *:told) tell "$name" "$kind" ;;
        *:verify)
            for model in $models; do
                look "$name" "$kind" verify --model "$model"
            done
            ;;
        esac
    done
done
[ "$n" -gt 0 ] || fail "no case in $source"
echo "$n cases, as expected"
