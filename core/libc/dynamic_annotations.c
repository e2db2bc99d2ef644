/*
 * dynamic_annotations.c - see dynamic_annotations.h. A program with definitions of its own (mostly
 * empty ones) calls those: only the hint is lost.
 */
#define _GNU_SOURCE
#include "core/libc/dynamic_annotations.h"

#include "core/libc/real.h"

/* The place of the call is in the stacks of reports. */
#define FROM SM_UNUSED const char *file, SM_UNUSED int line

/* ---- without effect ---- */

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#define SM_ANNOTATION(name, ...)                                                                   \
    SM_EXPORT void Annotate##name(FROM, __VA_ARGS__);                                              \
    void Annotate##name(FROM, __VA_ARGS__) {}
#include "core/libc/dynamic_annotations.def"
#pragma clang diagnostic pop

SM_EXPORT void AnnotateFlushState(FROM) {}

SM_EXPORT void AnnotateFlushExpectedRaces(FROM) {}

SM_EXPORT int RunningOnValgrind(void)
{
    return 0;
}

/* How many times slower: nobody has to wait longer. */
SM_EXPORT double ValgrindSlowdown(void);
double ValgrindSlowdown(void)
{
    return 1;
}

/* ---- order ---- */

SM_EXPORT void AnnotateHappensBefore(FROM, const volatile void *p)
{
    sm_annotate_before(p, SM_CALLER());
}

SM_EXPORT void AnnotateHappensAfter(FROM, const volatile void *p)
{
    sm_annotate_after(p, SM_CALLER());
}

SM_EXPORT void WTFAnnotateHappensBefore(FROM, const volatile void *p)
{
    sm_annotate_before(p, SM_CALLER());
}

SM_EXPORT void WTFAnnotateHappensAfter(FROM, const volatile void *p)
{
    sm_annotate_after(p, SM_CALLER());
}

SM_EXPORT void __tsan_acquire(void *p)
{
    sm_annotate_after(p, SM_CALLER());
}

SM_EXPORT void __tsan_release(void *p)
{
    sm_annotate_before(p, SM_CALLER());
}

/* ---- locks ---- */

SM_EXPORT void AnnotateRWLockAcquired(FROM, const volatile void *lock, long writes)
{
    sm_annotate_locked(lock, writes != 0, SM_CALLER());
}

SM_EXPORT void AnnotateRWLockReleased(FROM, const volatile void *lock, long writes)
{
    sm_annotate_unlocked(lock, writes != 0, SM_CALLER());
}

/* The flags of sanitizer/tsan_interface.h that matter here. */
enum { READ_LOCK = 1 << 3, TRY_FAILED = 1 << 5 };

SM_EXPORT void __tsan_mutex_create(SM_UNUSED void *lock, SM_UNUSED unsigned flags) {}

SM_EXPORT void __tsan_mutex_destroy(SM_UNUSED void *lock, SM_UNUSED unsigned flags) {}

/* The implementation of the lock is ignored: between pre and post the accesses and the
   synchronisation of its functions do not count. A function that diverts calls back into the
   program (pre_divert, post_divert). */
static void lock_works(int change)
{
    sm_annotate_ignore(change);
    sm_annotate_ignore_sync(change);
}

SM_EXPORT void __tsan_mutex_pre_lock(SM_UNUSED void *lock, SM_UNUSED unsigned flags)
{
    lock_works(1);
}

SM_EXPORT void __tsan_mutex_post_lock(void *lock, unsigned flags, SM_UNUSED int recursion)
{
    lock_works(-1);
    if (!(flags & TRY_FAILED))
        sm_annotate_locked(lock, !(flags & READ_LOCK), SM_CALLER());
}

SM_EXPORT int __tsan_mutex_pre_unlock(void *lock, unsigned flags)
{
    sm_annotate_unlocked(lock, !(flags & READ_LOCK), SM_CALLER());
    lock_works(1);
    return 0;
}

SM_EXPORT void __tsan_mutex_post_unlock(SM_UNUSED void *lock, SM_UNUSED unsigned flags)
{
    lock_works(-1);
}

SM_EXPORT void __tsan_mutex_pre_signal(SM_UNUSED void *lock, SM_UNUSED unsigned flags)
{
    lock_works(1);
}

SM_EXPORT void __tsan_mutex_post_signal(SM_UNUSED void *lock, SM_UNUSED unsigned flags)
{
    lock_works(-1);
}

SM_EXPORT void __tsan_mutex_pre_divert(SM_UNUSED void *lock, SM_UNUSED unsigned flags)
{
    lock_works(-1);
}

SM_EXPORT void __tsan_mutex_post_divert(SM_UNUSED void *lock, SM_UNUSED unsigned flags)
{
    lock_works(1);
}

/* ---- benign races ---- */

SM_EXPORT void AnnotateBenignRaceSized(FROM, const volatile void *p, size_t size, const char *why)
{
    sm_annotate_benign(p, size, why);
}

SM_EXPORT void AnnotateBenignRace(FROM, const volatile void *p, const char *why)
{
    sm_annotate_benign(p, 1, why);
}

SM_EXPORT void WTFAnnotateBenignRaceSized(FROM, const volatile void *p, size_t size,
                                          const char *why)
{
    sm_annotate_benign(p, size, why);
}

SM_EXPORT void AnnotateIgnoreReadsBegin(FROM)
{
    sm_annotate_ignore(1);
}

SM_EXPORT void AnnotateIgnoreReadsEnd(FROM)
{
    sm_annotate_ignore(-1);
}

SM_EXPORT void AnnotateIgnoreWritesBegin(FROM)
{
    sm_annotate_ignore(1);
}

SM_EXPORT void AnnotateIgnoreWritesEnd(FROM)
{
    sm_annotate_ignore(-1);
}

SM_EXPORT void AnnotateIgnoreSyncBegin(FROM)
{
    sm_annotate_ignore_sync(1);
}

SM_EXPORT void AnnotateIgnoreSyncEnd(FROM)
{
    sm_annotate_ignore_sync(-1);
}

SM_EXPORT void __tsan_ignore_thread_begin(void)
{
    sm_annotate_ignore(1);
}

SM_EXPORT void __tsan_ignore_thread_end(void)
{
    sm_annotate_ignore(-1);
}

/* ---- Valgrind's requests: see plugin/requests.h ---- */

/* Helgrind's numbers; DRD has the first four, too. */
enum request {
    RWLOCK_ACQUIRED = 0x48470111,
    RWLOCK_RELEASED = 0x48470112,
    HAPPENS_BEFORE = 0x48470121,
    HAPPENS_AFTER = 0x48470122,
    DISABLE_CHECKING = 0x48470127,
    DRD_START_SUPPRESSION = 0x44520002,
    DRD_RECORD_LOADS = 0x44520006,
    DRD_RECORD_STORES = 0x44520007,
};

/* A release does not say which side of a reader-writer lock it is for: readers are ordered, too. */
SM_EXPORT void sm_client_request(const unsigned long *request)
{
    const void *object = (const void *)request[1];
    switch (request[0]) {
    case HAPPENS_BEFORE:
    case RWLOCK_RELEASED:
        sm_annotate_before(object, SM_CALLER());
        break;
    case HAPPENS_AFTER:
    case RWLOCK_ACQUIRED:
        sm_annotate_after(object, SM_CALLER());
        break;
    case DISABLE_CHECKING:
    case DRD_START_SUPPRESSION:
        sm_annotate_benign(object, request[2], "said to Valgrind");
        break;
    case DRD_RECORD_LOADS:
    case DRD_RECORD_STORES:
        sm_annotate_ignore(request[1] ? -1 : 1);
        break;
    default:
        break;
    }
}
