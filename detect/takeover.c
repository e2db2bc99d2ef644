/*
 * takeover.c - see takeover.h.
 */
#include "takeover.h"

#include "shadow.h"

void sm_takeover_note(struct sm_detect_thread *thread, uintptr_t addr, uint32_t size,
                      uint32_t write, const struct sm_site *site)
{
    struct sm_takeovers *list = thread->takeovers;
    if (list->n == SM_TAKEOVERS)
        sm_takeovers_verify(thread);
    list->noted[list->n++] = (struct sm_takeover){addr, site, size, write};
}

void sm_takeovers_verify(struct sm_detect_thread *thread)
{
    struct sm_takeovers *list = thread->takeovers;
    if (!list->n)
        return;
    /* our own stores to the cells before the loads below: the one order x86 does not keep */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct sm_takeover *noted = &list->noted[i];
        sm_check_again(thread, noted->addr, noted->size, noted->write ? SM_ACCESS_WRITE : 0,
                       noted->site);
    }
    list->n = 0;
}
