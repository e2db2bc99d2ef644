#!/bin/sh
# setup.sh [build]: installs the Debian packages of packages.list that are missing; with `build`
# without those that only tests need. Asks nothing, and touches neither the network nor apt when
# there is nothing to do.
set -eu
here=$(dirname "$0")

wanted() {
    if [ "${1:-}" = build ]; then sed '/^# ----/,$d' "$here/packages.list"; else cat "$here/packages.list"; fi
}

missing=""
for package in $(wanted "$@" | grep -v '^#'); do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=none
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "setup: these packages are missing, and installing them takes root. Run:" >&2
    echo "    sudo sh -c 'apt-get update && $install'" >&2
    exit 1
fi

echo "setup: installing$missing"
log=$(mktemp)
if ! $as_root sh -c "apt-get update && $install" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "setup: apt-get failed (its output is above). Once it is mended, run: make setup" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"
