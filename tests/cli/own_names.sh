#!/bin/sh
# Names made of the process id, which is the same in every execution, are not shared by executions
# that run at the same time; nor is a name that an execution uses twice excused.
. "$(dirname "$0")/../common.sh"
build own_names.c
for kind in directory file memory semaphore queue key unix; do
    says 0 "0 distinct failures in 40 executions" \
        "$stalemate" run --jobs 4 --trials 40 -- ./own_names $kind $$
    "$stalemate" run --seed 7 -- ./own_names $kind $$ >first 2>&1
    says 0 "" "$stalemate" run --seed 7 --record own.smw -- ./own_names $kind $$
    [ "$(grep -o 'trace [0-9a-f]*' first)" = "$(grep -o 'trace [0-9a-f]*' output)" ] ||
        fail "$kind: another trace when recorded"
    says 0 "" "$stalemate" replay own.smw
    says 0 "" "$stalemate" check own.smw
done
says 1 "failure: assert" "$stalemate" run --jobs 4 --trials 40 -- ./own_names twice $$
exit 0
