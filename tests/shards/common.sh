# common.sh - sourced by the tests of shards, after which $without prints JSON without volatile keys.
. "$(dirname "$0")/../common.sh"
without=$3

# What differs between a run alone and a merge: how long it took, how many executions were made
# where, and of which shards it is.
volatile="seconds executions remembered shards"

# same WHAT: alone.json and all.json are of the same findings, and so are the witnesses.
same() {
    # shellcheck disable=SC2086
    "$without" alone.json $volatile >alone.txt
    # shellcheck disable=SC2086
    "$without" all.json $volatile >all.txt
    diff alone.txt all.txt || fail "$1: merge says something else than one machine"
    diff -r alone/witnesses all/witnesses 2>&1 || fail "$1: other witnesses"
}

# alone COMMAND ARGS...: one machine; the result is in alone.json, the store in alone/.
alone() {
    rm -rf all alone
    "$stalemate" "$@" --out all --json alone.json --quiet -- $program >log 2>&1 </dev/null || [ $? = 1 ] ||
        { cat log; fail "$*: one machine"; }
    mkdir -p all/witnesses # diff wants one, also where nothing failed
    mv all alone
}

# shard I N COMMAND ARGS...: into the directory shard-I.
shard() {
    i=$1 n=$2 command=$3
    shift 3
    "$stalemate" "$command" --shard "$i/$n" --out "shard-$i" --json "made-$i.json" --quiet "$@" -- $program \
        >log 2>&1 </dev/null || { cat log; fail "$command --shard $i/$n: status $?"; }
}

# merged DIR...: into all/ and all.json.
merged() {
    rm -rf all
    "$stalemate" merge --out all --json all.json --quiet "$@" >log 2>&1 </dev/null || [ $? = 1 ] ||
        { cat log; fail "merge $*"; }
    mkdir -p all/witnesses
}

# made: how many executions of the plan the shards have made together.
made() {
    grep -h -o '"made": *[0-9]*' made-*.json | grep -o '[0-9]*$' | awk '{ n += $1 } END { print n }'
}

# divided N COMMAND ARGS...: N shards, merged, are the same as one machine.
divided() {
    n=$1
    shift
    rm -rf shard-* made-*
    for number in $(seq "$n"); do
        shard "$number" "$n" "$@"
    done
    [ "$n" != 1 ] || whole=$(made)
    [ "$(made)" = "${whole:-$(made)}" ] || fail "$n shards made $(made) executions, one made $whole"
    merged shard-*
    same "$program, $n shards of $*"
}
