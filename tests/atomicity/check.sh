#!/bin/sh
# check.sh STALEMATE JUDGE SOURCE BINARY: `stalemate atomicity` finds in the program what the
# comment of its source says, by default and as conflict-serializability if that is said too,
# and in its twin (program.h) nothing. Every witness must be legal and replay. The comment may also
# have a line "options: ...", for the command.
set -u
stalemate=$1 judge=$2 source=$3 binary=$4
out=$binary.out
options=$(sed -n 's/^ \* options: //p' "$source")
rm -rf "$out"
mkdir -p "$out"

fail()
{
    echo "FAILED: $1" >&2
    echo "again: $command" >&2
    cat "$out/text" >&2
    exit 1
}

analyse() # STATUS OPTION... BINARY
{
    wanted=$1
    shift
    command="$stalemate atomicity --out $out --json $out/json $options $*"
    $command >"$out/text" 2>&1 </dev/null
    status=$?
    [ $status -eq "$wanted" ] || fail "exit status $status instead of $wanted"
}

expect() # WORD OPTION...
{
    word=$1
    shift
    grep -q "^ \* $word\( only\)\{0,1\}:" "$source" || return
    if grep -q "^ \* $word: nothing" "$source"; then
        analyse 0 "$@" -- "$binary"
    else
        analyse 1 "$@" -- "$binary"
    fi
    "$judge" "$word" "$source" "$out/json" >>"$out/text" 2>&1 || fail "not what the source says"
}

expect "expect"
for witness in "$out"/witnesses/*.smw; do
    [ -e "$witness" ] || continue
    "$stalemate" check "$witness" >"$out/text" 2>&1 || fail "$witness is illegal"
    "$stalemate" replay --quiet "$witness" >"$out/text" 2>&1
    [ $? -le 1 ] || fail "$witness does not replay" # 1: and then the program fails
done
expect "expect conflict" --conflict
analyse 0 --trials 20 -- "$binary.repaired"
