#define _GNU_SOURCE
#include "core/libc/real.h"

#include <dlfcn.h>

/* The linker puts all SM_REAL of the library between these. */
extern struct sm_real __start_sm_real[], __stop_sm_real[];

/* Not every libc has every function; a missing one matters only when it is called. */
void sm_real_lookup_all(void)
{
    for (struct sm_real *real = __start_sm_real; real < __stop_sm_real; real++)
        if (!real->address)
            real->address = dlsym(RTLD_NEXT, real->name);
}

void *sm_real_lookup(const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address)
        sm_die("libc has no %s; this program needs the libc that Stalemate was built for", name);
    return address;
}
