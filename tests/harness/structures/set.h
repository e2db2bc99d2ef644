/* A set of numbers. */
#include <stdbool.h>

typedef struct set set_t;
set_t *set_make(void);
void set_free(set_t *set);
bool set_insert(set_t *set, int key); /* false: it was in it */
bool set_remove(set_t *set, int key); /* false: it was not */
bool set_contains(const set_t *set, int key);
