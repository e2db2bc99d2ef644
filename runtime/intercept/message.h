/*
 * message.h - happens-before through messages that the kernel passes between threads.
 *
 * A thread that reads from a pipe, a socket, an eventfd or a message queue what another thread has
 * written is ordered after it. A thread releases before it writes and acquires after it has read,
 * which gives too many edges (a reader is ordered after all earlier writers of the same object,
 * all sockets are one object): races may be missed, but there are no false ones.
 *
 * Regular files, terminals and the three standard descriptors do not order: threads do not
 * communicate through them. Locked files do (filelock.h).
 */
#ifndef SM_RUNTIME_INTERCEPT_MESSAGE_H
#define SM_RUNTIME_INTERCEPT_MESSAGE_H

#include <stdbool.h>
#include <sys/types.h>

/* No effect if writes to the descriptor do not order threads. errno is preserved. */
void sm_fd_gives(int fd, void *pc);
void sm_fd_takes(int fd, void *pc);

/* The file behind a descriptor, whatever it is. */
void sm_file_gives(int fd, void *pc);
void sm_file_takes(int fd, void *pc);

/* A number for the file, from 1, in the order in which files are first used; 0: none is left. */
unsigned long sm_file_number(dev_t device, ino_t inode);

/* Message queues and semaphore sets of System V. */
enum sm_ipc { SM_IPC_QUEUE = -1, SM_IPC_SEMAPHORES = -2 };
void sm_ipc_gives(enum sm_ipc kind, int id, void *pc);
void sm_ipc_takes(enum sm_ipc kind, int id, void *pc);

/* A child process: before it is created, and when it has been waited for. All of them are one. */
void sm_child_gives(void *pc);
void sm_child_takes(void *pc);

/* An epoll descriptor watches it. Take: a wait for one has returned something, nobody knows for
   which of the descriptors that are watched. */
void sm_fd_watched(int fd);
void sm_watched_take(void *pc);

/* A descriptor is about to be closed: readers will see the end, and a lock is released. */
void sm_fd_closes(int fd, void *pc);

#endif
