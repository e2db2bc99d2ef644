/* thread.h - registers the initial thread: called once, before the program's code. */
#ifndef SM_NATIVE_INTERCEPT_THREAD_H
#define SM_NATIVE_INTERCEPT_THREAD_H

void sm_threads_init(void);

#endif
