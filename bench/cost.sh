# cost.sh - sourced by the scripts that compare two builds (compare.sh in engine, verify and detect):
# the cost of a command, all its threads and processes included. Instructions in user mode where the
# processor counts them, otherwise processor time (user and system) in seconds.
counts=false
perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]' && counts=true

# cost FILE COMMAND...: adds a line to FILE; leaves `output` and `errors`. The command's status.
cost() {
    local file=$1 status=0 TIMEFORMAT='%U %S'
    shift
    if $counts; then
        perf stat -x, -e instructions:u -o perf.out "$@" </dev/null >output 2>errors || status=$?
        awk -F, '/instructions/ { print $1 }' perf.out >>"$file"
    else
        { time "$@" </dev/null >output 2>errors; } 2>times || status=$?
        awk '{ print $1 + $2 }' times >>"$file"
    fi
    return $status
}

best() { # FILE
    sort -g "$1" | head -n 1
}

# For awk's printf.
cost_form() {
    $counts && echo %14d || echo %10.3f
}
