/* Adds if nobody else does at the moment. */
#include <stdbool.h>

void gate_reset(void);
bool gate_try_add(int amount); /* false: busy */
int gate_sum(void);
