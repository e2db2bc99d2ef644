/*
 * message.h - communication between threads through the kernel.
 *
 * A thread that reads from a pipe, socket or the like is ordered after the thread that wrote it.
 * The write is released before its call, and the read acquires after its call. That makes more
 * edges than there are (a reader is ordered after all earlier writers of the same object, and all
 * sockets are one object): a race may be missed, but no false one is reported.
 *
 * Regular files, terminals and the three standard descriptors are excluded: threads do not use them
 * to communicate with each other.
 */
#ifndef SM_NATIVE_INTERCEPT_MESSAGE_H
#define SM_NATIVE_INTERCEPT_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Do writes to the descriptor order threads? */
bool sm_fd_orders(int fd);
/* Before writing and after reading; nothing if it orders no threads. errno is preserved. */
void sm_fd_gives(int fd);
void sm_fd_takes(int fd);
void sm_fd_closes(int fd);
/* An epoll descriptor watches it. Take: a wait for one has returned something, nobody knows for
   which of the descriptors that are watched. */
void sm_fd_watched(int fd);
void sm_watched_take(void);
/* `to` will hold what is taken from `from` without a read: who reads it is ordered after who wrote
   it. */
void sm_fd_feeds(int from, int to);
/* What a descriptor refers to may be another file from now on; how often that was. */
void sm_fd_changed(void);
uint32_t sm_fd_changes(void);
/* The file of a descriptor, whatever its type. */
void sm_file_gives(int fd);
void sm_file_takes(int fd);
/* A System V message queue; a signal, for its handler and the threads that wait for it. */
void sm_queue_gives(int queue);
void sm_queue_takes(int queue);
void sm_signal_gives(int signo);
void sm_signal_takes(int signo);
/* A signalfd was made: it is read as signals are taken. */
void sm_signalfd_made(void);
/* A child process: before it is created, and when it has been waited for. All of them are one. */
void sm_child_gives(void);
void sm_child_takes(void);
/* A timer of timer_create is set: all of them are one, and any signal may be from it. */
void sm_timer_gives(void);
void sm_timer_takes(void);

#endif
