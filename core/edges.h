/*
 * edges.h - the happens-before edges of each kind of event, besides program order.
 *
 * The table is abi/events.def; memory orders of atomics and fences are order.h. A reader-writer
 * lock is two objects: writers release to SM_PART_WRITERS, readers to SM_PART_READERS.
 */
#ifndef SM_CORE_EDGES_H
#define SM_CORE_EDGES_H

#include "abi/record.h"

enum { SM_PART_WRITERS = 0, SM_PART_READERS = 1 };

static inline enum sm_hb sm_hb_of(uint8_t event_kind)
{
    static const uint8_t classes[] = {
#define SM_EVENT(name, word, hb) SM_HB_##hb,
#include "abi/events.def"
    };
    return (enum sm_hb)classes[event_kind];
}

#endif
