#!/bin/sh
# Prints the C and C++ files that are ours to format, tracked or about to be. The .def files
# are tables, and keep their own layout.
set -eu
cd "$(dirname "$0")/.."
git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' | while read -r file; do
    [ -e "$file" ] && printf '%s\n' "$file"
done
