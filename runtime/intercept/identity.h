/*
 * identity.h - process and thread ids of a controlled program: see identity.c.
 */
#ifndef SM_RUNTIME_INTERCEPT_IDENTITY_H
#define SM_RUNTIME_INTERCEPT_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

enum { SM_PID = 5000000, SM_PID_END = SM_PID + 1000000 };

/* The kernel's id; 0, the caller, for all of ours. */
pid_t sm_pid_to_kernel(pid_t id);
/* The same for signals, where 0 would mean the whole process group. */
pid_t sm_pid_to_signal(pid_t id);
/* The path; if it begins with the directory of one of our ids in /proc, it is translated to the
   kernel's id, in `room` of PATH_MAX bytes. */
const char *sm_pid_path(const char *path, char *room);
/* In the child of a fork, which continues natively. */
void sm_identity_forked(void);
/* The program has forked: see process.c. */
bool sm_process_has_forked(void);
/* It has forked a child that it has not waited for. */
bool sm_process_has_children(void);

#endif
