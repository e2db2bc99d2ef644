#!/bin/sh
# many_processes.sh BUILD - processes that write their races to the file of `stalemate detect` at the
# same time: none is lost.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stalemate=$build/bin/stalemate

# Eight children, each with races on 16 variables of its own.
{
    echo '#include <pthread.h>'
    echo '#include <sys/wait.h>'
    echo '#include <unistd.h>'
    seq 0 127 | sed 's/.*/static int v&;/'
    echo 'static void write_all(int child) {'
    seq 0 127 | awk '{ printf "if (child == %d)\nv%d++;\n", int($1 / 16), $1 }'
    echo '}'
} >"$work/many.c"
cat >>"$work/many.c" <<'END'
static void *run(void *child)
{
    write_all(*(int *)child);
    return child;
}
int main(void)
{
    for (int child = 0; child < 8; child++)
        if (fork() == 0) {
            pthread_t one, two;
            pthread_create(&one, NULL, run, &child);
            pthread_create(&two, NULL, run, &child);
            pthread_join(one, NULL);
            pthread_join(two, NULL);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}
END
"$stalemate" cc --detect -O1 -w "$work/many.c" -o "$work/many"
for run in 1 2 3 4 5; do
    "$stalemate" detect --out "$work/store.$run" --json "$work/found" -- "$work/many" >"$work/log" 2>&1 ||
        [ $? -eq 1 ]
    variables=$(grep -o '"variable": *"v[0-9]*"' "$work/found" | sort -u | wc -l)
    [ "$variables" -eq 128 ] || {
        echo "FAIL: races on $variables of 128 variables in run $run" >&2
        exit 1
    }
done
echo "races: 8 processes, 128 races, in each of 5 runs"
