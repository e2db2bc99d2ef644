#!/bin/sh
# The page in a browser: a witness of a handful, a thousand and fifty thousand events.
. "$(dirname "$0")/common.sh"
cp "$here/sizes.c" .
"$stalemate" cc -g -O1 -pthread -o sizes sizes.c || fail "cannot build"
set --
for n in 1 1000 49800; do
    # One heuristic and two trials: the hunt is not what is tested, and takes a second for each
    # execution of 50,000 events.
    "$stalemate" hunt --quiet --out "store-$n" --seed 1 --trials 2 --heuristic oldest \
        --variable data -- ./sizes $n </dev/null || [ $? = 1 ] || fail "cannot hunt"
    "$stalemate" report --quiet --html "page-$n.html" "store-$n" && fail "status 0"
    set -- "$@" "$PWD/page-$n.html" $n
done
# What the other commands find is on a page of its own.
cp "$here/../hunt/programs/message_passing.c" .
"$stalemate" cc -g -O1 -pthread -o mp message_passing.c
"$stalemate" cc --detect -g -O1 -pthread -o mp-detect message_passing.c
"$stalemate" hunt --quiet --out all --seed 1 --trials 40 -- ./mp </dev/null && fail "status 0"
"$stalemate" verify --quiet --out all --model c11 -- ./mp </dev/null && fail "status 0"
"$stalemate" detect --quiet --out all -- ./mp-detect </dev/null || [ $? = 1 ] || fail "detect"
"$stalemate" report --quiet --html "all.html" all && fail "status 0"
"$checkers/report-page" "$PWD/profile" "$PWD/pictures" "$@" "$PWD/all.html" 5 || fail "see above"
