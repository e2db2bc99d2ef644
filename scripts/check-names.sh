#!/bin/sh
# check-names.sh: a tag (struct, union, enum) or a constant (macro, enumerator) of the product has
# one definition in the whole tree. Reported is a name that two files define. The parameters of
# .def lists are defined at each use of the list; the names of feature tests belong to others.
set -eu
cd "$(dirname "$0")/.."

# The parameters of the lists: what .def files apply.
parameters() {
    git ls-files -- '*.def' | grep -v '^tests/' | xargs sed -n 's/^[[:space:]]*\([A-Z][A-Z_0-9]*\)(.*/\1/p' | sort -u
}

{
    git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' |
        grep -v -E '^(tests|bench|docs|examples)/' |
        while read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done
} | xargs awk -v parameters="$(parameters | tr '\n' ' ')" '
BEGIN {
    split("_GNU_SOURCE __STALEMATE__ " parameters, words, " ")
    for (i in words) exempt[words[i]] = 1
}
# A name and the place of its definition. Two definitions in one file are branches of an #if.
function define(kind, name,    key) {
    if (name in exempt) return
    key = kind " " name
    total++
    if (key in first && first[key] != FILENAME) more[key] = more[key] "\n    " FILENAME ":" FNR
    else if (!(key in first)) { first[key] = FILENAME; place[key] = FILENAME ":" FNR }
}
# The line without comments, and without what is in strings and characters.
function code(line,    out, head) {
    out = ""
    while (line != "") {
        if (comment) {
            if (!(head = index(line, "*/"))) return out
            line = substr(line, head + 2)
            comment = 0
        } else if (match(line, /\/\*|\/\/|"|\047/)) {
            out = out substr(line, 1, RSTART - 1)
            head = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (head == "//") return out
            if (head == "/*") comment = 1
            else if (head == "\"" && match(line, /^([^"\\]|\\.)*"/)) line = substr(line, RLENGTH + 1)
            else if (head == "\047" && match(line, /^([^\047\\]|\\.)*\047/)) line = substr(line, RLENGTH + 1)
            out = out "0"
        } else return out line
    }
    return out
}
# One token at a time. tag: 1 after struct, union or enum, 2 after its name. list: inside an enum,
# 1 where an enumerator may begin, 2 behind its name, 3 in its value.
function token(t) {
    if (list) {
        if (list == 2 && t != "(") define("constant", name)
        if (t == "(") depth++
        else if (t == ")") depth--
        if (t == "}") list = 0
        else if (t == "," && !depth) list = 1
        else if (list == 1 && t ~ /^[A-Za-z_]/) { name = t; list = 2 }
        else if (list == 2) list = 3
        return
    }
    if (attribute) {
        if (t == "(") depth++
        else if (t == ")" && !--depth) attribute = 0
        return
    }
    if (t == "struct" || t == "union" || t == "enum") { tag = 1; kind = t; name = "" }
    else if (tag && t == "__attribute__") attribute = 1
    else if (tag == 1 && t ~ /^[A-Za-z_]/) { name = t; tag = 2 }
    else if (tag && t == "{") {
        if (name != "") define("tag", name)
        tag = 0
        if (kind == "enum") { list = 1; depth = 0 }
    } else tag = 0
}
FNR == 1 { comment = continued = list = tag = depth = attribute = 0 }
{
    rest = code($0)
    was = continued
    continued = /\\$/ && (was || rest ~ /^[ \t]*#/)
    if (was) next
    if (rest ~ /^[ \t]*#/) {
        if (rest ~ /^[ \t]*#[ \t]*define[ \t]/) {
            sub(/^[ \t]*#[ \t]*define[ \t]+/, "", rest)
            match(rest, /^[A-Za-z_0-9]+/)
            define("constant", substr(rest, 1, RLENGTH))
        }
        next
    }
    while (match(rest, /[A-Za-z_][A-Za-z_0-9]*|[{}(),=;*]/)) {
        token(substr(rest, RSTART, RLENGTH))
        rest = substr(rest, RSTART + RLENGTH)
    }
}
END {
    for (key in more) {
        split(key, word, " ")
        print "check-names: " word[2] " has two definitions:\n    " place[key] more[key]
        bad = 1
    }
    if (total < 500) { print "check-names: only " total + 0 " names were read"; bad = 1 }
    exit bad
}' || {
    echo "check-names: one name, one meaning: rename all but one" >&2
    exit 1
}
