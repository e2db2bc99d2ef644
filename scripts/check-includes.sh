#!/bin/sh
# check-includes.sh: holds the includes of the product's folders to the order that
# docs/architecture.md states in its block "folders". A line of it is a folder and what the folder
# may include: whole folders, or single files (with * in their names). A folder may name only
# folders of the lines above, so the order has no cycle.
set -eu
cd "$(dirname "$0")/.."

order=$(sed -n '/^```folders$/,/^```$/{/^```/d;p;}' docs/architecture.md)
[ -n "$order" ] || { echo "check-includes: docs/architecture.md has no block \`\`\`folders" >&2; exit 1; }

# Every file of the product with its quoted includes: FILE:LINE:#include "..."
includes() {
    git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.def' '*.S' '*.inc' |
        grep -v -E '^(tests|bench|docs|examples|include)/' |
        while read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done |
        xargs grep -n -H -E '^[[:space:]]*#[[:space:]]*include[[:space:]]*"'
}

{
    printf '%s\n' "$order" | sed 's/^/order /'
    includes | sed -n 's/^\([^:]*:[0-9]*\):[^"]*"\([^"]*\)".*/include \1 \2/p'
} | awk '
function complain(text) { print "check-includes: " text; bad = 1 }
function matches(file, pattern) {
    gsub(/\./, "\\.", pattern)
    gsub(/\*/, "[^/]*", pattern)
    return file ~ ("^" pattern "$")
}
function allowed(from, to, file,    i) {
    for (i = 1; i <= count[from]; i++)
        if (may[from, i] == to || (may[from, i] ~ /\// && matches(file, may[from, i]))) return 1
    return 0
}
$1 == "order" {
    if (NF < 2) next
    from = $2
    sub(/:$/, "", from)
    if (from in known) complain("the order names " from " twice")
    for (i = 3; i <= NF; i++) {
        may[from, ++count[from]] = $i
        split($i, path, "/")
        if (!(path[1] in known)) complain("the order lets " from " include " $i ", which is not above it")
    }
    known[from] = 1
}
$1 == "include" {
    split($2, where, "/")
    from = where[1]
    if ($3 == "stalemate.h") next
    if (split($3, path, "/") < 2) { complain($2 ": includes \"" $3 "\"; name the file from the root"); next }
    to = path[1]
    seen++
    if (!(from in known)) { complain($2 ": the order does not name the folder " from); next }
    if (from == to || allowed(from, to, $3)) next
    complain($2 ": " from " may not include " $3)
}
END {
    if (seen < 500) complain("only " seen + 0 " includes were read")
    exit bad
}' || {
    echo "check-includes: the order is in docs/architecture.md" >&2
    exit 1
}
