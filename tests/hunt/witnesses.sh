#!/bin/sh
# witnesses.sh STALEMATE TIMES DIR... - every witness under these directories must be found legal
# by `stalemate check`, and fail again in each of so many replays.
set -u
stalemate=$1 times=$2
shift 2
witnesses=0 replays=0 failed=0

complain() {
    failed=$((failed + 1))
    echo "FAILED: $*" >&2
}

for witness in $(find "$@" -name '*.smw' | sort); do
    witnesses=$((witnesses + 1))
    said=$("$stalemate" check "$witness" 2>&1) || complain "check $witness: $said"
    i=0
    while [ $i -lt "$times" ]; do
        said=$("$stalemate" replay --quiet "$witness" 2>&1 >/dev/null)
        status=$?
        [ $status -eq 1 ] || complain "replay $witness: status $status: $said"
        replays=$((replays + 1))
        i=$((i + 1))
    done
done
echo "witnesses: $witnesses, replays: $replays, failed: $failed"
[ $failed -eq 0 ]
