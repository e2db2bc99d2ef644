#!/bin/sh
# fetch.sh DIRECTORY PACKAGE...: unpacks Debian source packages into DIRECTORY/PACKAGE.
#
# Uses the machine's own package archives (the deb lines of its apt, taken as deb-src), but
# with apt state of its own in DIRECTORY: no root, and the machine's apt stays as it is.
set -eu
[ $# -ge 2 ] || { echo "usage: fetch.sh DIRECTORY PACKAGE..." >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
apt=$dir/apt
log=$dir/fetch.log
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")

give_up() {
    cat "$log" >&2
    echo "fetch: cannot get the Debian source package '$1' (apt-get's words are above)." >&2
    echo "fetch: the tests of third-party programs need it from the archive that this machine's" >&2
    echo "       apt is set up with. Once the archive serves it, run: make test" >&2
    # The archive is there but does not have it: for CTest, skipped where that is foreseen.
    grep -q '404  *Not Found' "$log" && exit 77
    exit 1
}

private_apt() {
    apt-get -q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=0 "$@"
}

prepare_apt() {
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v codename="$codename" 'index($2, codename) == 1 { print "deb-src " $0 }' |
        sort -u >"$apt/sources.list"
    private_apt update >"$log" 2>&1
}

# unpack PACKAGE[/RELEASE]: a mirror may lack the newest, a security update, and have the release's.
unpack() {
    (cd "$dir/unpack" && private_apt source --only-source "$1")
}

for package; do
    [ ! -e "$dir/$package/.complete" ] || continue
    [ -e "$apt/sources.list" ] || prepare_apt || { rm -f "$apt/sources.list"; give_up "$package"; }
    rm -rf "${dir:?}/$package" "$dir/unpack"
    mkdir "$dir/unpack"
    unpack "$package" >"$log" 2>&1 || unpack "$package/$codename" >>"$log" 2>&1 || give_up "$package"
    mv "$dir/unpack/$package"-*/ "$dir/$package"
    touch "$dir/$package/.complete"
done
