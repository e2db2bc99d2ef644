/* thread.h - the initial thread becomes known: called once, before the program's code. */
#ifndef SM_DETECT_INTERCEPT_THREAD_H
#define SM_DETECT_INTERCEPT_THREAD_H

void sm_threads_init(void);

#endif
