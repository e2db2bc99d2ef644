/* counter.h - what the files of this test program share. */
#ifndef COUNTER_H
#define COUNTER_H

extern int counter;
void *work(void *arg);

#endif
