#define _GNU_SOURCE
#include "runtime/thread_local.h"

#include <link.h>

#include "runtime/thread.h"

struct segment_search {
    uintptr_t running, owner; /* thread pointers */
    uintptr_t addr;
    struct sm_thread_local *found;
};

/* A segment is at the same distance from the thread pointer in all threads. */
static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    struct segment_search *search = context;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_TLS || !info->dlpi_tls_data)
            continue;
        uintptr_t start = (uintptr_t)info->dlpi_tls_data - search->running + search->owner;
        if (search->addr - start >= header->p_memsz)
            continue;
        *search->found = (struct sm_thread_local){(uintptr_t)info->dlpi_phdr, search->addr - start};
        return 1;
    }
    return 0;
}

bool sm_thread_local_find(const struct sm_thread *owner, uintptr_t addr,
                          struct sm_thread_local *found)
{
    struct sm_thread *self = sm_running();
    struct segment_search search = {(uintptr_t)self->handle, (uintptr_t)owner->handle, addr, found};
    bool inside = self->in_runtime;
    self->in_runtime = true; /* the loader takes its lock */
    int result = dl_iterate_phdr(look_into, &search);
    self->in_runtime = inside;
    return result;
}
