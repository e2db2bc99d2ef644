#define _GNU_SOURCE
#include "real.h"

#include <dlfcn.h>

void *sm_real_lookup(const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address)
        sm_die("libc has no function '%s'", name);
    return address;
}
