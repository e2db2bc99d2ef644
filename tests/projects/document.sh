#!/bin/sh
# document.sh WORK: puts the table of the results in WORK into docs/projects.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/projects.md
{
    sed '/^<!-- table -->$/q' "$page"
    echo
    "$here/table.sh" "$1"
    echo
    sed -n '/^<!-- end -->$/,$p' "$page"
} >"$page.new"
mv "$page.new" "$page"
