/* accesses.h - the memory accesses a litmus test is made of, one function each, so that only
   these are instrumented and the program that strings them together is not seen. */
#ifndef LITMUS_ACCESSES_H
#define LITMUS_ACCESSES_H

enum order { PLAIN, VOL, RLX, ACQ, REL, AR, SC };

int litmus_load(int *location, enum order order);
void litmus_store(int *location, int value, enum order order);
int litmus_exchange(int *location, int value, enum order order);
/* Weak, of 0; fails with the order relaxed or acquire. */
enum { LITMUS_FAILED = 50 }; /* is added to the value that a failed one has read */
int litmus_compare(int *location, int value, enum order order);
void litmus_fence(enum order order);

#endif
