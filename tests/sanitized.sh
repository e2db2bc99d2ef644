#!/bin/sh
# sanitized.sh SOURCE BUILD: the unit tests again, under AddressSanitizer and UBSan.
# Not unit.heap: the runtime's arena is where AddressSanitizer has its own.
set -eu
cmake -S "$1" -B "$2" -G Ninja -DSM_SANITIZE=address,undefined >/dev/null
ninja -C "$2" --quiet unit-tests
ctest --test-dir "$2" --parallel "$(nproc)" --output-on-failure --exclude-regex '^unit.heap$'
