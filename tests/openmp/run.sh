#!/bin/sh
# run.sh BIN-DIR SCRATCH [some]: of each case (cases.h) the race is found and its twin has none,
# natively and under control, and libomp ends under every schedule. some: every third case.
. "$(dirname "$0")/../common.sh"
which=${3-all}
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES
# A thread of libomp that has gone to sleep does not see the tasks that are created later.
export KMP_BLOCKTIME=infinite

for flavour in --detect ''; do
    "$stalemate" cc $flavour -g -O1 -Wno-pass-failed -fopenmp -pthread -I"$here/../.." \
        -o cases$flavour "$here"/*.c || fail "cannot build the cases"
done

native() {
    says 66 "data race on $2" ./cases--detect "$1" race
    says 0 '' ./cases--detect "$1" free
    never 'data race'
}

controlled() {
    says 1 "data race on $2" "$stalemate" detect --trials 3 --timeout 1000 -- ./cases "$1" race
    says 0 '0 data races in 3' "$stalemate" detect --trials 3 --timeout 1000 -- ./cases "$1" free
}

# Two executions of a seed are one, and end.
repeated() {
    for schedule in $3; do
        "$stalemate" run --seed 7 --schedule "$schedule" --timeout 1000 --json first -- \
            ./cases "$1" "$2" >/dev/null 2>&1 </dev/null || fail "$1 $2 fails, $schedule"
        "$stalemate" run --seed 7 --schedule "$schedule" --timeout 1000 --json second -- \
            ./cases "$1" "$2" >/dev/null 2>&1 </dev/null || fail "$1 $2 fails, $schedule"
        grep '"trace_hash"' first >hash || fail "no trace_hash"
        grep -q -F -f hash second || fail "$1 $2 differs, $schedule"
    done
}

./cases >list
number=0
while read -r name variable; do
    number=$((number + 1))
    [ "$which" = all ] || [ $((number % 3)) = 1 ] || continue
    native "$name" "$variable"
    controlled "$name" "$variable"
    [ "$which" = some ] || repeated "$name" free "random pct pos rr"
done <list

# The rest of what commands do with them.
repeated task_loops free "pct pos"
says 0 '0 racy variables' "$stalemate" hunt --time 60 --trials 20 -- ./cases chain free
says 0 '' "$stalemate" run --seed 3 --record witness -- ./cases recursive free
says 0 '' "$stalemate" replay witness
says 0 'legal' "$stalemate" check witness
says 1 'deadlock' "$stalemate" run --trials 50 -- ./cases opposite race
says 0 '' "$stalemate" run --trials 50 -- ./cases opposite free
says 3 'uses OpenMP' "$stalemate" verify -- ./cases critical free
# Another tool that is asked for does not get in our way.
says 66 'data race on data' env OMP_TOOL_LIBRARIES=libarcher.so ./cases--detect siblings race
says 0 '' env OMP_TOOL_LIBRARIES=libarcher.so ./cases--detect siblings free
says 0 '' env KMP_FORCE_REDUCTION=critical ./cases--detect reduction_struct free
says 0 '' env OMP_TOOL=disabled ./cases--detect task_loops free
