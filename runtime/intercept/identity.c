/*
 * identity.c - process and thread ids that are the same in every execution.
 *
 * A controlled process has id SM_PID, its threads are numbered from there. Both are above every id
 * that the kernel assigns (pid_max is at most 2^22), so they never collide with those of other
 * processes. Passed to the kernel, such an id becomes 0, the caller: under control all threads
 * share one processor and one priority, so it does not matter which is meant. The child of a fork
 * runs natively, and uses the parent's virtual id for its parent.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/init.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/names.h"
#include "runtime/intercept/real.h"

static pid_t parent; /* in a child: the kernel's id of the controlled process */

void sm_identity_forked(void)
{
    parent = (pid_t)sm_syscall(SYS_getppid);
}

static bool is_ours(pid_t id)
{
    return id >= SM_PID && id < SM_PID_END;
}

pid_t sm_pid_to_kernel(pid_t id)
{
    if (!is_ours(id))
        return id;
    return parent ? parent : 0;
}

pid_t sm_pid_to_signal(pid_t id)
{
    if (!is_ours(id))
        return id;
    return parent ? parent : (pid_t)sm_syscall(SYS_getpid);
}

/* The number after the prefix; *rest is what follows it. 0: the path does not match. */
static pid_t numbered(const char *path, const char *prefix, const char **rest)
{
    size_t length = strlen(prefix);
    char *end;
    if (strncmp(path, prefix, length) != 0 || path[length] < '0' || path[length] > '9')
        return 0;
    long id = strtol(path + length, &end, 10);
    *rest = end;
    return (*end == '/' || !*end) && id < SM_PID_END ? (pid_t)id : 0;
}

/* In a child, too, where /proc/self is another process. To the kernel all our threads are one. */
const char *sm_pid_path(const char *path, char *room)
{
    const char *rest, *more;
    if ((!sm_self() && !sm_starting() && !parent) || !is_ours(numbered(path, "/proc/", &rest))) {
        sm_name_used(path);
        return path;
    }
    long id = parent ? parent : sm_syscall(SYS_getpid);
    if (is_ours(numbered(rest, "/task/", &more)))
        sm_format(room, PATH_MAX, "/proc/%ld/task/%ld%s", id, id, more);
    else
        sm_format(room, PATH_MAX, "/proc/%ld%s", id, rest);
    return room;
}

SM_EXPORT pid_t getpid(void)
{
    SM_PASS_INPUT(getpid);
    return SM_PID;
}

SM_EXPORT pid_t getppid(void)
{
    if (sm_self() || sm_starting())
        return SM_PID - 1;
    pid_t real = SM_REAL(getppid)();
    return parent && real == parent ? SM_PID : real;
}

/* ---- calls that take an id ---- */

SM_EXPORT int sched_setaffinity(pid_t id, size_t size, const cpu_set_t *set)
{
    return SM_REAL(sched_setaffinity)(sm_pid_to_kernel(id), size, set);
}

SM_EXPORT int sched_getaffinity(pid_t id, size_t size, cpu_set_t *set)
{
    return SM_REAL(sched_getaffinity)(sm_pid_to_kernel(id), size, set);
}

SM_EXPORT int sched_setscheduler(pid_t id, int policy, const struct sched_param *parameters)
{
    return SM_REAL(sched_setscheduler)(sm_pid_to_kernel(id), policy, parameters);
}

SM_EXPORT int sched_getscheduler(pid_t id)
{
    return SM_REAL(sched_getscheduler)(sm_pid_to_kernel(id));
}

SM_EXPORT int sched_setparam(pid_t id, const struct sched_param *parameters)
{
    return SM_REAL(sched_setparam)(sm_pid_to_kernel(id), parameters);
}

SM_EXPORT int sched_getparam(pid_t id, struct sched_param *parameters)
{
    return SM_REAL(sched_getparam)(sm_pid_to_kernel(id), parameters);
}

SM_EXPORT int setpriority(__priority_which_t which, id_t who, int priority)
{
    id_t id = which == PRIO_PROCESS ? (id_t)sm_pid_to_kernel((pid_t)who) : who;
    return SM_REAL(setpriority)(which, id, priority);
}

SM_EXPORT int getpriority(__priority_which_t which, id_t who)
{
    return SM_REAL(getpriority)(which,
                                which == PRIO_PROCESS ? (id_t)sm_pid_to_kernel((pid_t)who) : who);
}

SM_EXPORT int prlimit(pid_t id, __rlimit_resource_t resource, const struct rlimit *new_limit,
                      struct rlimit *old_limit)
{
    return SM_REAL(prlimit)(sm_pid_to_kernel(id), resource, new_limit, old_limit);
}

/* The program is the leader of its process group; its session is that of our own parent. */
static pid_t to_program(pid_t id, pid_t otherwise)
{
    if (id <= 0 || (!sm_self() && !sm_starting()))
        return id;
    return id == (pid_t)sm_syscall(SYS_getpid) ? SM_PID : otherwise;
}

SM_EXPORT pid_t getpgid(pid_t id)
{
    pid_t group = SM_REAL(getpgid)(sm_pid_to_kernel(id));
    return to_program(group, group);
}

SM_EXPORT pid_t getpgrp(void)
{
    return getpgid(0);
}

SM_EXPORT pid_t getsid(pid_t id)
{
    pid_t session = SM_REAL(getsid)(sm_pid_to_kernel(id));
    return to_program(session, sm_pid_to_kernel(id) == 0 ? SM_PID - 1 : session);
}

SM_EXPORT pid_t setsid(void)
{
    return to_program(SM_REAL(setsid)(), SM_PID);
}

SM_EXPORT int setpgid(pid_t id, pid_t group)
{
    return SM_REAL(setpgid)(sm_pid_to_kernel(id), sm_pid_to_kernel(group));
}
