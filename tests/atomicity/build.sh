#!/bin/sh
# build.sh BIN-DIR SOURCE OUTPUT: compiles one program, the repaired twin if OUTPUT ends so.
set -eu
bin=$1 source=$2 output=$3
mkdir -p "$(dirname "$output")"
case $output in
*.repaired) twin=-DREPAIRED ;;
*) twin= ;;
esac
exec "$bin/stalemate-cc" -O1 -g -Wall -Wextra -Werror $twin -pthread "$source" -o "$output"
