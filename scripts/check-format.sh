#!/bin/sh
# Fails, with the places, when a source file is not as clang-format would have it.
set -eu
cd "$(dirname "$0")/.."
scripts/sources.sh | xargs clang-format-19 --dry-run -Werror || {
    echo "check-format: run: make format" >&2
    exit 1
}
