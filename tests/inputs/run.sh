#!/bin/sh
# run.sh STALEMATE DIRECTORY WORK: inputs are the same in every execution, or named.
set -u
stalemate=$1 sources=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 99

fail()
{
    echo "FAILED: $1" >&2
    cat text >&2
    exit 1
}

build()
{
    "$stalemate" cc -g -O1 -pthread "$sources/$1.c" -o "$1" &&
        "$stalemate" cc -g -O1 -pthread -DTWIN "$sources/$1.c" -o "$1-twin" || exit 99
}

build constructor
for i in 1 2 3; do
    "$stalemate" run -- ./constructor >"out$i" 2>text || fail "constructor: $(cat "out$i")"
    grep -o 'trace .*' text >>"out$i"
done
cmp -s out1 out2 && cmp -s out1 out3 || fail "constructor: executions differ"
"$stalemate" run --record c.smw -- ./constructor >out1 2>text || fail "record"
"$stalemate" replay c.smw >out2 2>text || fail "replay of the constructor"
cmp -s out1 out2 || fail "replay prints something else"

build early
"$stalemate" run --quiet -- ./early >text 2>&1
status=$?
[ $status -eq 3 ] && grep -q 'a thread that a constructor created' text || fail "early: status $status"
"$stalemate" run --quiet -- ./early-twin >text 2>&1 && grep -qx 1 text || fail "early-twin"

build family
"$stalemate" run -- ./family >text 2>&1 || fail "family"

build processor
if grep -qw rdseed /proc/cpuinfo; then
    ./processor >out1 && ./processor >out2 || fail "processor, natively: $(cat out1)"
    cmp -s out1 out2 && fail "processor: no chance natively"
fi
for i in 1 2; do
    "$stalemate" run -- ./processor >"out$i" 2>text || fail "processor: $(cat "out$i")"
    grep -o 'trace .*' text >>"out$i"
done
cmp -s out1 out2 || fail "processor: executions differ: $(diff out1 out2)"
"$stalemate" run --quiet --seed 2 -- ./processor >out2 2>text || fail "processor: $(cat out2)"
cmp -s out1 out2 && fail "processor: chance does not depend on the seed"
"$stalemate" run --quiet -- ./processor-twin >text 2>&1 && fail "processor-twin: a stranger's directory"
grep -q 'FAILED: readlink' text || fail "processor-twin"

build stats
for i in 1 2 3; do
    "$stalemate" run -- ./stats >"out$i" 2>text || fail "stats: $(cat "out$i")"
    grep -o 'trace .*' text >>"out$i"
    echo "$i" >"other$i" # takes an inode and a block
done
cmp -s out1 out2 && cmp -s out1 out3 || fail "stats: executions differ: $(diff out1 out2)"
"$stalemate" run --record s.smw -- ./stats >out1 2>text || fail "record stats"
"$stalemate" replay s.smw >out2 2>text || fail "replay of stats"
cmp -s out1 out2 || fail "replay of stats prints something else"

# The same names, made in another order.
build files
mkdir -p one other
for name in a b c d e f; do : >one/$name; done
for name in x e c a f b d; do : >other/$name; done
rm other/x
"$stalemate" run --quiet -- ./files one >out1 2>text || fail "files: $(cat out1)"
"$stalemate" run --quiet -- ./files other >out2 2>text || fail "files: $(cat out2)"
cmp -s out1 out2 || fail "files: executions differ: $(diff out1 out2)"
"$stalemate" run --quiet --seed 2 -- ./files one >out2 2>text || fail "files: $(cat out2)"
cmp -s out1 out2 && fail "files: names do not depend on the seed"

build membarrier
rm -rf out && "$stalemate" hunt --out out -- ./membarrier >text 2>&1 || fail "membarrier"
grep -q benign text || fail "membarrier: no race at all"
rm -rf out && "$stalemate" hunt --out out -- ./membarrier-twin >text 2>&1 && fail "membarrier-twin"
grep -q 'destructive *tso' text || fail "membarrier-twin is not destructive under tso"

# No fence in a thread that has not started; one in a thread that has ended is legal.
for seed in 1 2 3 4 5 6 7 8; do
    "$stalemate" run --quiet --model hb --seed $seed --record m.smw -- ./membarrier >text 2>&1
    "$stalemate" check m.smw >text 2>&1 || fail "membarrier, seed $seed"
done

build port
"$stalemate" run -- ./port >text 2>&1
[ $? = 3 ] || fail "port: exit status"
grep -q 'listens at a port' text || fail "port: not named"
"$stalemate" run -- ./port-twin >text 2>&1 || fail "port-twin"

build departure
"$stalemate" run --record d.smw -- ./departure >text 2>&1 || fail "departure: run"
"$stalemate" replay d.smw >text 2>&1
[ $? = 3 ] || fail "departure: exit status"
grep -q 'NOT reproduced: departed at event [0-9]*: ' text || fail "departure: not said"
grep -q 'uncontrolled input /proc/sys/kernel/random/uuid' text || fail "departure: not named"
grep -q 'ok:' text && fail "departure: ok"
"$stalemate" run --record t.smw -- ./departure-twin >text 2>&1 || fail "twin: run"
"$stalemate" replay t.smw >text 2>&1 || fail "twin: replay"
grep -q 'event for event' text || fail "twin: not reproduced"
exit 0
