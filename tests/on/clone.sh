#!/bin/sh
# clone.sh BIN-DIR SCRATCH JSON-WITHOUT: the three commands of docs/scale.md, from a fresh clone to a
# campaign on Slurm, as they are printed there. Behind `make on-clone`: it builds all of Stalemate.
. "$(dirname "$0")/../shards/common.sh"
. "$here/cluster.sh"
lacks=$(cluster_lacks)
[ -z "$lacks" ] || { echo "skipped: $lacks"; exit 77; }
git clone -q "$here/../.." clone
trap cluster_stop EXIT
cluster_start "$PWD/cluster"
cd clone
cp examples/message_passing.c prog.c
sed -n '/^From the README/,/^```$/s/^\$ //p' docs/scale.md >../commands
[ "$(wc -l <../commands)" = 3 ] || { cat ../commands; fail "not three commands"; }
while read -r line; do
    echo "\$ $line"
    sh -c "$line" >../log 2>&1 </dev/null || { [ $? = 1 ] && case $line in *--on*) ;; *) false ;; esac; } ||
        { tail -n 20 ../log; fail "$line"; }
    tail -n 4 ../log
done <../commands
grep -q 'racy variables: [1-9][0-9]* destructive' ../log || fail "the campaign does not find the race"
