#!/bin/sh
# check-places.sh: each answer of the table "Where is ...?" in docs/architecture.md, and of the
# tables of mechanisms in docs/papers.md, is right: the file is there, and has the name.
set -eu
cd "$(dirname "$0")/../docs"
failed=0
for page in architecture papers; do
    rows=$(sed -n 's/^| .* | \[[^]]*\](\([^)]*\)) | `\([^`]*\)` |$/\1 \2/p' "$page.md")
    [ "$(echo "$rows" | wc -l)" -ge 30 ] ||
        { echo "check-places: docs/$page.md has fewer than 30 rows" >&2; exit 1; }
    while read -r file name; do
        grep -q -F -e "$name" "$file" 2>/dev/null || {
            echo "check-places: docs/$page.md: no $name in ${file#../}" >&2
            failed=1
        }
    done <<END
$rows
END
done
exit $failed
