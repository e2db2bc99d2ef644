/*
 * lease.h - which workers of a directory are alive (parcels.h).
 *
 * A worker writes its file at least once a second: a number that grows, where it runs, and its
 * progress. An observer remembers each number and when, on its own clock, it saw it first; if it
 * has not changed for the time of the lease, the worker is dead. Numbers, not times, are compared:
 * clocks of machines may differ by hours. A worker that is suspended for longer is taken for dead,
 * and its work is lost; nothing counts twice.
 */
#ifndef SM_CAMPAIGN_LEASE_H
#define SM_CAMPAIGN_LEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "campaign/part.h"

struct sm_beat {
    uint64_t beat, pid, executions;   /* executions: not yet in a result */
    double left;                      /* executions, estimated; 0: unknown */
    char machine[64];                 /* boot id and namespace of process numbers */
    char parcel[SM_PARCEL_NAME_SIZE]; /* "-": none */
};

/* Fills in process and machine. */
void sm_beat_init(struct sm_beat *beat);
bool sm_beat_write(const char *path, struct sm_beat *beat); /* with the next number */
bool sm_beat_read(const char *path, struct sm_beat *beat);

struct sm_leases {
    double seconds;
    struct sm_seen {
        char worker[SM_PARCEL_NAME_SIZE];
        uint64_t beat;
        double since;
    } *seen;
    size_t n;
};
/* Reads the file of a worker, which may be missing. */
bool sm_lease_is_over(struct sm_leases *leases, const char *worker, const char *path);
void sm_leases_free(struct sm_leases *leases);

#endif
