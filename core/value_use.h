/*
 * value_use.h - can the program distinguish two values that a site may read? See enum sm_value_use.
 */
#ifndef SM_CORE_VALUE_USE_H
#define SM_CORE_VALUE_USE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/site.h"

/* Nothing is known that makes two values the same for the program. */
static inline bool sm_value_is_used(const struct sm_site *site)
{
    return !(site->use & ~(uint32_t)(SM_VALUE_RETRIED | SM_VALUE_RESTORED)) ||
           site->use == SM_VALUE_MERGED;
}

static inline int64_t sm_value_extend(uint64_t value, unsigned size)
{
    unsigned unused = 64 - 8 * size;
    return (int64_t)(value << unused) >> unused;
}

/* The result of the site's comparison for a value of `size` bytes. The site has one. */
static inline bool sm_value_compare(const struct sm_site *site, uint64_t value, unsigned size)
{
    int64_t left = sm_value_extend(value, size), right = site->operand;
    switch (site->use & SM_VALUE_COMPARISONS) {
    case SM_VALUE_EQ:
        return left == right;
    case SM_VALUE_NE:
        return left != right;
    case SM_VALUE_UGT:
        return (uint64_t)left > (uint64_t)right;
    case SM_VALUE_UGE:
        return (uint64_t)left >= (uint64_t)right;
    case SM_VALUE_ULT:
        return (uint64_t)left < (uint64_t)right;
    case SM_VALUE_ULE:
        return (uint64_t)left <= (uint64_t)right;
    case SM_VALUE_SGT:
        return left > right;
    case SM_VALUE_SGE:
        return left >= right;
    case SM_VALUE_SLT:
        return left < right;
    default:
        return left <= right;
    }
}

/* A thread that read `was` at the site and continued would do the same after reading `is`. If the
   load is the whole loop, it continued only if `was` ends the loop. */
static inline bool sm_value_is_as_good(const struct sm_site *site, uint64_t was, uint64_t is,
                                       unsigned size)
{
    if (sm_value_is_used(site))
        return false;
    if (site->use == SM_VALUE_UNUSED)
        return true;
    bool then = sm_value_compare(site, was, size);
    bool repeats =
        (site->use & SM_VALUE_UNTIL_TRUE && !then) || (site->use & SM_VALUE_UNTIL_FALSE && then);
    return repeats || then == sm_value_compare(site, is, size);
}

#endif
