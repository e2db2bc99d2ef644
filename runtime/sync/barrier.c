/* Barriers: every arrival of a generation happens before every departure of it. */
#include "runtime/engine.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/object.h"
#include "runtime/sync/operations.h"

/* The layout of glibc's barrier, which no public header has. */
struct native_barrier {
    unsigned in, round, count;
};

/* Counts the generations of all barriers, so that each is unique even if a barrier is destroyed and
   another one created at its address. */
static uint32_t last_generation;

static void adopt(struct sm_object *object)
{
    object->barrier.generation = ++last_generation;
    object->barrier.needed = ((const struct native_barrier *)object->addr)->count;
}

/* Threads that had arrived do not exist in the child of a fork. */
static void release(const struct sm_object *object)
{
    (void)object;
}

const struct sm_object_class sm_barrier_class = {adopt, release};

static bool arrive(struct sm_event *event, uint32_t needed, bool looks)
{
    (void)event;
    (void)needed;
    (void)looks;
    return false;
}

/* POSIX leaves open which thread is the serial one: here, the last to arrive. */
static bool is_serial(struct sm_event *event, bool last)
{
    (void)event;
    return last;
}

static void renew(struct sm_event *event)
{
    (void)event;
}

const struct sm_barrier_operations sm_barrier_sampling = {arrive, is_serial, renew};

static struct sm_object *get(const pthread_barrier_t *barrier)
{
    return sm_object_get(barrier, SM_OBJECT_BARRIER);
}

static int depart(pthread_barrier_t *barrier, uint32_t generation, bool serial, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_DEPART, barrier, generation, pc);
    serial = sm_engine->sync->barrier->depart(&event, serial);
    sm_sync(&event);
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* A thread is woken only by the end of its generation, so it need not check the barrier again: the
   first to leave may have destroyed it. */
static void wait_for_others(pthread_barrier_t *barrier, uint32_t generation, struct sm_event *event)
{
    struct sm_wait wait = {.queue = barrier, .what = "barrier"};
    while (sm_sync_wait(&wait, SM_FOREVER, event) != SM_WOKEN)
        if (get(barrier)->barrier.generation != generation)
            break;
}

int sm_barrier_wait(pthread_barrier_t *barrier, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ARRIVE, barrier, 0, pc);
    bool looks = !event.thread->ignores_result;
    event.thread->ignores_result = false;
    sm_point(&event);
    struct sm_object *object = get(barrier);
    sm_check_barrier(barrier, object->barrier.needed);
    uint32_t generation = object->barrier.generation;
    event.old = generation;
    bool departing_waits = sm_engine->sync->barrier->arrive(&event, object->barrier.needed, looks);
    sm_sync(&event);
    if (!sm_barrier_is_full(&object->state, object->barrier.needed)) {
        if (!departing_waits)
            wait_for_others(barrier, generation, &event);
        return depart(barrier, generation, false, pc);
    }
    object->barrier.generation = ++last_generation;
    sm_wake_all(barrier);
    return depart(barrier, generation, true, pc);
}

static void begin_renewal(const pthread_barrier_t *barrier, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_INIT, barrier, 0, pc);
    sm_engine->sync->barrier->renew(&event);
}

/* The last words of its bytes are unused: those of an earlier object may be there. */
int sm_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                    unsigned count, void *pc)
{
    begin_renewal(barrier, pc);
    sm_check_barrier_init(barrier, get(barrier)->state);
    sm_sync_renew(barrier, pc);
    int error = SM_REAL(pthread_barrier_init)(barrier, attributes, count);
    if (!error)
        sm_mark_set_life(sm_barrier_mark(barrier), SM_LIFE_INITIALISED);
    return error;
}

int sm_barrier_destroy(pthread_barrier_t *barrier, void *pc)
{
    begin_renewal(barrier, pc);
    sm_check_barrier_destroy(barrier, get(barrier)->state);
    if (get(barrier)->state)
        return EBUSY;
    sm_sync_renew(barrier, pc);
    int error = SM_REAL(pthread_barrier_destroy)(barrier);
    if (!error)
        sm_mark_set_life(sm_barrier_mark(barrier), SM_LIFE_DESTROYED);
    return error;
}
