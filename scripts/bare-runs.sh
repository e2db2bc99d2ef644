#!/bin/sh
# bare-runs.sh DIRECTORY [RUNS] [LOOPS] [together] - is `make test` green on every machine, again
# and again?
#
# Runs it on RUNS (3) bare Debian 12 roots, one after the other, or together, with LOOPS (0) busy
# loops beside it, and prints a line for each: exit status, seconds, root included, and the tests
# that failed. A root is removed when its run has passed; the logs stay. Needs root and debootstrap.
set -u
[ $# -ge 1 ] || { echo "usage: bare-runs.sh DIRECTORY [RUNS] [LOOPS] [together]" >&2; exit 2; }
directory=$1 runs=${2:-3} loops=${3:-0} together=${4:-}
here=$(dirname "$0")
mkdir -p "$directory" || exit 2
directory=$(cd "$directory" && pwd)
busy=
failed=0
trap '[ -z "$busy" ] || kill $busy' EXIT
trap 'exit 130' INT TERM

for _ in $(seq "$loops"); do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done

run_once() { # RUN
    root=$directory/root.$loops.$1 log=$directory/log.$loops.$1
    rm -rf "$root"
    begin=$(date +%s) status=0
    # A namespace of their own: names of queues and segments in the kernel are not in the root.
    unshare --ipc "$here/bare-debian.sh" "$root" test >"$log" 2>&1 || status=$?
    echo "run $1 of $runs, $loops busy loops: status $status, $(($(date +%s) - begin)) s;" \
        "$(grep -c ' Passed ' "$log") passed;" \
        "failed: $(sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*\(Failed\|Timeout\|Exception\).*/\1/p' "$log" | tr '\n' ' ')"
    [ $status -eq 0 ] && rm -rf "$root"
}

waited=
for run in $(seq "$runs"); do
    if [ -n "$together" ]; then
        run_once "$run" &
        waited="$waited $!"
    else
        run_once "$run" || failed=1
    fi
done
for run in $waited; do
    wait "$run" || failed=1
done
exit $failed
