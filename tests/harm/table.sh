#!/bin/bash
# table.sh BIN-DIR SCRATCH [PATTERN]: every program of this directory and of ../locks whose name
# matches, in every command and flavour that should notice its kind: a table of kinds and commands,
# found / programs, and twins in which nothing was found / twins. Status 1 if one was missed or if
# anything else was found. The tests run the parts of it that are quick.
. "$(dirname "$0")/../common.sh"
pattern=${3:-.}
words=$(sed -n 's/^SM_FAILURE([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$here/../../abi/failures.def" | paste -sd'|')
: >tally
: >programs

# commands KIND SOURCE: that should notice it. The twins of a source are tried in all of its kinds'.
commands() {
    case $1:$2 in
    *:memory | *:stack | *:uninitialised) echo run hunt verify atomicity detect ;;
    *:reclamation) echo hunt verify ;;
    none:leaks | *leak:*) echo run hunt detect ;;
    none:progress | deadlock*:* | livelock*:* | lost-wakeup:*) echo run hunt verify ;;
    none:order | lock-order:*) echo run hunt atomicity detect native ;;
    *:handlers) echo run hunt atomicity detect ;; # verify refuses programs with signals
    *) echo run hunt verify atomicity detect native ;;
    esac
}

# options COMMAND SOURCE
options() {
    case $1 in
    run) echo --trials 40 --steps 20000 ;;
    hunt) echo --seed 1 --jobs 1 --trials 20 --steps 20000 ;;
    atomicity) echo --trials 400 --steps 20000 ;;
    detect) echo --trials 120 ;;
    verify) [ "$2" != reclamation ] || echo --model c11 ;;
    esac
    case $2 in
    leaks) echo --leaks ;;
    uninitialised) echo --uninitialised ;;
    esac
}

# Kinds in the JSON; atomicity stops with a message where the first execution fails.
kinds() {
    {
        [ ! -e json ] || sed -n 's/^ *"kind": "\([a-z-]*\)",*$/\1/p' json
        sed -n 's/^stalemate: the program fails in its first execution: \([a-z-]*\).*/\1/p' output
    } | sort -u | grep -E "^($words)$" | paste -sd+
}

# One that waits for ever is ended when it has said what it has to say.
natively() {
    local pid
    : >output
    "./$1-native" "$2" >>output 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        ! grep -q "^stalemate: $3: " output || [ "$4" != hangs ] || kill -9 $pid 2>/dev/null || true
        sleep 0.02
    done
    { wait $pid || true; } 2>/dev/null
    sed -n 's/^stalemate: \([a-z-]*\): .*/\1/p' output | sort -u | paste -sd+
}

# try SOURCE NAME KIND COMMAND HANGS
try() {
    local found one as_told=yes also=
    # A spent budget is all that one execution sees of a livelock.
    [ "$3:$4" != livelock:run ] || also=hang
    rm -f json
    if [ "$4" = native ]; then
        found=$(natively "$1" "$2" "$3" "$5")
    else
        # shellcheck disable=SC2046 # words
        "$stalemate" "$4" $(options "$4" "$1") --quiet --json json -- "./$1" "$2" >output 2>&1 </dev/null || true
        found=$(kinds)
    fi
    [ "${found:-none}" != none ] || [ "$3" = none ] || as_told=no
    for one in ${found//+/ }; do
        case "+$3+$also+" in *"+$one+"*) ;; *) as_told=no ;; esac
    done
    echo "${3%%+*} $4 $as_told" >>tally
    [ $as_told = yes ] || echo "$1 $2: $4 finds '${found:-nothing}', not $3"
}

harm_cases() {
    sed -n 's/ //g; s/^CASE(\([a-z_0-9]*\),\([a-z+-]*\)).*/\1 \2/p' "$here/$1.c"
}

for source in memory stack uninitialised reclamation leaks handlers progress; do
    harm_cases $source | grep -q -E "$pattern" || continue
    cp "$here/$source.c" "$here/harm.h" .
    "$stalemate" cc -g -O1 -pthread -w -o $source $source.c || fail "cannot build $source.c"
    harm_cases $source | grep -E "$pattern" | while read -r name kind; do
        echo "$source $name $kind" >>programs
        for command in $(commands "$kind" $source); do
            # What only verify can tell, because the accesses have no order in any schedule, and what
            # it cannot tell (stack.c).
            case $name:$command in
            *_without_order:verify) ;;
            *_without_order:* | *_by_schedule:verify) continue ;;
            esac
            try $source "$name" "$kind" "$command" ''
        done
    done
done
for source in mutex others order results; do
    sed -n 's/^ *CASE(\([a-z_0-9]*\),.*/\1 /p' "$here/../locks/$source.c" | grep -q -E "$pattern" || continue
    cp "$here/../locks/$source.c" "$here/../locks/cases.h" .
    "$stalemate" cc -g -O1 -pthread -o $source $source.c || fail "cannot build $source.c"
    "$stalemate" cc --detect -DNATIVE -g -O1 -pthread -o $source-native $source.c || fail "cannot build $source.c"
    "./$source" list | grep -E "$pattern" | while read -r name kind where hangs; do
        echo "$source $name $kind" >>programs
        for command in $(commands "$kind" $source); do
            case $where:$command in v:verify) ;; v:* | h:* | C*:verify | c:native) continue ;; esac
            try $source "$name" "$kind" "$command" "$hangs"
        done
    done
done

# cell KIND COMMAND
cell() {
    all=$(grep -c "^$1 $2 " tally) || true
    [ "$all" = 0 ] || echo "$(grep -c "^$1 $2 yes" tally || true)/$all"
}

all='run hunt verify atomicity detect native'
echo "| kind | ${all// / | } |"
echo '| --- | --- | --- | --- | --- | --- | --- |'
cut -d' ' -f1 tally | sort -u | while read -r kind; do
    printf '| %s |' "$([ "$kind" = none ] && echo 'nothing (twins)' || echo "$kind")"
    for command in $all; do
        printf ' %s |' "$(cell "$kind" "$command")"
    done
    echo
done
bad=$(grep -c ' no$' tally) || true
echo "$(wc -l <programs) programs, $(wc -l <tally) tries, $bad not as expected"
[ "$bad" = 0 ]
