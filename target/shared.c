#include "target/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sparse: an execution pays only for what it writes. 16 Mi events are 768 MiB, some minutes of a
   controlled execution; further ones are counted as lost, and still hashed. Of choices none may be
   lost: what bounds them is the limit of memory, to which the pages written here count. */
#define MAX_RECORDS (16ul << 20)
#define MAX_CHOICES (2ul << 30)

static void *make(int *fd, const char *name, size_t size)
{
    *fd = memfd_create(name, MFD_CLOEXEC);
    if (*fd < 0 || ftruncate(*fd, (off_t)size) != 0)
        return MAP_FAILED;
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *fd, 0);
}

bool sm_shared_open(struct sm_shared *shared, struct sm_error *error)
{
    for (int i = 0; i < SM_SHARED_FILES; i++)
        shared->fds[i] = -1;
    shared->control = make(&shared->fds[SM_SHARED_CONTROL], "control", sizeof *shared->control);
    shared->choices =
        make(&shared->fds[SM_SHARED_CHOICES], "choices", MAX_CHOICES * sizeof *shared->choices);
    shared->trace =
        make(&shared->fds[SM_SHARED_TRACE], "trace", MAX_RECORDS * sizeof *shared->trace);
    shared->fds[SM_SHARED_SITES] = memfd_create("sites", MFD_CLOEXEC);
    if (shared->control == MAP_FAILED || shared->choices == MAP_FAILED ||
        shared->trace == MAP_FAILED || shared->fds[SM_SHARED_SITES] < 0)
        return sm_fail(error, SM_STATUS_TARGET,
                       "cannot make the memory shared with the program: %s; is there a limit on "
                       "address space? try: ulimit -v unlimited",
                       strerror(errno));
    struct sm_control *control = shared->control;
    control->magic = SM_CONTROL_MAGIC;
    control->version = sm_control_version();
    control->server_fd = -1;
    control->want_sites = 1;
    control->lie_mode = SM_LIE_ALL;
    control->choices_limit = MAX_CHOICES;
    control->trace_limit = MAX_RECORDS;
    return true;
}

void sm_shared_clear(struct sm_shared *shared, bool program)
{
    struct sm_control *control = shared->control;
    control->end = SM_END_NONE;
    control->status = 0;
    control->end_thread = 0;
    control->end_site = SM_NO_SITE;
    control->end_depth = 0;
    control->fault_addr = 0;
    control->detail[0] = 0;
    control->choices_out = control->choices_made = 0;
    control->trace_records = control->trace_lost = control->trace_hash = 0;
    control->events = 0;
    control->n_threads = 0;
    memset(control->counters, 0, sizeof control->counters);
    control->outcome_bytes = 0;
    control->unvalidated = 0;
    control->n_foreseen = control->foreseen_lost = 0;
    control->n_covered = control->covered_lost = 0;
    if (program) {
        control->attached = 0;
        control->n_mappings = 0;
    }
}

uint64_t sm_shared_recorded(const struct sm_shared *shared)
{
    const struct sm_control *control = shared->control;
    uint64_t records = control->options.record ? control->trace_records : 0; /* or only counted */
    return control->choices_out * sizeof *shared->choices + records * sizeof *shared->trace;
}

bool sm_shared_sites(const struct sm_shared *shared, struct sm_sites *sites)
{
    int fd = shared->fds[SM_SHARED_SITES];
    struct stat file;
    uint64_t size = shared->control->sites_bytes;
    if (size <= sites->bytes || fstat(fd, &file) != 0 || (uint64_t)file.st_size < size)
        return sites->bytes;
    char *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    bool ok = true;
    while (ok && sites->bytes < size)
        ok = sm_sites_add(sites, bytes + sites->bytes, size - sites->bytes);
    munmap(bytes, size);
    return ok;
}

void sm_shared_close(struct sm_shared *shared)
{
    if (shared->control && shared->control != MAP_FAILED)
        munmap(shared->control, sizeof *shared->control);
    if (shared->choices && shared->choices != MAP_FAILED)
        munmap(shared->choices, MAX_CHOICES * sizeof *shared->choices);
    if (shared->trace && shared->trace != MAP_FAILED)
        munmap(shared->trace, MAX_RECORDS * sizeof *shared->trace);
    for (int i = 0; i < SM_SHARED_FILES; i++)
        if (shared->fds[i] >= 0)
            close(shared->fds[i]);
    *shared = (struct sm_shared){0};
}
