#!/bin/sh
# thread_local.sh BIN-DIR SCRATCH: a report names the thread-local variable of a thread that has ended.
. "$(dirname "$0")/../common.sh"
build stack.c
for carrier in fiber thread; do
    says 1 "read of 4 bytes of 'counter', thread-local memory of a thread that has ended, created at" \
        "$stalemate" run --carrier $carrier -- ./stack thread_local_of_ended
    says 1 "write of 4 bytes of 'of_each', thread-local memory of a thread that has ended, created at" \
        "$stalemate" run --carrier $carrier -- ./stack thread_local_by_schedule
    # Twins: on the stack below it; nothing.
    says 1 "read of 4 bytes on the stack of a thread that has ended" \
        "$stalemate" run --carrier $carrier -- ./stack result_on_the_stack
    says 0 "" "$stalemate" run --carrier $carrier -- ./stack thread_local_of_each
done
says 1 "of 'counter', thread-local memory of a thread that has ended" \
    "$stalemate" verify -- ./stack thread_local_of_ended
