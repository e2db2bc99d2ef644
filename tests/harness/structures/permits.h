/* A number of permits. */
#include <stdbool.h>

struct permits;
struct permits *permits_create(int n);
void permits_destroy(struct permits *permits);
bool permits_acquire(struct permits *permits); /* false: there is none */
void permits_release(struct permits *permits);
int permits_available(const struct permits *permits);
