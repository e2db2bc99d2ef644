/*
 * ompt.h - the part of OMPT that is used here: the interface by which an OpenMP runtime notifies a
 * tool of what the program does (OpenMP 5.2, chapter 19).
 *
 * Declared here because LLVM's header omp-tools.h is only in libomp's development package. Numbers
 * and layouts are the standard's, names are ours.
 */
#ifndef SM_CORE_OPENMP_OMPT_H
#define SM_CORE_OPENMP_OMPT_H

#include <stdint.h>

/* A word that the runtime keeps for the tool beside each parallel region and task. */
union sm_ompt_data {
    uint64_t value;
    void *ptr;
};

typedef void (*sm_ompt_function)(void);
typedef sm_ompt_function (*sm_ompt_lookup)(const char *name);
typedef int (*sm_ompt_set_callback)(int event, sm_ompt_function callback);
typedef int (*sm_ompt_get_task_info)(int level, int *flags, union sm_ompt_data **task, void **frame,
                                     union sm_ompt_data **parallel, int *number);
typedef int (*sm_ompt_get_task_memory)(void **addr, uint64_t *size, int block);

struct sm_ompt_start {
    int (*initialize)(sm_ompt_lookup lookup, int device, union sm_ompt_data *tool);
    void (*finalize)(union sm_ompt_data *tool);
    union sm_ompt_data tool;
};

struct sm_ompt_dependence {
    union sm_ompt_data variable;
    int type; /* enum sm_ompt_dependence_type */
};

enum sm_ompt_event {
    SM_OMPT_PARALLEL_BEGIN = 3,
    SM_OMPT_PARALLEL_END = 4,
    SM_OMPT_TASK_CREATE = 5,
    SM_OMPT_TASK_SCHEDULE = 6,
    SM_OMPT_IMPLICIT_TASK = 7,
    SM_OMPT_SYNC_REGION_WAIT = 16,
    SM_OMPT_MUTEX_RELEASED = 17,
    SM_OMPT_DEPENDENCES = 18,
    SM_OMPT_SYNC_REGION = 23,
    SM_OMPT_LOCK_INIT = 24,
    SM_OMPT_LOCK_DESTROY = 25,
    SM_OMPT_MUTEX_ACQUIRE = 26,
    SM_OMPT_MUTEX_ACQUIRED = 27,
    SM_OMPT_FLUSH = 29,
    SM_OMPT_REDUCTION = 31,
};

enum sm_ompt_endpoint { SM_OMPT_BEGIN = 1, SM_OMPT_END = 2, SM_OMPT_BEGIN_END = 3 };

/* All but these three are barriers. */
enum sm_ompt_sync {
    SM_OMPT_TASKWAIT = 5,
    SM_OMPT_TASKGROUP = 6,
    SM_OMPT_REDUCES = 7,
};

enum sm_ompt_task_flag { SM_OMPT_TASK_INITIAL = 1, SM_OMPT_TASK_TASKWAIT = 16 };

/* The state of the task that its thread leaves. */
enum sm_ompt_status {
    SM_OMPT_COMPLETE = 1,
    SM_OMPT_YIELD = 2,
    SM_OMPT_CANCEL = 3,
    SM_OMPT_DETACH = 4,
    SM_OMPT_EARLY_FULFIL = 5,
    SM_OMPT_LATE_FULFIL = 6,
    SM_OMPT_SWITCH = 7,
    SM_OMPT_TASKWAIT_COMPLETE = 8,
};

enum sm_ompt_dependence_type {
    SM_OMPT_IN = 1,
    SM_OMPT_OUT = 2,
    SM_OMPT_INOUT = 3,
    SM_OMPT_MUTEXINOUTSET = 4,
    SM_OMPT_SOURCE = 5,
    SM_OMPT_SINK = 6,
    SM_OMPT_INOUTSET = 7,
    SM_OMPT_OUT_ALL = 34,
    SM_OMPT_INOUT_ALL = 35,
};

enum sm_ompt_mutex {
    SM_OMPT_LOCK = 1,
    SM_OMPT_TEST_LOCK = 2,
    SM_OMPT_NEST_LOCK = 3,
    SM_OMPT_TEST_NEST_LOCK = 4,
    SM_OMPT_CRITICAL = 5,
    SM_OMPT_ATOMIC = 6,
    SM_OMPT_ORDERED = 7,
};

#endif
