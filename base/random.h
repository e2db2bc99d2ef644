/*
 * random.h - small deterministic generators (splitmix64), one stream for each purpose.
 * Not for secrets. Period 2^64; neighbouring seeds give unrelated streams.
 */
#ifndef SM_BASE_RANDOM_H
#define SM_BASE_RANDOM_H

#include <stdint.h>

struct sm_random {
    uint64_t state;
};

static inline uint64_t sm_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t sm_random_next(struct sm_random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    return sm_random_mix(random->state);
}

static inline struct sm_random sm_random_seed(uint64_t seed, uint64_t stream)
{
    return (struct sm_random){sm_random_mix(seed + sm_random_mix(stream))};
}

#endif
