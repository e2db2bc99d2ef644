#!/bin/sh
# run.sh BUILD [NAME...]: pictures of the page of `stalemate report --html`, 1280 and 400 pixels
# wide, light and dark, for people to look at; and the size of each page with its time to the first
# paint. Of all, or of the named ones: demo, many, config, deadlock, buffers, verify, atomicity, long.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
shift
stalemate=$build/bin/stalemate
out=$build/bench/pictures
mkdir -p "$out"
cd "$out"

# cc NAME SOURCE; cxx NAME SOURCE
cc() { "$build/bin/stalemate-cc" -g -O1 -pthread -o "$1" "$2"; }
cxx() { "$build/bin/stalemate-c++" -g -O1 -pthread -o "$1" "$2"; }

make_demo() {
    for example in "$repository"/examples/*.c; do
        program=$(basename "$example" .c)
        cp "$example" .
        cc "$program" "$program.c"
        "$stalemate" hunt --quiet --out demo --seed 1 -- "./$program" </dev/null || [ $? = 1 ]
    done
}
make_many() {
    awk -f "$here/many.awk" 72 >many_counters.c
    cc many_counters many_counters.c
    "$stalemate" hunt --quiet --out many --seed 1 --trials 10 -- ./many_counters </dev/null || [ $? = 1 ]
}
make_config() {
    cp "$here/config.cpp" .
    cxx config_reload config.cpp
    "$stalemate" hunt --quiet --out config --seed 1 --time 60 -- ./config_reload </dev/null || [ $? = 1 ]
}
make_deadlock() {
    cp "$here/abba.c" .
    cc abba abba.c
    "$stalemate" hunt --quiet --out deadlock --seed 1 -- ./abba </dev/null || [ $? = 1 ]
}
make_buffers() {
    cp "$repository/tests/hunt/programs/store_buffering.c" .
    cc store_buffering store_buffering.c
    "$stalemate" hunt --quiet --out buffers --seed 1 -- ./store_buffering </dev/null || [ $? = 1 ]
}
make_verify() {
    cp "$repository/tests/hunt/programs/message_passing.c" .
    cc message_passing message_passing.c
    "$stalemate" verify --quiet --out verify --model c11 -- ./message_passing </dev/null || [ $? = 1 ]
}
make_atomicity() {
    cp "$repository/examples/bank_account.c" .
    cc bank_account bank_account.c
    "$stalemate" atomicity --quiet --out atomicity --seed 1 --trials 20 -- ./bank_account </dev/null || [ $? = 1 ]
}
make_long() {
    cp "$repository/tests/report/sizes.c" .
    cc sizes sizes.c
    "$stalemate" hunt --quiet --out long --seed 1 --trials 2 --heuristic oldest --variable data -- \
        ./sizes 49800 </dev/null || [ $? = 1 ]
}

[ $# -gt 0 ] || set -- demo many config deadlock buffers verify atomicity long
pages=""
for name in "$@"; do
    rm -rf "$name"
    make_"$name"
    "$stalemate" report --quiet --html "$name.html" "$name" || [ $? = 1 ]
    pages="$pages $out/$name.html"
done
rm -rf profile
# shellcheck disable=SC2086 # words on purpose
"$build/tests/report/report-pictures" "$out/profile" "$out/pictures" $pages
echo "pictures: $out/pictures"
