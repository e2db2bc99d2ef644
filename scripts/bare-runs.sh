#!/bin/sh
# bare-runs.sh DIRECTORY [RUNS] [LOOPS] - is `make test` green on every machine, again and again?
#
# Runs it on RUNS (3) bare Debian 12 roots, one after the other, with LOOPS (0) busy loops beside
# it, and prints a line for each: exit status, seconds, root included, and the tests that failed. A
# root is removed when its run has passed; the logs stay. Needs root and debootstrap.
set -u
[ $# -ge 1 ] || { echo "usage: bare-runs.sh DIRECTORY [RUNS] [LOOPS]" >&2; exit 2; }
directory=$1 runs=${2:-3} loops=${3:-0}
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

for run in $(seq "$runs"); do
    root=$directory/root.$loops.$run log=$directory/log.$loops.$run
    rm -rf "$root"
    begin=$(date +%s) status=0
    "$here/bare-debian.sh" "$root" test >"$log" 2>&1 || status=$?
    echo "run $run of $runs, $loops busy loops: status $status, $(($(date +%s) - begin)) s;" \
        "$(grep -c ' Passed ' "$log") passed;" \
        "failed: $(sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*\(Failed\|Timeout\|Exception\).*/\1/p' "$log" | tr '\n' ' ')"
    [ $status -eq 0 ] && rm -rf "$root" || failed=1
done
exit $failed
