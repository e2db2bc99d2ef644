#!/bin/sh
# The page in a browser: a witness of a handful, a thousand and fifty thousand events; store
# buffers, locks, many findings, a name that is too long for any line.
. "$(dirname "$0")/common.sh"
repository=$here/../..

# add NAME EVENTS: the page of store NAME.
add() {
    "$stalemate" report --quiet --html "$1.html" "$1" && fail "status 0: $1"
    pages="$pages $PWD/$1.html $2"
}
pages=""

cp "$here/sizes.c" .
"$stalemate" cc -g -O1 -pthread -o sizes sizes.c || fail "cannot build"
for n in 1 1000 49800; do
    # One heuristic and two trials: the hunt is not what is tested, and takes a second for each
    # execution of 50,000 events.
    "$stalemate" hunt --quiet --out "page-$n" --seed 1 --trials 2 --heuristic oldest \
        --variable data -- ./sizes $n </dev/null || [ $? = 1 ] || fail "cannot hunt"
    add "page-$n" $n
done
hunt hunt/programs/store_buffering.c --out buffers
add buffers 15
cp "$repository/bench/page/abba.c" .
"$stalemate" cc -g -O1 -pthread -o abba abba.c
"$stalemate" hunt --quiet --out deadlock --seed 1 --trials 40 -- ./abba </dev/null || [ $? = 1 ]
add deadlock 5
awk -f "$repository/bench/page/many.awk" 24 >many.c
"$stalemate" cc -g -O1 -pthread -o counters many.c
"$stalemate" hunt --quiet --out many --seed 1 --trials 4 -- ./counters </dev/null || [ $? = 1 ]
add many 100
long=$(printf 'a%.0s' $(seq 300))
sed "s/data/$long/g" sizes.c >long.c
"$stalemate" cc -g -O1 -pthread -o long long.c
"$stalemate" hunt --quiet --out long-name --seed 1 --trials 2 --heuristic oldest -- ./long 3 \
    </dev/null || [ $? = 1 ]
add long-name 3
# What the other commands find is on a page of its own.
cp "$here/../hunt/programs/message_passing.c" .
"$stalemate" cc -g -O1 -pthread -o mp message_passing.c
"$stalemate" cc --detect -g -O1 -pthread -o mp-detect message_passing.c
"$stalemate" hunt --quiet --out all --seed 1 --trials 40 -- ./mp </dev/null && fail "status 0"
"$stalemate" verify --quiet --out all --model c11 --examples 4 -- ./mp </dev/null && fail "status 0"
"$stalemate" detect --quiet --out all -- ./mp-detect </dev/null || [ $? = 1 ] || fail "detect"
add all 5
cp "$repository/examples/bank_account.c" .
"$stalemate" cc -g -O1 -pthread -o bank_account bank_account.c
"$stalemate" atomicity --quiet --seed 1 --trials 20 --out units -- ./bank_account </dev/null && fail "status 0"
add units 10
# shellcheck disable=SC2086 # words on purpose
"$checkers/report-page" "$PWD/profile" "$PWD/pictures" $pages || fail "see above"
