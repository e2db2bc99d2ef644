#!/bin/sh
# npm-package.sh DIRECTORY NAME VERSION SHA512: unpacks a package of npm's registry into
# DIRECTORY/NAME, unless it is there. For tests alone. Where it cannot be had (no npm, no network)
# it says why and ends with 77, which CTest shows as skipped; a package with another checksum is an
# error.
set -eu
[ $# = 4 ] || { echo "usage: npm-package.sh DIRECTORY NAME VERSION SHA512" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
name=$2 version=$3
archive=$(echo "${name#@}" | tr / -)-$version.tgz # of a scope, too: @scope/name
[ ! -e "$name/package.json" ] || exit 0
if ! command -v npm >/dev/null; then
    echo "skipped: there is no npm to get $name $version with; apt install npm"
    exit 77
fi
if ! npm pack --silent --fetch-retries=0 --fetch-timeout=60000 "$name@$version" >npm.log 2>&1; then
    tail -n 3 npm.log
    echo "skipped: $name $version cannot be had from npm's registry"
    exit 77
fi
echo "$4  $archive" | sha512sum --check --quiet || exit 1
rm -rf package
tar -xzf "$archive"
rm "$archive"
mkdir -p "$(dirname "$name")"
mv package "$name"
