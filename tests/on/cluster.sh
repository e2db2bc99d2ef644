# cluster.sh - sourced: a Slurm of four nodes on this machine (one slurmctld, four slurmd by name),
# with everything private to the directory $cluster: configuration, key of munge, state, sockets.

# cluster_lacks: prints why there can be no cluster here; nothing: there can.
cluster_lacks() {
    [ "$(id -u)" = 0 ] || { echo "slurmd needs root"; return; }
    for program in munged slurmctld slurmd sbatch squeue scancel sinfo; do
        PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "$program is not installed"; return; }
    done
}

# cluster_start DIR: also sets SLURM_CONF.
cluster_start() {
    cluster=$1
    trap 'exit 1' HUP INT TERM # the caller's trap on EXIT stops it
    PATH=$PATH:/usr/sbin
    mkdir -p "$cluster/state" "$cluster/run" "$cluster/log"
    dd if=/dev/urandom of="$cluster/munge.key" bs=64 count=1 2>/dev/null
    chmod 600 "$cluster/munge.key"
    munged --force --key-file="$cluster/munge.key" --socket="$cluster/run/munge" \
        --pid-file="$cluster/run/munged.pid" --log-file="$cluster/log/munged" \
        --seed-file="$cluster/run/munged.seed" 2>"$cluster/log/munged.start"
    host=$(hostname -s)
    # Five ports each: clusters that are started together have neighbouring numbers of processes. Below
    # those that the kernel gives to connections.
    port=$((10000 + $$ % 4500 * 5))
    cat >"$cluster/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/run/munge
CredType=cred/munge
SlurmctldPort=$port
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldPidFile=$cluster/run/slurmctld.pid
SlurmdPidFile=$cluster/run/slurmd.%n.pid
SlurmctldLogFile=$cluster/log/slurmctld
SlurmdLogFile=$cluster/log/slurmd.%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1 State=UNKNOWN
NodeName=n4 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 4)) CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$cluster/slurm.conf
    cluster_controller
    for node in n1 n2 n3 n4; do
        mkdir -p "$cluster/spool.$node"
        cluster_node $node
    done
}

# The controller, also again after it was killed; and a node.
cluster_controller() {
    slurmctld -f "$SLURM_CONF"
}
cluster_node() {
    slurmd -N "$1" -f "$SLURM_CONF"
}

# cluster_ready: all four nodes can take jobs.
cluster_ready() {
    [ "$(sinfo -h -N -o '%T' 2>/dev/null | grep -c idle)" = 4 ]
}

# cluster_oracle: a command that accepts every execution. Tasks wait in it while there is a file `hold`
# in this directory: else a hunt may end before anybody has seen it run.
cluster_oracle() {
    echo "while [ -n \"\${SLURM_JOB_ID:-}\" ] && [ -e '$PWD/hold' ]; do sleep 0.1; done"
}

# on_node NODE: a task runs there.
on_node() {
    squeue -h -t R -w "$1" | grep -q .
}

# cluster_kill_node NODE: the daemon, its steps, and all that they run, at once, with SIGKILL.
cluster_kill_node() {
    doomed=$(cat "$cluster/run/slurmd.$1.pid")
    for step in $(pgrep slurmstepd); do
        ls -l "/proc/$step/fd" "/proc/$step/cwd" 2>/dev/null | grep -q "$cluster.*[./]$1" || continue
        doomed="$doomed $step $(cluster_children "$step")"
    done
    for pid in $doomed; do
        kill -9 "$pid" 2>/dev/null || true
    done
}
cluster_children() {
    for child in $(pgrep -P "$1"); do
        echo "$child"
        cluster_children "$child"
    done
}

cluster_stop() {
    for file in "$cluster"/run/slurmd.*.pid "$cluster/run/slurmctld.pid" "$cluster/run/munged.pid"; do
        [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
    done
}
