/* The table of synchronisation objects: see object.h. */
#include "runtime/sync/object.h"

#include "abi/control.h"
#include "base/sys.h"
#include "core/objects/misuse.h"
#include "runtime/intercept/annotations.h"
#include "runtime/intercept/identity.h"
#include "runtime/sched/sched.h"

enum { GRANULE_BITS = 6, FIRST_BUCKETS = 1024 };

static struct {
    struct sm_object **buckets;
    size_t n_buckets; /* a power of two */
    size_t n_objects;
    uint32_t n_ever;
} table;

static const struct sm_object_class *const classes[SM_OBJECT_KINDS] = {
    [SM_OBJECT_MUTEX] = &sm_mutex_class,     [SM_OBJECT_RWLOCK] = &sm_rwlock_class,
    [SM_OBJECT_BARRIER] = &sm_barrier_class, [SM_OBJECT_SPIN] = &sm_spin_class,
    [SM_OBJECT_ONCE] = &sm_once_class,       [SM_OBJECT_SEM] = &sm_sem_class,
};

static uintptr_t granule(const void *addr)
{
    return (uintptr_t)addr >> GRANULE_BITS;
}

static struct sm_object **bucket(uintptr_t gran)
{
    /* Fibonacci hashing: neighbouring granules must not share a bucket. */
    return &table.buckets[(gran * 0x9e3779b97f4a7c15u >> 32) & (table.n_buckets - 1)];
}

static void grow(void)
{
    struct sm_object **old = table.buckets;
    size_t n_old = table.n_buckets;
    table.n_buckets = n_old ? 2 * n_old : FIRST_BUCKETS;
    table.buckets = sm_alloc(table.n_buckets * sizeof(*table.buckets));
    for (size_t i = 0; i < n_old; i++)
        for (struct sm_object *object = old[i], *next; object; object = next) {
            struct sm_object **to = bucket(granule(object->addr));
            next = object->next;
            object->next = *to;
            *to = object;
        }
    if (old)
        sm_free(old, n_old * sizeof(*old));
}

/* The link to the object at this address, or to the end of the bucket. */
static struct sm_object **find(const void *addr)
{
    struct sm_object **link = bucket(granule(addr));
    while (*link && (*link)->addr != addr)
        link = &(*link)->next;
    return link;
}

static void drop(struct sm_object **link)
{
    struct sm_object *object = *link;
    *link = object->next;
    if (object->newer_to) {
        *object->newer_to = object->older;
        if (object->older)
            object->older->newer_to = object->newer_to;
    }
    table.n_objects--;
    sm_free(object, sizeof(*object));
}

static struct sm_object *add(const void *addr, enum sm_object_kind kind)
{
    if (table.n_objects >= table.n_buckets)
        grow();
    struct sm_object *object = sm_alloc(sizeof(*object));
    struct sm_object **head = bucket(granule(addr));
    *object =
        (struct sm_object){.addr = addr, .kind = kind, .number = ++table.n_ever, .next = *head};
    *head = object;
    table.n_objects++;
    classes[kind]->adopt(object);
    return object;
}

const struct sm_object *sm_object_find(const void *addr)
{
    return table.n_objects ? *find(addr) : NULL;
}

/* glibc's flags from the initialisation of the object. It keeps none in a spin lock. */
enum { MUTEX_SHARED = 128, COND_SHARED = 1, SEM_SHARED_WORD = 2, BARRIER_SHARED_WORD = 3 };

static bool memory_is_shared; /* some of the program's */

void sm_object_memory_shared(void)
{
    memory_is_shared = true;
}

/* glibc also sets the flag of every robust mutex: the kernel wakes its waiters as if it were
   shared. */
static bool is_shared_mutex(const pthread_mutex_t *mutex)
{
    return (mutex->__data.__kind & MUTEX_SHARED) &&
           (memory_is_shared || !sm_mutex_kind_is_robust(mutex->__data.__kind));
}

static bool is_shared(const void *object, enum sm_object_kind kind)
{
    switch (kind) {
    case SM_OBJECT_MUTEX:
        return is_shared_mutex(object);
    case SM_OBJECT_RWLOCK:
        return ((const pthread_rwlock_t *)object)->__data.__shared;
    case SM_OBJECT_SEM:
        return ((const uint32_t *)object)[SEM_SHARED_WORD];
    case SM_OBJECT_BARRIER:
        return ((const uint32_t *)object)[BARRIER_SHARED_WORD];
    default:
        return false;
    }
}

bool sm_object_is_process_shared(const struct sm_event *operation)
{
    const void *object = (const void *)operation->addr;
    switch (operation->kind) {
    case SM_EV_LOCK:
        return is_shared(object, SM_OBJECT_MUTEX);
    case SM_EV_WAIT:
        return ((const pthread_cond_t *)object)->__data.__wrefs & COND_SHARED;
    case SM_EV_READ_LOCK:
    case SM_EV_WRITE_LOCK:
        return is_shared(object, SM_OBJECT_RWLOCK);
    case SM_EV_SEM_WAIT:
        return is_shared(object, SM_OBJECT_SEM);
    case SM_EV_ARRIVE:
    case SM_EV_DEPART:
        return is_shared(object, SM_OBJECT_BARRIER);
    default:
        return false;
    }
}

/* The child's threads use libc's state of the object, ours the one here: nothing would exclude
   them. */
static void refuse_shared(const void *addr, enum sm_object_kind kind)
{
    if (is_shared(addr, kind))
        sm_end(SM_END_REFUSED, 0,
               "the program uses a lock, barrier or semaphore that it shares with the child of a "
               "fork: only the threads of one process are under control; test one process by "
               "itself");
}

struct sm_object *sm_object_get(const void *addr, enum sm_object_kind kind)
{
    if (SM_UNLIKELY(sm_process_has_children()))
        refuse_shared(addr, kind);
    if (!table.n_objects)
        return add(addr, kind);
    struct sm_object **link = find(addr);
    if (!*link)
        return add(addr, kind);
    if ((*link)->kind == kind)
        return *link;
    /* A stack was reused: the old object is gone without notice. */
    drop(link);
    return add(addr, kind);
}

void sm_object_forget(const void *addr)
{
    if (!table.n_objects)
        return;
    struct sm_object **link = find(addr);
    if (*link)
        drop(link);
}

static void forget_in_bucket(struct sm_object **link, uintptr_t low, uintptr_t high)
{
    while (*link) {
        uintptr_t addr = (uintptr_t)(*link)->addr;
        if (addr >= low && addr < high)
            drop(link);
        else
            link = &(*link)->next;
    }
}

void sm_sync_forget(const void *addr, size_t size)
{
    sm_notes_forget((uintptr_t)addr, (uintptr_t)addr + size);
    if (!table.n_objects || !size)
        return;
    uintptr_t low = (uintptr_t)addr, high = low + size;
    uintptr_t first = low >> GRANULE_BITS, last = (high - 1) >> GRANULE_BITS;
    if (last - first >= table.n_buckets) {
        for (size_t i = 0; i < table.n_buckets; i++)
            forget_in_bucket(&table.buckets[i], low, high);
        return;
    }
    for (uintptr_t gran = first; gran <= last; gran++)
        forget_in_bucket(bucket(gran), low, high);
}

void sm_sync_release(void)
{
    for (size_t i = 0; i < table.n_buckets; i++)
        for (const struct sm_object *object = table.buckets[i]; object; object = object->next)
            classes[object->kind]->release(object);
}
