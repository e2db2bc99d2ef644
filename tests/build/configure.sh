#!/bin/sh
# What ./configure scripts try: each probe must answer as the plain compiler does.
. "$(dirname "$0")/common.sh"

# probe NAME SOURCE-LINE OPTIONS...: compiles and links with both compilers, compares.
probe() {
    name=$1
    printf '%s\n' "$2" >conftest.c
    shift 2
    ours=yes plain=yes
    "$cc" conftest.c -o conftest "$@" >ours.log 2>&1 || ours=no
    clang-19 conftest.c -o conftest "$@" >plain.log 2>&1 || plain=no
    [ $ours = $plain ] || { cat ours.log; fail "probe $name: $ours, but $plain without us"; }
}

probe works 'int main(void) { return 0; }'
probe header-there '#include <stdint.h>
int main(void) { return 0; }'
probe header-missing '#include <no_such_header.h>
int main(void) { return 0; }'
probe function-there 'char pthread_create(); int main(void) { return pthread_create(); }' \
    -Wno-builtin-requires-header -Wno-deprecated-non-prototype
probe function-missing 'char no_such_function(); int main(void) { return no_such_function(); }'
probe library 'char deflate(); int main(void) { return deflate(); }' -lz
probe no-library 'int main(void) { return 0; }' -lno_such_library
probe flag 'int main(void) { return 0; }' -Wall -Wextra -fno-strict-aliasing
probe bad-flag 'int main(void) { return 0; }' -fno-such-flag
probe werror-warning 'int main(void) { int unused; return 0; }' -Wall -Werror
probe werror-clean 'int main(void) { return 0; }' -Wall -Werror
probe atomics '#include <stdatomic.h>
int main(void) { atomic_int a = 0; return atomic_load(&a); }'
probe tls '__thread int t; int main(void) { return t; }'

# Sizes are asked for by arrays of negative length, and by running the result.
probe sizeof-right 'static int a[sizeof(long) == 8 ? 1 : -1]; int main(void) { return a[0]; }'
probe sizeof-wrong 'static int a[sizeof(long) == 4 ? 1 : -1]; int main(void) { return a[0]; }'
printf '#include <stdio.h>\nint main(void) { return printf("%%zu", sizeof(long)) != 1; }\n' >conftest.c
"$cc" conftest.c -o conftest && [ "$(./conftest)" = 8 ] || fail "a probe that runs"
