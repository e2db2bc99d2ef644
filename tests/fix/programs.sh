#!/bin/sh
# programs.sh BIN-DIR SCRATCH NAME...: programs with a known repair. The first comment of each says
# what an expert would change, written before anything was run:
#   fix: TEXT   a line that the patch adds has this text
#   not: TEXT   no line that the patch adds has it
#   hides       relaxed accesses to every racy variable are tried, and rejected with a witness, which
#               is legal
#   nothing to hide: no race            there is no racy variable
#   nothing to hide: relaxed is right   relaxed accesses are the repair
# Each has one of the last three.
# The patch must apply, compile without a warning, and leave nothing to find for a hunt. Without
# names all programs are taken.
here=$(cd "$(dirname "$0")" && pwd)
bin=$1
scratch=$2
shift 2
[ $# -gt 0 ] || set -- $(cd "$here/programs" && ls ./*.c ./*.cpp | sed 's,^\./,,;s,\..*,,')
stalemate=$bin/stalemate
unset STALEMATE_OPTIONS
failed=0

complain() {
    echo "FAILED: $name: $*"
    return 1
}

# expected KIND: the texts after "KIND:" in the first comment, one a line.
expected() {
    sed -n "1,/\*\//s/^ \* $1: //p" "$source"
}

check_patch() {
    grep '^+' patch | grep -v '^+++' | cut -c2- >added
    expected fix | while read -r text; do
        grep -q -F -e "$text" added || { complain "the patch does not add: $text"; exit 1; }
    done || return 1
    expected not | while read -r text; do
        ! grep -q -F -e "$text" added || { complain "the patch adds: $text"; exit 1; }
    done || return 1
}

# The silencing repair comes first among those that are not enough, and has its witness.
check_hides() {
    witness=$(awk '/^  not enough: make .* relaxed/ { found = 1; next }
                   /^  not enough/ { found = 0 }
                   found && /replay with/ { print $NF; exit }' output)
    [ "$witness" ] || complain "no witness against relaxed accesses" || return 1
    "$stalemate" check --quiet "$witness" || complain "the witness is not legal"
}

check_silencing() {
    case $(sed -n '1,/\*\//{s/^ \* \(hides\)$/\1/p;s/^ \* \(nothing to hide: .*\)$/\1/p;}' "$source") in
    hides) check_hides ;;
    'nothing to hide: no race') grep -Eq '(^|, )0 racy variables' output || complain "there is a race" ;;
    'nothing to hide: relaxed is right')
        grep -q relaxed added && ! grep -q 'not enough: .*relaxed' output || complain "not relaxed" ;;
    *) complain "it does not say what relaxed accesses would do" ;;
    esac
}

# The repaired program: no warning, no race, no failure.
check_repaired() {
    patch -s -p1 <patch || complain "the patch does not apply" || return 1
    $plain -std=$standard -fsyntax-only -Wall -Wextra -Werror "$file" ||
        complain "the repaired program has warnings" || return 1
    "$stalemate" $compiler -g -O1 -pthread -o repaired "$file" || complain "no build" || return 1
    "$stalemate" hunt --fail-on any --out repaired.out -- ./repaired >hunt.log 2>&1 || {
        cat hunt.log
        complain "a hunt finds something in the repaired program"
    }
}

check() {
    mkdir -p "$scratch/$name" && cd "$scratch/$name" || exit 1
    cp "$source" "$here/programs/pair.h" .
    file=$(basename "$source")
    case $file in
    *.cpp) compiler=c++ plain=clang++-19 standard=gnu++17 ;;
    *) compiler=cc plain=clang-19 standard=gnu17 ;;
    esac
    "$stalemate" $compiler -g -O1 -pthread -o prog "$file" || complain "no build" || return 1
    "$stalemate" fix --out out -- ./prog >output 2>&1
    [ $? -le 1 ] || { cat output; complain "fix ended so"; } || return 1
    sed -n '/^patch, for patch -p1/,$p' output | sed 1d >patch
    [ -s patch ] || { cat output; complain "no patch"; } || return 1
    ! grep -q 'do not fit the program' output || complain "a repair that means nothing" || return 1
    check_patch && check_silencing && check_repaired || { cat output; return 1; }
}

for name; do
    source=$(ls "$here/programs/$name".c "$here/programs/$name".cpp 2>/dev/null)
    rm -rf "${scratch:?}/$name"
    if check; then echo "ok: $name"; else failed=$((failed + 1)); fi
    cd "$scratch" || exit 1
done
echo "$# programs, $failed failed"
[ $failed = 0 ]
