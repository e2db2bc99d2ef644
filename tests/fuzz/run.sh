#!/bin/sh
# run.sh BUILD TARGET SCRATCH OPTION...: libFuzzer with these options, from the seeds of the
# target; what it finds to be of interest stays in SCRATCH/corpus, what fails in SCRATCH.
set -eu
build=$1 target=$2 scratch=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
program=$build/tests/fuzz/fuzz-$target
mkdir -p "$scratch/corpus" "$scratch/seeds"
cd "$scratch"
if [ "$target" = witness ]; then
    "$build/bin/stalemate" cc -g -O1 -pthread "$here/seed.c" -o seed
    for model in sc tso hb; do
        "$build/bin/stalemate" run --quiet --model $model --record seed.smw -- ./seed </dev/null
        "$build/tests/fuzz/fuzz-unpack" seed.smw >seeds/$model
        { printf '\001'; cat seed.smw; } >seeds/$model.file
    done
else
    cp "$here/seeds/$target"/* seeds/
fi
# The number of inputs is fixed in the tests, and so is what they begin with.
case "$*" in *-runs=*) rm -rf corpus && mkdir corpus ;; esac
exec "$program" -max_len=16384 -timeout=600 -rss_limit_mb=4096 -print_final_stats=1 "$@" corpus seeds
