#include "native/kept.h"

#include "base/sys.h"

/* Under the lock of the entry's record, whose number it has. */
static void give_back(struct sm_granule_record *record, uint64_t *place)
{
    uint64_t entry = __atomic_exchange_n(place, 0, __ATOMIC_ACQ_REL);
    if (entry)
        sm_record_add(record, sm_mark_in_record((uint32_t)(entry >> 32), (uint8_t)entry, 0));
}

static void collect_from(struct sm_granule_record *record, struct sm_detect_thread *thread)
{
    uint32_t number = (uint32_t)(record - sm_records);
    for (unsigned half = 0; half < 2; half++) {
        uint64_t *place = sm_kept_place(thread, number, half ? 0xf0 : 0xf);
        uint32_t entry = (uint32_t)__atomic_load_n(place, __ATOMIC_RELAXED);
        if (entry >> 8 == (uint32_t)sm_kept_entry(number, 0, 0) >> 8)
            give_back(record, place);
    }
}

void sm_kept_collect(struct sm_granule_record *record)
{
    uint32_t n = record->keepers ? sm_thread_slots() : 0;
    for (uint32_t slot = 0; slot < n; slot++)
        if (record->keepers >> slot % 64 & 1)
            collect_from(record, sm_thread_in_slot(slot));
    record->keepers = 0;
    record->rereads = 0;
}

void sm_kept_end(struct sm_detect_thread *thread)
{
    for (uint32_t i = 0; i < SM_KEPT_READS; i++) {
        uint64_t entry = __atomic_load_n(&thread->kept[i], __ATOMIC_RELAXED);
        if (!entry)
            continue;
        struct sm_granule_record *record =
            &sm_records[((uint32_t)entry >> 8) * (SM_KEPT_READS / 2) + i / 2];
        sm_lock_word(&record->lock, SM_LOCK_RECORD);
        give_back(record, &thread->kept[i]);
        sm_record_unlock(record);
    }
}
