/* abort.c - for tests of parts of the runtime: where the runtime would give up, the test fails. */
#include <stdio.h>
#include <stdlib.h>

#include "../../base/sys.h"

_Noreturn void sm_die(const char *format, ...)
{
    fprintf(stderr, "sm_die: %s\n", format);
    abort();
}

_Noreturn void sm_refuse(const char *format, ...)
{
    fprintf(stderr, "sm_refuse: %s\n", format);
    abort();
}
