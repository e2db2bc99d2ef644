/*
 * interrupt.h - handling of SIGINT, SIGTERM and SIGHUP.
 *
 * They do not end the driver at once: it has a child to kill and files to complete. They make
 * sm_interrupt_fd() readable, wherever the driver waits; the command then cleans up and calls
 * sm_interrupt_finish().
 */
#ifndef SM_BASE_INTERRUPT_H
#define SM_BASE_INTERRUPT_H

void sm_interrupt_catch(void);
/* -1 when not catching: poll(2) takes it as "never". */
int sm_interrupt_fd(void);
/* The signal received, or 0. */
int sm_interrupt_signal(void);
/* If a signal was received, dies of it, as the waiting shell expects. */
void sm_interrupt_finish(void);

#endif
