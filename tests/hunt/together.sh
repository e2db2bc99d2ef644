#!/bin/sh
# A failure that needs lies about two variables is found by --together, as one finding.
. "$(dirname "$0")/common.sh"
build sources/two_flags.c
build programs/double_checked_safe.c

says 0 "2 racy variables: 2 benign" $stalemate hunt -- ./two_flags
says 1 "the race on left + right breaks the program under" $stalemate hunt --together -- ./two_flags
says 0 "0 racy variables" $stalemate hunt --together -- ./double_checked_safe
