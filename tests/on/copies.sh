#!/bin/sh
# copies.sh BIN-DIR SCRATCH JSON-WITHOUT: --copy, to nodes that see neither program nor command.
. "$(dirname "$0")/../shards/common.sh"
. "$here/apart.sh"
lacks=$(apart_lacks)
[ -z "$lacks" ] || { echo "skipped:" $lacks; exit 77; }
nodes_start "$PWD/nodes" apart

# A program with a library of its own, both instrumented, and a file to read.
cd site
mkdir lib
cp "$here/cell.c" lib
"$stalemate" cc -g -O1 -fPIC -shared -o lib/libcell.so lib/cell.c
"$stalemate" cc -g -O1 -pthread -o prog "$here/reads_cell.c" -Llib -lcell -Wl,-rpath,"$PWD/lib"
"$stalemate" cc --detect -g -O1 -fPIC -shared -o lib/libnative.so lib/cell.c
"$stalemate" cc --detect -g -O1 -pthread -o native "$here/reads_cell.c" -Llib -lnative -Wl,-rpath,"$PWD/lib"
echo 42 >number

# Without verify, which has a limit by time: what it decides depends on what else the machine does.
# copied WHERE ARGS...: into all/ and all.json.
copied() {
    rm -rf all
    "$stalemate" "$2" --on "$1" --copy --tasks 4 --out all --json all.json --quiet \
        $(shift 2; echo "$@") -- $program >log 2>&1 </dev/null || [ $? = 1 ] ||
        { cat log; tail -n 20 all/on/log/*; fail "--on $1 --copy"; }
    mkdir -p all/witnesses
}

program="./prog number"
alone hunt --trials 40 --no-exact
grep -q '"verdict": *"destructive"' alone.json || fail "nothing to find"
copied slurm hunt --trials 40 --no-exact
same "hunt --on slurm --copy"
grep -h -o 'node n[1-4]' all/on/log/*.node | sort -u | grep -c . | grep -q '[2-4]' || fail "on one node only"
PARALLEL="$sshd_options" copied parallel hunt --trials 40 --no-exact
same "hunt --on parallel --copy"
[ ! -e ~/".stalemate-$(cat all/on/token)" ] || fail "GNU parallel has left something"
alone detect --trials 12
copied slurm detect --trials 12
same "detect --on slurm --copy"

# Executions of the detect flavour differ from run to run; both threads access ready in each.
program="./native number"
copied slurm detect --trials 4
grep -q '"variable": *"ready"' all.json || { cat all.json; fail "the native race"; }

# Here everything can be seen: it is made in place.
program="./prog number"
alone hunt --trials 40 --no-exact
copied parallel hunt --trials 40 --no-exact
same "hunt --on parallel --copy, on this machine"

# Without --copy the nodes have nothing; and what cannot be copied is said.
says 3 'no task has left a result' env PARALLEL="$sshd_options" "$stalemate" hunt --on parallel --tasks 2 \
    --trials 40 --out none -- $program
says 2 'go to a directory above it' "$stalemate" hunt --on slurm --copy --out none2 -- "$PWD/prog" number

# A node dies with what runs on it: another one makes its tasks.
alone hunt --trials 40 --no-exact --oracle "$(cluster_oracle)"
rm -rf all
touch hold
"$stalemate" hunt --trials 40 --no-exact --oracle "$(cluster_oracle)" --on slurm --copy --tasks 8 --out all \
    --json all.json --quiet -- $program >log 2>&1 </dev/null &
driver=$!
await $driver on_node n2
cluster_kill_node n2
rm hold
wait $driver || [ $? = 1 ] || { cat log; tail -n 20 all/on/log/*; fail "with a dead node"; }
same "with a dead node"
