#!/bin/sh
# overhead.sh BUILD-DIR: what the profiler and a prescient execution cost against the native
# program, as Figure 13 of the paper has it: racy accesses alone are looked at. The native
# program has its threads in parallel, a controlled one has one thread at a time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$build/prescient-overhead
mkdir -p "$work"
cd "$work"

printf '%-12s %10s %22s %22s %8s %10s\n' program "native s" "profiler s (overhead)" \
    "prescient s (overhead)" told events
for row in "terminals 60 200000" "radio 40 15000" "search 20 6000" "tracer 4 3000"; do
    set -- $row
    "${CC:-cc}" -O2 -pthread -o "$1.native" "$here/load/$1.c" -lm
    "$build/bin/stalemate" cc -g -O2 -pthread -o "$1" "$here/load/$1.c" -lm
    "$build/bench/prescient/prescient-overhead" "./$1.native" "./$1" "$2" "$3" |
        awk -v name="$1" '{printf "%-12s %10.2f %12.2f (%6.0f%%) %12.2f (%6.0f%%) %8d %10d\n", name,
            $1, $2, 100 * ($2 / $1 - 1), $3, 100 * ($3 / $1 - 1), $4, $5}'
done | tee result
[ "$(wc -l <result)" -eq 4 ] || { echo "overhead.sh: not every program could be measured" >&2; exit 1; }
awk '{p += $4; f += $6; n++} END{printf "%-12s %10s %22.0f%% %21.0f%%  (paper: 600%% and 390%%)\n",
    "average", "", p / n, f / n}' FS='[ (%)]+' result
