/* Two numbers that belong together. */
#include <stdatomic.h>

struct pair {
    atomic_uint version;
    atomic_int low, high;
};

struct reading {
    int low, high;
};

void pair_init(struct pair *pair);
void pair_write(struct pair *pair, int low, int high);
struct reading pair_read(struct pair *pair);
