/*
 * message.h - what the kernel passes from one thread to another.
 *
 * Who reads from a pipe, a socket or the like what another thread has written comes after it.
 * Releasing before the call that writes, and acquiring behind the one that reads, makes more edges
 * than there are (a reader is ordered behind all earlier writers of the same thing, all sockets
 * are one thing): a race may be missed for it, and none is made up.
 *
 * Regular files, terminals and the three standard descriptors are none of these: what threads
 * write there is not meant for each other.
 */
#ifndef SM_NATIVE_INTERCEPT_MESSAGE_H
#define SM_NATIVE_INTERCEPT_MESSAGE_H

#include <stdbool.h>

/* Does what is written to the descriptor order threads? */
bool sm_fd_orders(int fd);
/* Before writing and behind reading; nothing if it does not. errno stays. */
void sm_fd_gives(int fd);
void sm_fd_takes(int fd);
void sm_fd_closes(int fd);
/* The file behind a descriptor, whatever it is. */
void sm_file_gives(int fd);
void sm_file_takes(int fd);
/* A message queue of System V; a signal, for those who wait for it. */
void sm_queue_gives(int queue);
void sm_queue_takes(int queue);
void sm_signal_gives(int signo);
void sm_signal_takes(int signo);

#endif
