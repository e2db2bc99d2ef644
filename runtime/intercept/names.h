/*
 * names.h - names that hold a process or thread id of the program: of files, sockets, queues.
 *
 * A program makes such a name because no other process has the id. Under control every execution
 * has the same ids, which makes it repeatable, so executions at the same time would share what they
 * take for their own. An execution that is about to use such a name therefore waits until no other
 * execution of the program does, and the others wait until it ends. Translated names would be
 * seen: in directories, and by children, which are told them.
 *
 * Names that are made in another way of an id, and those used before main, are not recognised.
 */
#ifndef SM_RUNTIME_INTERCEPT_NAMES_H
#define SM_RUNTIME_INTERCEPT_NAMES_H

#include <sys/socket.h>

/* The program is about to pass this name to the kernel. errno is preserved. */
void sm_name_used(const char *name);
void sm_address_used(const struct sockaddr *address, socklen_t length);
/* This process makes no more of the execution: the next one may use such names. */
void sm_names_done(void);

#endif
