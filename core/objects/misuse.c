#include "core/objects/misuse.h"

#include <stddef.h>

const struct sm_misuse_rule sm_misuse_rules[SM_MISUSES] = {
    [SM_MISUSE_NONE] = {SM_FAILURE_NONE, SM_ROLE_ACCESSED, ""},
#define SM_MISUSE(name, kind, role, text)                                                          \
    [SM_MISUSE_##name] = {SM_FAILURE_##kind, SM_ROLE_##role, text},
#include "core/objects/misuse.def"
};

/* ---- mutexes ---- */

/* glibc 2.36: type, robust, priority inheritance and protection, shared, elision and its opposite.
   Destroyed: -1. */
enum { TYPE_BITS = 3, ROBUST = 16, INHERIT = 32, PROTECT = 64, PSHARED = 128, ELISION = 256 };
enum { ALL_BITS = 0x3ff };

static bool is_normal(int kind)
{
    return (kind & TYPE_BITS) == PTHREAD_MUTEX_TIMED_NP ||
           (kind & TYPE_BITS) == PTHREAD_MUTEX_ADAPTIVE_NP;
}

bool sm_mutex_is_checked(int kind)
{
    return !is_normal(kind) || (kind & (ROBUST | INHERIT | PROTECT | ELISION));
}

bool sm_mutex_kind_is_robust(int kind)
{
    return kind >= 0 && (kind & ROBUST);
}

static enum sm_misuse misuse_of_kind(int kind)
{
    if (kind == -1)
        return SM_MISUSE_DESTROYED;
    return kind & ~ALL_BITS ? SM_MISUSE_NEVER_INITIALISED : SM_MISUSE_NONE;
}

enum sm_misuse sm_misuse_of_lock(int kind, enum sm_holder holder, bool for_ever)
{
    enum sm_misuse misuse = misuse_of_kind(kind);
    if (misuse || !for_ever || holder != SM_HOLDER_SELF || !is_normal(kind))
        return misuse;
    return SM_MISUSE_RELOCK;
}

enum sm_misuse sm_misuse_of_unlock(int kind, enum sm_holder holder)
{
    enum sm_misuse misuse = misuse_of_kind(kind);
    if (misuse || holder == SM_HOLDER_SELF || sm_mutex_is_checked(kind))
        return misuse;
    return holder == SM_HOLDER_NOBODY ? SM_MISUSE_UNLOCK_FREE : SM_MISUSE_UNLOCK_OTHERS;
}

enum sm_misuse sm_misuse_of_destroy(int kind, enum sm_holder holder)
{
    enum sm_misuse misuse = misuse_of_kind(kind);
    if (misuse)
        return misuse == SM_MISUSE_DESTROYED ? SM_MISUSE_DESTROYED_TWICE : misuse;
    return holder != SM_HOLDER_NOBODY && !sm_mutex_is_checked(kind) ? SM_MISUSE_DESTROYS_HELD
                                                                    : SM_MISUSE_NONE;
}

enum sm_misuse sm_misuse_of_init(enum sm_holder holder, bool again)
{
    if (!again)
        return SM_MISUSE_NONE;
    return holder == SM_HOLDER_NOBODY ? SM_MISUSE_INIT_AGAIN : SM_MISUSE_INIT_HELD;
}

enum sm_misuse sm_misuse_of_wait(int kind, enum sm_holder holder)
{
    enum sm_misuse misuse = misuse_of_kind(kind);
    if (misuse || holder == SM_HOLDER_SELF || sm_mutex_is_checked(kind))
        return misuse;
    return SM_MISUSE_WAIT_UNLOCKED;
}

/* ---- marks ----
 * The upper half identifies a mark; then the life, and the number. */

static const uint64_t MAGIC = 0x534d4c6bull << 32, MAGIC_MASK = 0xffffffffull << 32;
enum { LIFE_SHIFT = 30, NUMBER_MASK = (1 << 16) - 1 };

static uint64_t read_mark(const uint64_t *mark)
{
    uint64_t word = __atomic_load_n(mark, __ATOMIC_RELAXED);
    return (word & MAGIC_MASK) == MAGIC ? word : MAGIC;
}

/* libc uses the list for robust mutexes, and the kernel for priority-inheriting ones. */
uint64_t *sm_mutex_mark(pthread_mutex_t *mutex)
{
    int kind = mutex->__data.__kind;
    if (kind < 0 || (kind & (ROBUST | INHERIT | PROTECT | PSHARED)) || (kind & ~ALL_BITS))
        return NULL;
    return (uint64_t *)&mutex->__data.__list.__next;
}

uint64_t *sm_rwlock_mark(pthread_rwlock_t *lock)
{
    return lock->__data.__shared ? NULL : (uint64_t *)&lock->__data.__pad2;
}

/* glibc uses the first 20 bytes of 32. */
uint64_t *sm_barrier_mark(pthread_barrier_t *barrier)
{
    enum { SHARED_AT = 12, MARK_AT = 24 };
    char *bytes = (char *)barrier;
    return *(int *)(bytes + SHARED_AT) ? NULL : (uint64_t *)(bytes + MARK_AT);
}
_Static_assert(sizeof(pthread_barrier_t) == 32, "glibc's, on x86-64");

/* glibc uses the first 16 bytes of 32: value and waiters, then 0 if it is not shared. */
uint64_t *sm_sem_mark(sem_t *sem)
{
    enum { SHARED_AT = 8, MARK_AT = 24 };
    char *bytes = (char *)sem;
    return *(int *)(bytes + SHARED_AT) ? NULL : (uint64_t *)(bytes + MARK_AT);
}
_Static_assert(sizeof(sem_t) == 32, "glibc's, on x86-64");

enum sm_life sm_mark_life(const uint64_t *mark)
{
    return mark ? (enum sm_life)(read_mark(mark) >> LIFE_SHIFT & 3) : SM_LIFE_UNKNOWN;
}

/* An initialised object is a new one, without a number yet. */
void sm_mark_set_life(uint64_t *mark, enum sm_life life)
{
    if (mark)
        __atomic_store_n(mark, MAGIC | (uint64_t)life << LIFE_SHIFT, __ATOMIC_RELAXED);
}

/* Readers of one lock may ask concurrently: the first number stays. */
uint32_t sm_mark_number(uint64_t *mark)
{
    static uint32_t last;
    uint64_t word = __atomic_load_n(mark, __ATOMIC_RELAXED);
    for (;;) {
        uint64_t known = (word & MAGIC_MASK) == MAGIC ? word : MAGIC;
        if (known & NUMBER_MASK)
            return known & NUMBER_MASK;
        uint32_t number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED) % NUMBER_MASK + 1;
        if (__atomic_compare_exchange_n(mark, &word, known | number, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return number;
    }
}

uint32_t sm_mark_known_number(const uint64_t *mark)
{
    return read_mark(mark) & NUMBER_MASK;
}

bool sm_mutex_is_destroyed(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind == -1;
}

bool sm_cond_is_destroyed(const pthread_cond_t *cond)
{
    enum { DESTROYED = 4 }; /* in __wrefs */
    return cond->__data.__wrefs & DESTROYED;
}
