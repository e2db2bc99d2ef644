/*
 * ports.h - the ports that the kernel chooses: of sockets bound to port 0, and of those that
 * connect without a bind. They differ from run to run, and programs store and print them.
 *
 * The program sees numbers from 61000 in the order in which it meets them; the kernel, by default,
 * chooses lower ones. A socket that is bound to port 0 gets such a port in fact, so children and
 * other processes can be told of it. If another process has it (an execution beside this one) the
 * kernel chooses, and the program's number is translated in each call; then the program may not
 * have children, who would not know of that. Ports that the program names itself are left alone.
 */
#ifndef SM_RUNTIME_INTERCEPT_PORTS_H
#define SM_RUNTIME_INTERCEPT_PORTS_H

#include <sys/socket.h>

/* The kernel has written the address of a socket, into so much room. */
void sm_port_show(struct sockaddr *address, socklen_t room);
/* The address for the kernel; `copy` is used if it is another one. May be NULL. */
const struct sockaddr *sm_port_meant(const struct sockaddr *address, socklen_t length,
                                     struct sockaddr_storage *copy);
/* The program names a port of another socket itself. */
void sm_port_named(const struct sockaddr *address, socklen_t length);
/* The socket has been connected: the kernel may have given it a port. */
void sm_port_connected(int fd);
/* The program has a child. */
void sm_ports_inherited(void);

#endif
