#!/bin/sh
# check-tidy.sh BUILD-DIR: clang-tidy over what ships (the configuration is in .clang-tidy).
# Only files that the build compiles, because their flags come from its compilation database; each file
# once for every set of flags. A file that tests compile again is the same file, and so is one of two
# shared objects: what CMake defines for each (NAME_EXPORTS) is asked nowhere.
set -eu
cd "$(dirname "$0")/.."
build=$1
mkdir -p "$build/tidy"
awk -v ships="\"$PWD/(abi|base|core|runtime|native|verify|analysis|witness|checker|target|findings|campaign|hunt|syntax|fix|harness|report|commands|plugin|man)/.*[.](c|cpp)\"" '
/^ *"directory"/ { directory = $0 }
/^ *"command"/ {
    command = flags = $0
    sub(/ -o .*/, "", flags)
    gsub(/ -D[a-z_]*_EXPORTS/, "", flags)
}
/^ *"file"/ && $0 ~ ships && command !~ / -o tests\// && !seen[$0, flags]++ {
    printf "%s{\n%s\n%s\n%s\n}", n++ ? ",\n" : "[\n", directory, command, $0
}
END { print "\n]" }' "$build/compile_commands.json" >"$build/tidy/compile_commands.json"
sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$build/tidy/compile_commands.json" | sort -u |
    xargs -P "$(nproc)" -n 4 clang-tidy-19 -p "$build/tidy" --quiet 2>/dev/null || {
    echo "check-tidy: mend the above, or say at the place why it is right (NOLINT with a reason)" >&2
    exit 1
}
