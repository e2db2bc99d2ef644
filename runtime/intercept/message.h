/*
 * message.h - what the kernel passes from one thread to another, and that it orders them.
 *
 * Who reads from a pipe, a socket, an eventfd or a message queue what another thread has written
 * comes after it. A thread gives before it writes and takes when it has read, which makes more
 * edges than there are (a reader is ordered after all earlier writers of the same thing, all
 * sockets are one thing): a race may be missed for it, and none is made up.
 *
 * Regular files, terminals and the three standard descriptors are none of these: what threads
 * write there is not meant for each other. A file that is locked is (filelock.h).
 */
#ifndef SM_RUNTIME_INTERCEPT_MESSAGE_H
#define SM_RUNTIME_INTERCEPT_MESSAGE_H

#include <stdbool.h>

/* Nothing if what is written to the descriptor orders nobody. errno stays. */
void sm_fd_gives(int fd, void *pc);
void sm_fd_takes(int fd, void *pc);

/* The file behind a descriptor, whatever it is. */
void sm_file_gives(int fd, void *pc);
void sm_file_takes(int fd, void *pc);

/* Message queues and sets of semaphores of System V. */
enum sm_ipc { SM_IPC_QUEUE = -1, SM_IPC_SEMAPHORES = -2 };
void sm_ipc_gives(enum sm_ipc kind, int id, void *pc);
void sm_ipc_takes(enum sm_ipc kind, int id, void *pc);

/* A descriptor is about to be closed: who reads will see the end, a lock is given back. */
void sm_fd_closes(int fd, void *pc);

#endif
