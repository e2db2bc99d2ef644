/* thread.h - registers threads that no pthread_create of the program makes. */
#ifndef SM_NATIVE_INTERCEPT_THREAD_H
#define SM_NATIVE_INTERCEPT_THREAD_H

/* The initial thread: called once, before the program's code. */
void sm_threads_init(void);
/* The calling thread, which libc has created for itself, if it is not registered. */
void sm_thread_adopt(void);

#endif
