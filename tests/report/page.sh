#!/bin/sh
# The page in a browser: a witness of a handful, a thousand and fifty thousand events.
. "$(dirname "$0")/common.sh"
cp "$here/sizes.c" .
"$stalemate" cc -g -O1 -pthread -o sizes sizes.c || fail "cannot build"
set --
for n in 1 1000 49950; do
    # One heuristic and two trials: the hunt is not what is tested, and takes a second for each
    # execution of 50,000 events.
    "$stalemate" hunt --quiet --out "store-$n" --seed 1 --trials 2 --heuristic oldest \
        --variable data -- ./sizes $n </dev/null || [ $? = 1 ] || fail "cannot hunt"
    "$stalemate" report --quiet --html "page-$n.html" "store-$n" && fail "status 0"
    set -- "$@" "$PWD/page-$n.html" $n
done
"$checkers/report-page" "$PWD/profile" "$PWD/pictures" "$@" || fail "see above"
