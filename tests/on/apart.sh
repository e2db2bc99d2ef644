# apart.sh - sourced: nodes that share no file system with us, as far as this test goes. Each of Slurm's
# four, and two that are reached by ssh, has a mount namespace of its own, in which the directory `site`,
# the stalemate command and one of that command's libraries cannot be seen.
. "$here/cluster.sh"
. "$here/sshd.sh"

# apart_lacks: prints why there can be none here; nothing: there can.
apart_lacks() {
    cluster_lacks
    sshd_lacks
    unshare -m true 2>/dev/null || echo "no right to make a mount namespace"
}

apart() {
    unshare -m sh -ec 'mount -t tmpfs none "$site"; mount -t tmpfs none "$bin"
        mount --bind /dev/null "$library"; exec "$@"' sh "$@"
}

# nodes_start DIR [apart]: all of them; they are stopped at the end of the script.
nodes_start() {
    nodes_directory=$1
    how=${2:-env}
    bin=$(dirname "$stalemate") site=$PWD/site
    library=$(ldd "$stalemate" | sed -n 's|.* => \(/.*libjansson[^ ]*\) .*|\1|p')
    library=$(readlink -f "$library")
    export bin site library
    mkdir -p "$site" "$nodes_directory/parallel"
    trap nodes_stop EXIT
    cluster_start "$nodes_directory/cluster"
    sshd_start "$nodes_directory/sshd" "$how"
    export PARALLEL_HOME="$nodes_directory/parallel"
    tries=0
    until cluster_ready; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { tail -n 20 "$cluster"/log/*; fail "the cluster does not start"; }
        sleep 0.1
    done
}
cluster_node() {
    "${how:-env}" slurmd -N "$1" -f "$SLURM_CONF"
}
nodes_stop() {
    sshd_stop
    cluster_stop
}
