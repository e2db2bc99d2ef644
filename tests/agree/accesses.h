/* accesses.h - x and y, each with sites of its own, so that one may be lied about and not the
   other. */
#ifndef AGREE_ACCESSES_H
#define AGREE_ACCESSES_H

#include "../litmus/accesses.h"

enum { AGREE_LOCATIONS = 2 };
int agree_load(int location, enum order order);
void agree_store(int location, int value, enum order order);
int agree_exchange(int location, int value, enum order order);

#endif
