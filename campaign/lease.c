#include "campaign/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/now.h"

/* ---- files ---- */

static void read_boot(char *to, size_t size)
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, to, size - 1);
    if (fd >= 0)
        close(fd);
    to[n > 0 ? n : 0] = 0;
    to[strcspn(to, "\n")] = 0;
    if (!*to)
        snprintf(to, size, "?");
}

void sm_beat_init(struct sm_beat *beat)
{
    char boot[40];
    struct stat space = {0};
    read_boot(boot, sizeof boot);
    stat("/proc/self/ns/pid", &space);
    *beat = (struct sm_beat){.pid = (uint64_t)getpid(), .parcel = "-"};
    snprintf(beat->machine, sizeof beat->machine, "%s/%lu", boot, (unsigned long)space.st_ino);
}

/* Always the same length, in one write: a reader sees the old line or the new one. */
#define LINE_SIZE 256

bool sm_beat_write(const char *path, struct sm_beat *beat)
{
    char line[LINE_SIZE + 1];
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    int n =
        snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %.0f %s %s", ++beat->beat,
                 beat->pid, beat->executions, beat->left, beat->machine, beat->parcel);
    memset(line + n, ' ', sizeof line - (size_t)n);
    line[LINE_SIZE - 1] = '\n';
    bool ok = pwrite(fd, line, LINE_SIZE, 0) == LINE_SIZE;
    return (close(fd) == 0) & ok;
}

bool sm_beat_read(const char *path, struct sm_beat *beat)
{
    char line[LINE_SIZE + 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : pread(fd, line, LINE_SIZE, 0);
    if (fd >= 0)
        close(fd);
    line[n > 0 ? n : 0] = 0;
    return n > 0 &&
           sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %63s %39s", &beat->beat,
                  &beat->pid, &beat->executions, &beat->left, beat->machine, beat->parcel) == 6;
}

/* ---- who is alive ---- */

static struct sm_seen *seen_of(struct sm_leases *leases, const char *worker)
{
    for (size_t i = 0; i < leases->n; i++)
        if (strcmp(leases->seen[i].worker, worker) == 0)
            return &leases->seen[i];
    leases->seen = sm_resize(leases->seen, (leases->n + 1) * sizeof *leases->seen);
    struct sm_seen *new = &leases->seen[leases->n++];
    *new = (struct sm_seen){.since = sm_now()};
    snprintf(new->worker, sizeof new->worker, "%s", worker);
    return new;
}

static bool is_gone(const struct sm_beat *beat)
{
    struct sm_beat mine;
    sm_beat_init(&mine);
    return strcmp(beat->machine, mine.machine) == 0 && *mine.machine != '?' &&
           kill((pid_t)beat->pid, 0) != 0 && errno == ESRCH;
}

bool sm_lease_is_over(struct sm_leases *leases, const char *worker, const char *path)
{
    struct sm_beat beat = {0};
    struct sm_seen *seen = seen_of(leases, worker);
    bool there = sm_beat_read(path, &beat);
    if (there && is_gone(&beat))
        return true;
    if (beat.beat != seen->beat) {
        seen->beat = beat.beat;
        seen->since = sm_now();
    }
    return sm_now() - seen->since > leases->seconds;
}

void sm_leases_free(struct sm_leases *leases)
{
    free(leases->seen);
    *leases = (struct sm_leases){0};
}
