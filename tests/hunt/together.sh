#!/bin/sh
# A failure that needs lies about two variables is found by --together, as one finding that
# names the two; with --variable, of these alone.
. "$(dirname "$0")/../common.sh"
build sources/two_flags.c
build sources/three_flags.c
build programs/double_checked_safe.c

says 0 "2 racy variables: 2 benign" $stalemate hunt --no-exact -- ./two_flags
says 1 "destructive: race on left + right" $stalemate hunt --no-exact --together -- ./two_flags
says 0 "0 racy variables" $stalemate hunt --no-exact --together -- ./double_checked_safe
says 1 "destructive: race on left + right" $stalemate hunt --no-exact --no-prescient \
    --together -- ./three_flags
also "1 destructive, 3 benign"
says 1 "destructive: race on left + right" $stalemate hunt --no-exact --model pso \
    --together -- ./three_flags
says 1 "destructive: race on left + right" $stalemate hunt --no-exact --no-prescient \
    --together --variable left --variable right -- ./three_flags
says 0 "2 racy variables: 2 benign" $stalemate hunt --no-exact --no-prescient \
    --together --variable left --variable middle -- ./three_flags
