#!/bin/sh
# uninstall.sh MANIFEST [DESTDIR]: removes the files that CMake's manifest lists, and directories of
# ours that are empty then. What is not there is no error: it may have been removed before.
set -eu
[ -f "$1" ] || { echo "uninstall: $1 is not there: nothing was installed from this build" >&2; exit 1; }
while IFS= read -r file || [ -n "$file" ]; do
    rm -f -- "${2-}$file"
    directory=$(dirname -- "${2-}$file")
    while case $directory in */stalemate*) true ;; *) false ;; esac; do
        rmdir -- "$directory" 2>/dev/null || break
        directory=$(dirname -- "$directory")
    done
done <"$1"
