/* A bounded queue for any number of producers and consumers. */
#include <stdbool.h>

struct ring;
struct ring *ring_create(unsigned slots); /* a power of two */
void ring_destroy(struct ring *ring);
bool ring_send(struct ring *ring, unsigned value); /* false: full */
bool ring_receive(struct ring *ring, unsigned *value);
