# sshd.sh - sourced: two machines that are reached by ssh, on 127.0.0.1, with keys made for this test.

# sshd_lacks: prints why there can be none here; nothing: there can.
sshd_lacks() {
    for program in sshd ssh ssh-keygen rsync parallel; do
        PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "$program is not installed"; return; }
    done
}

# sshd_start DIR [COMMAND]: starts two daemons by COMMAND; $sshd_options are for GNU parallel.
sshd_start() {
    sshd=$1
    shift
    mkdir -p "$sshd" /run/sshd
    ssh-keygen -q -t ed25519 -N '' -f "$sshd/host"
    ssh-keygen -q -t ed25519 -N '' -f "$sshd/user"
    first=$((41000 + $$ % 10000 * 2)) # nothing but these tests listens there
    for n in 1 2; do
        cat >"$sshd/config.$n" <<END
Port $((first + n))
ListenAddress 127.0.0.1
HostKey $sshd/host
PidFile $sshd/pid.$n
AuthorizedKeysFile $sshd/user.pub
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
AcceptEnv NODE
END
        "$@" /usr/sbin/sshd -f "$sshd/config.$n" -E "$sshd/log.$n"
    done
    cat >"$sshd/client" <<END
Host n*
    HostName 127.0.0.1
    IdentityFile $sshd/user
    UserKnownHostsFile /dev/null
    StrictHostKeyChecking no
    LogLevel ERROR
Host n1
    Port $((first + 1))
Host n2
    Port $((first + 2))
END
    sshd_options="--ssh 'ssh -F $sshd/client' --sshlogin 1/n1,1/n2"
}

sshd_stop() {
    for file in "$sshd"/pid.*; do
        [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
    done
}
