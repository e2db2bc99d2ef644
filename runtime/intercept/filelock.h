/*
 * filelock.h - locks on files: flock, lockf, and those of fcntl.
 *
 * Waiting is done by retrying. A lock that belongs to an open file (flock, F_OFD_SETLK) excludes
 * other threads, so it orders them as a mutex does: what a thread did before it unlocks, or closes
 * the file, happens before all that follows a later lock. The object is the file: whichever part
 * of it is locked, and shared or not. That may order two readers whose locks do not overlap in
 * time, but gives no false race. A lock that belongs to the process (lockf, F_SETLK) excludes none
 * of its threads, and orders none.
 */
#ifndef SM_RUNTIME_INTERCEPT_FILELOCK_H
#define SM_RUNTIME_INTERCEPT_FILELOCK_H

#include <stdbool.h>

struct flock;

/* Does this command of fcntl lock? Then sm_file_lock does it. */
bool sm_is_file_lock(int command);
int sm_file_lock(int fd, int command, struct flock *lock, void *pc);

#endif
