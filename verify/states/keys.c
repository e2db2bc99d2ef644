#include "verify/states/keys.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"

enum { MAX_KEYS = 1 << 20 };

/* Where the key is, or would be added. */
static uint64_t *find_slot(const struct sm_keys *keys, uint64_t key)
{
    uint32_t i = (uint32_t)(key >> 20) & (MAX_KEYS - 1);
    while (keys->slots[i] && keys->slots[i] != key)
        i = (i + 1) & (MAX_KEYS - 1);
    return &keys->slots[i];
}

void sm_keys_start(struct sm_keys *keys)
{
    *keys = (struct sm_keys){.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t))};
}

void sm_keys_clear(struct sm_keys *keys)
{
    if (keys->n)
        memset(keys->slots, 0, MAX_KEYS * sizeof *keys->slots);
    keys->n = 0;
}

bool sm_keys_add(struct sm_keys *keys, uint64_t key)
{
    key |= !key;
    if (keys->n >= MAX_KEYS / 2) {
        sm_control->explored.cut |= SM_CUT_BIT(ROOM);
        return false;
    }
    uint64_t *slot = find_slot(keys, key);
    if (*slot)
        return false;
    *slot = key;
    keys->n++;
    return true;
}

bool sm_keys_has(const struct sm_keys *keys, uint64_t key)
{
    key |= !key;
    return *find_slot(keys, key) != 0;
}

bool sm_keys_collect(struct sm_keys *to, const struct sm_keys *from)
{
    uint32_t before = to->n;
    for (uint32_t i = 0; i < MAX_KEYS && from->n > before; i++)
        if (from->slots[i])
            sm_keys_add(to, from->slots[i]);
    return to->n > before;
}
