#!/bin/sh
# table.sh WORK: the table of docs/projects.md, of the results that run.sh left in WORK.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$1

# result NAME STEP
result() {
    cat "$work/$1/$2.result" 2>/dev/null
}

builds() {
    for flavour in control detect tsan; do
        result "$1" build-$flavour | sed -n 's/^ok \(.*\)/\1 s/p; s/^FAILED/fails/p'
    done | paste -sd, | sed 's/,/, /g'
}

seeds() {
    total=$(result "$1" seeds | wc -l)
    equal=$(result "$1" seeds | grep -c equal)
    ends=$(result "$1" seeds | awk '{ print $4 }' | sort -u | paste -sd, | sed 's/,/, /g')
    echo "$equal of $total (status $ends)"
}

# The racy variables of a step; of ThreadSanitizer, its places. Of more than eight, how many.
races() {
    n=$(result "$1" "races-$2" | grep -c ' race ')
    [ "$n" -le 8 ] || { echo "$n places"; return; }
    result "$1" "races-$2" | sed -n "s/^ *[0-9]* race \(.*\)/\1/p" | sed 's,/.*/,,; s/ in .*//' |
        sed 's/.*/`&`/' | paste -sd, | sed 's/,/, /g; s/^$/none/'
}

hunt() {
    result "$1" hunt | sed -n 's/^\([0-9].* racy variable.*\); .*/\1/p; s/^failure: \(.*\)/failure \1/p' |
        sort | uniq -c | sed 's/^ *1 //' | paste -sd';' | sed 's/;/; /g'
}

echo '| project | build: control, detect, TSan | own tests | seeds equal | races under control | races by detect | reports of ThreadSanitizer | hunt |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
sed -n 's/^name: //p' "$here/projects.list" | while read -r name; do
    [ -e "$work/$name/hunt.result" ] || continue
    echo "| $name $(cat "$work/$name/version") | $(builds "$name") | $(result "$name" tests) |" \
        "$(seeds "$name") | $(races "$name" control) | $(races "$name" detect) |" \
        "$(races "$name" tsan) | $(hunt "$name") |"
done
