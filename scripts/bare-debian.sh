#!/bin/sh
# bare-debian.sh DIRECTORY TARGET...: does a fresh clone work on a bare Debian 12?
#
# Makes a minimal Debian 12 in DIRECTORY (or uses the one that is there), clones this
# repository's HEAD into it and runs `make TARGET` for each TARGET. Needs root and
# debootstrap. The package mirror is the one this machine uses.
set -eu
[ $# -ge 2 ] || { echo "usage: bare-debian.sh DIRECTORY TARGET..." >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "bare-debian: a chroot takes root; run it with sudo" >&2; exit 2; }
root=$1
shift
repository=$(cd "$(dirname "$0")/.." && pwd)

make_root() {
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
        awk '$2 == "bookworm" { print $1; exit }')
    debootstrap --variant=minbase bookworm "$root" "$mirror"
    # The machine's own apt settings (a proxy, a mirror, its certificates) are the way out.
    cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    # What a clone takes. The rest is for the project's own set-up to install.
    chroot "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends git make ca-certificates'
}

enter() {
    # The root is a mount point, as that of any machine: `unshare -m` needs one.
    mountpoint -q "$root" || mount --bind "$root" "$root"
    for dir in proc sys dev; do
        mountpoint -q "$root/$dir" && continue
        mount --rbind "/$dir" "$root/$dir"
        mount --make-rslave "$root/$dir"
    done
    # Private instances: several roots may be in use at once, and files of a run must not stay in
    # the host's memory.
    for dir in tmp dev/shm; do
        [ "$(findmnt -n -o SOURCE "$root/$dir" | tail -n 1)" = stalemate ] ||
            mount -t tmpfs stalemate "$root/$dir"
    done
}

leave() {
    for dir in tmp dev sys proc; do
        ! mountpoint -q "$root/$dir" || umount -R -l "$root/$dir"
    done
    ! mountpoint -q "$root" || umount -l "$root"
}

[ -e "$root/usr/bin/git" ] || make_root
trap leave EXIT INT TERM
enter
rm -rf "$root/root/stalemate"
git clone --quiet --no-hardlinks "$repository" "$root/root/stalemate"
for target; do
    chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        make -C /root/stalemate "$target" </dev/null
done
