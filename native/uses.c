#include "native/uses.h"

#include "core/libc/callers.h"
#include "native/record.h"
#include "native/shadow.h"
#include "native/sync.h"

const struct sm_site sm_life_site = {.file = "?",
                                     .function = "?",
                                     .variable = "",
                                     .kind = SM_SITE_STORE,
                                     .size = 1,
                                     .order = SM_ORDER_PLAIN};

static void write(const volatile void *object, const void *pc)
{
    if (sm_caller_counts(pc))
        sm_check((uintptr_t)object, 1, SM_ACCESS_WRITE, &sm_life_site);
}

void sm_object_begins(const volatile void *object, const void *pc)
{
    write(object, pc);
}

void sm_object_is_used(const volatile void *object, const void *pc)
{
    if (sm_caller_counts(pc))
        sm_check((uintptr_t)object, 1, SM_ACCESS_ATOMIC, &sm_use_site);
}

/* Written twice: sm_forget drops the mark that later uses must find. */
void sm_object_ends(const volatile void *object, const void *pc)
{
    write(object, pc);
    sm_forget((const void *)object);
    write(object, pc);
}

void sm_object_part_ends(const volatile void *object, const void *pc)
{
    write(object, pc);
    sm_forget_part((const void *)object);
}

/* Without the record's lock: an apparent race is checked again. */
static bool has_seen_writes(const struct sm_granule_record *record, struct sm_detect_thread *thread)
{
    uint32_t n = record->n_marks;
    if (SM_LIKELY(!record->n_plain))
        return true;
    if (n > SM_FEW_MARKS || record->marks != record->few)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if ((record->few[i].kind & SM_ACCESS_WRITE) && !sm_has_seen(thread, record->few[i].epoch))
            return false;
    return true;
}

void sm_lock_is_used(const volatile void *lock)
{
    struct sm_detect_thread *thread = sm_current;
    const struct sm_cell *cell = sm_cell_of((uintptr_t)lock);
    const struct sm_granule_record *record = sm_record_find((uintptr_t)lock);
    if (!thread || (record ? has_seen_writes(record, thread) : !(cell->half[0] | cell->half[1])))
        return;
    sm_check((uintptr_t)lock, 1, SM_ACCESS_ATOMIC, &sm_use_site);
}

void sm_lock_is_tried(const volatile void *lock)
{
    sm_check((uintptr_t)lock, 1, SM_ACCESS_ATOMIC, &sm_use_site);
}
