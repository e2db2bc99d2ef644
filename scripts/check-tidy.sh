#!/bin/sh
# check-tidy.sh BUILD-DIR: clang-tidy over what ships (the configuration is in .clang-tidy).
# Only files that the build compiles, because their flags come from its compilation database.
set -eu
cd "$(dirname "$0")/.."
build=$1
sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$build/compile_commands.json" |
    grep -E "^$PWD/(abi|base|core|runtime|native|verify|analysis|witness|checker|target|findings|campaign|hunt|syntax|fix|harness|report|commands|plugin|man)/.*\.(c|cpp)$" | sort -u |
    xargs -P "$(nproc)" -n 4 clang-tidy-19 -p "$build" --quiet 2>/dev/null || {
    echo "check-tidy: mend the above, or say at the place why it is right (NOLINT with a reason)" >&2
    exit 1
}
