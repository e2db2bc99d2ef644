/* mix.h - adds one word to a hash. */
#ifndef SM_BASE_MIX_H
#define SM_BASE_MIX_H

#include <stdint.h>

static inline uint64_t sm_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

#endif
