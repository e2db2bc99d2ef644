#!/bin/sh
# everywhere.sh BIN-DIR SCRATCH JSON-WITHOUT PBZIP2-SOURCE: the same hunt alone, on four nodes of Slurm,
# and through GNU parallel, by a file system that all share and by copies to nodes that see nothing of
# it: equal findings, verdicts, counts and witnesses. Of the demo programs, of Debian's pbzip2 (which
# has no race), and of pbzip2 with three of its locks left out. Behind `make on-machines`; the short
# form is in parallel.sh, slurm.sh and copies.sh. WAYS=copied makes the copies alone.
pbzip2=$4
. "$(dirname "$0")/../shards/common.sh"
. "$here/apart.sh"
lacks=$(apart_lacks)
[ -z "$lacks" ] || { echo "skipped:" $lacks; exit 77; }
mkdir site
cd site

build_pbzip2() {
    make -C "$1" CXX="$stalemate c++ -std=gnu++98" pbzip2 >build.log 2>&1 ||
        { tail -n 40 build.log; fail "make -C $1"; }
}
cp -a "$pbzip2" pbzip2
cp -a "$pbzip2" unlocked
sed -i '/safe_mutex_\(un\)\?lock(\(ProducerDoneMutex\|&TerminateFlagMutex\|&ProgressIndicatorsMutex\));/d' \
    unlocked/pbzip2.cpp
build_pbzip2 pbzip2
build_pbzip2 unlocked
seq 1 1000000 | head -c 150000 >input
for source in "$here"/../../examples/*.c; do
    "$stalemate" cc -g -O1 -pthread -o "$(basename "$source" .c)" "$source"
done

# by WHERE ARGS...: into all/ and all.json, and compares.
by() {
    rm -rf all
    # shellcheck disable=SC2086
    "$stalemate" hunt --trials "$trials" --on "$@" --out all --json all.json --quiet -- $program >log 2>&1 \
        </dev/null || [ $? = 1 ] || { cat log; tail -n 20 all/on/log/*; fail "$program --on $*"; }
    mkdir -p all/witnesses
    same "$program --on $*"
    echo "$program: --on $*: the same"
}

shared() {
    by slurm --tasks 8
    by parallel --tasks 8 --jobs 2
    PARALLEL="$sshd_options" by parallel --tasks 8
}

copied() {
    by slurm --copy --tasks 8
    PARALLEL="$sshd_options" by parallel --copy --tasks 8
}

# hunted PROGRAM: alone, and by the nodes as they are.
hunted() {
    program=$1
    alone hunt --trials "$trials"
    echo "$program: alone: $(grep -c '"verdict"' alone.json) racy variables," \
        "$(grep -c '"verdict": *"destructive"' alone.json) of them destructive"
    $way
}

for way in ${WAYS:-shared copied}; do
    [ $way = shared ] && how=env || how=apart
    cd ..
    nodes_start "$PWD/$way" $how
    cd site
    trials=40
    for source in "$here"/../../examples/*.c; do
        hunted "./$(basename "$source" .c)"
    done
    trials=20
    hunted "pbzip2/pbzip2 -p2 -b1 -1 -k -c input"
    hunted "unlocked/pbzip2 -p2 -b1 -1 -k -c input"
    grep -q '"verdict": *"destructive"' alone.json || fail "nothing to find without the locks"
    nodes_stop
done
