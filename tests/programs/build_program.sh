#!/bin/sh
# build_program.sh BIN-DIR SOURCE OUTPUT: compiles one program under test.
# A comment line `// cflags: ...` at its top adds to the command line.
set -eu
bin=$1 source=$2 output=$3
mkdir -p "$(dirname "$output")"
cflags=$(sed -n '/^\/\//!q; s|^// cflags: *||p' "$source")
case $source in
*.cpp) compiler=stalemate-c++ ;;
*) compiler=stalemate-cc ;;
esac
# shellcheck disable=SC2086 # cflags is a list
exec "$bin/$compiler" -O1 -g -Wall -Wextra -Werror -pthread "$source" -o "$output" $cflags
