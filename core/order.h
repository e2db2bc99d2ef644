/*
 * order.h - the properties of memory orders.
 *
 * For the runtimes and verify. The checker deliberately has its own predicates.
 */
#ifndef SM_CORE_ORDER_H
#define SM_CORE_ORDER_H

#include <stdbool.h>

#include "abi/site.h"

static inline bool sm_order_acquires(uint8_t order)
{
    return order == SM_ORDER_ACQUIRE || order == SM_ORDER_CONSUME || order == SM_ORDER_ACQ_REL ||
           order == SM_ORDER_SEQ_CST;
}

static inline bool sm_order_releases(uint8_t order)
{
    return order == SM_ORDER_RELEASE || order == SM_ORDER_ACQ_REL || order == SM_ORDER_SEQ_CST;
}

/* The part of an order that applies to an access that only reads, only writes, or does both. */
static inline uint8_t sm_order_for(uint8_t order, bool reads, bool writes)
{
    bool acquires = reads && sm_order_acquires(order),
         releases = writes && sm_order_releases(order);
    if (order == SM_ORDER_SEQ_CST || order == SM_ORDER_PLAIN)
        return order;
    return acquires && releases ? SM_ORDER_ACQ_REL
           : acquires           ? SM_ORDER_ACQUIRE
           : releases           ? SM_ORDER_RELEASE
                                : SM_ORDER_RELAXED;
}

/* A failed compare-exchange is a load with its failure order, and releases nothing. */
static inline uint8_t sm_order_of_cas(bool succeeds, uint8_t success, uint8_t failure)
{
    return succeeds ? success : failure;
}

#endif
