/*
 * keys.h - sets of hashes, of a fixed capacity.
 *
 * Where a set is full, nothing more is added and the exploration is cut (ROOM in abi/cuts.def): the
 * caller takes the key for one that was there.
 */
#ifndef SM_VERIFY_STATES_KEYS_H
#define SM_VERIFY_STATES_KEYS_H

#include <stdbool.h>
#include <stdint.h>

struct sm_keys {
    uint64_t *slots; /* open addressing; 0: empty */
    uint32_t n;
};

void sm_keys_start(struct sm_keys *keys); /* once */
void sm_keys_clear(struct sm_keys *keys);
/* False: it was there. */
bool sm_keys_add(struct sm_keys *keys, uint64_t key);
bool sm_keys_has(const struct sm_keys *keys, uint64_t key);
/* Adds all of `from`. True: the set has grown. */
bool sm_keys_collect(struct sm_keys *to, const struct sm_keys *from);

#endif
