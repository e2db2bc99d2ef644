#!/bin/sh
# slurm.sh BIN-DIR SCRATCH JSON-WITHOUT: --on slurm on four nodes finds what one machine
# finds, also if a node is killed in the middle, the controller is, or a node has no room.
. "$(dirname "$0")/../shards/common.sh"
. "$here/cluster.sh"
lacks=$(cluster_lacks)
[ -z "$lacks" ] || { echo "skipped: $lacks"; exit 77; }
examples=$here/../../examples
programs=$here/../../bench/verify/programs
trap cluster_stop EXIT
cluster_start "$PWD/cluster"
tries=0
until cluster_ready; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { tail -n 20 cluster/log/*; fail "the cluster does not start"; }
    sleep 0.1
done

# submit COMMAND ARGS...: in the background, into all/ and all.json.
submit() {
    rm -rf all
    # shellcheck disable=SC2086
    "$stalemate" "$@" --on slurm --tasks 8 --out all --json all.json --quiet -- $program >log 2>&1 \
        </dev/null &
    driver=$!
}
ends() {
    wait $driver || [ $? = 1 ] || { cat log all/on/log/*; fail "$*"; }
    mkdir -p all/witnesses
}

has_ended() {
    ! kill -0 "$1" 2>/dev/null
}

"$stalemate" cc -g -O1 -pthread -o mp "$examples/message_passing.c"
"$stalemate" cc -g -O1 -pthread -o bank "$examples/bank_account.c"
"$stalemate" cc -g -O1 -pthread -o fib -DROUNDS=5 "$programs/fib_bench.c"

for program in ./mp ./bank; do
    alone hunt --trials 40
    submit hunt --trials 40
    ends "hunt on four nodes"
    same "hunt on four nodes"
done
program=./mp
alone detect --trials 12
submit detect --trials 12
ends "detect on four nodes"
same "detect on four nodes"
program=./fib
alone verify --model c11
submit verify --model c11
ends "verify on four nodes"
same "verify on four nodes"

# A hunt that can be held, into all/, as that is.
followed() {
    "$stalemate" hunt --trials 40 --oracle "$(cluster_oracle)" --on slurm --tasks 8 --out all --json all.json -- $program \
        >log 2>&1 </dev/null &
    driver=$!
}

# A node dies with all that runs on it, and the controller is stopped and started again.
program="./mp"
alone hunt --trials 40 --oracle "$(cluster_oracle)"
touch hold
rm -rf all
followed
await $driver on_node n2
cluster_kill_node n2
rm hold
controller=$(cat cluster/run/slurmctld.pid)
kill "$controller"
await $$ has_ended "$controller"
cluster_controller
ends "with a dead node"
same "with a dead node"
cluster_node n2

# A node has no room, nor does it see what others write: its tasks are made by others.
full_disk() {
    await $$ cluster_ready
    daemon=$(cat cluster/run/slurmd.n3.pid)
    kill "$daemon"
    mkdir small
    cp all/on/task.sh all/on/job.sh all/on/input small
    rm -rf all/on/status/* all/on/shard-* all/on/job all/stalemate.db all/witnesses
    await $$ has_ended "$daemon"
    unshare -m sh -ec "mount -t tmpfs -o size=60k none '$PWD/all/on'
        mkdir '$PWD/all/on/log' '$PWD/all/on/status'
        cp small/* '$PWD/all/on'
        exec slurmd -N n3 -f '$SLURM_CONF'"
    await $$ cluster_ready
    followed
    ends "with a full disk"
    same "with a full disk"
}
if unshare -m true 2>/dev/null; then
    full_disk
else
    echo "left out: a node with a full disk (no right to make a mount namespace)"
fi

# Interrupted, it says how to go on and how to cancel; the same command has the result.
rm -rf all
touch hold
followed
await $driver test -s all/on/job
kill -TERM $driver
wait $driver && fail "interrupted, and it exits 0"
grep -q "to cancel them: scancel $(cat all/on/job)" log || { cat log; fail "it does not say how to go on"; }
rm hold
followed
ends "followed again"
same "followed again"
[ "$(wc -w <all/on/job)" = 1 ] || fail "it was submitted twice: $(cat all/on/job)"
