#define _GNU_SOURCE
#include "runtime/init.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/libc/callers.h"
#include "core/openmp/openmp.h"
#include "runtime/analysis.h"
#include "runtime/assume.h"
#include "runtime/blocks.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/hb.h"
#include "runtime/intercept/real.h"
#include "runtime/model/model.h"
#include "runtime/module.h"
#include "runtime/policy/policy.h"
#include "runtime/region.h"
#include "runtime/restart.h"
#include "runtime/sample.h"
#include "runtime/sched/carrier.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"
#include "runtime/trace.h"

typedef int (*main_function)(int, char **, char **);
static main_function program_main;

/* Defined by intercept/signal.c. */
void sm_signals_install(void);

static bool main_begun;
static _Thread_local bool is_initial __attribute__((tls_model("initial-exec")));

bool sm_starting(void)
{
    return sm_control && !main_begun;
}

bool sm_starting_here(void)
{
    return is_initial && sm_starting();
}

/* The kernel's sixteen random bytes, which libc has already used by now. */
static void fix_random_bytes(void)
{
    char *bytes = (char *)getauxval(AT_RANDOM);
    for (int i = 0; bytes && i < 16; i++)
        bytes[i] = (char)(0x51 + 7 * i);
}

/* The linker marks the library to be initialised before all others (-z initfirst), so no
   constructor of the program has run yet. */
__attribute__((constructor)) static void attach(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    sm_control_attach(environment);
    if (!sm_control)
        return;
    is_initial = true;
    sm_callers_init();
    sm_openmp_prepare(environment);
    sm_sample_map(); /* constructors run watched copies */
    fix_random_bytes();
}

/* ---- fork server ---- */

static void write_int(int fd, int value)
{
    sm_syscall(SYS_write, (long)fd, &value, sizeof value);
}

/* Returns in the child of each order; ends with the driver. */
static void serve(int fd)
{
    sm_real_lookup_all();
    write_int(fd, SM_SERVER_READY);
    for (;;) {
        char order;
        if (sm_syscall(SYS_read, (long)fd, &order, 1L) != 1)
            sm_syscall(SYS_exit_group, 0L);
        pid_t child = SM_REAL(fork)();
        if (child == 0) {
            sm_syscall(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
            sm_syscall(SYS_close, (long)fd);
            return;
        }
        int status = -1;
        while (child > 0 && sm_syscall(SYS_wait4, (long)child, &status, 0L, NULL) == -EINTR)
            continue;
        if (sm_option(carrier) == SM_CARRIER_FIBER)
            sm_donors_prepare(sm_control->n_threads);
        write_int(fd, status);
    }
}

/* ---- an execution ---- */

static void reset_results(void)
{
    sm_control->end = SM_END_NONE;
    sm_control->status = 0;
    sm_control->queued = 0;
    sm_control->detail[0] = 0;
    sm_control->choices_out = 0;
    sm_control->n_races = 0;
    sm_control->races_lost = 0;
    sm_control->n_warnings = 0;
    sm_control->warnings_lost = 0;
    sm_control->n_violations = 0;
    if (sm_option(atomicity))
        memset(sm_control->shared_bits, 0, sm_control->n_sites / 8 + 1);
    sm_control->violations_lost = 0;
    sm_control->choices_made = 0;
    sm_control->outcome_bytes = 0;
    sm_control->unvalidated = 0;
    sm_control->n_foreseen = 0;
    sm_control->foreseen_lost = 0;
    sm_control->n_covered = 0;
    sm_control->covered_lost = 0;
    sm_control->end_depth = 0;
    sm_control->end_site = SM_NO_SITE;
    memset(sm_control->counters, 0, sizeof sm_control->counters);
}

static struct sm_thread *start_execution(void)
{
    reset_results();
    sm_sample_start();
    sm_trace_start();
    sm_policy_start();
    sm_model_start();
    struct sm_thread *initial = sm_sched_start();
    sm_stack_start();
    sm_blocks_start();
    sm_hb_start(sm_option(races) || sm_model->needs_hb, sm_model->needs_hb,
                sm_model->plain_is_relaxed);
    sm_analyses_start();
    return initial;
}

struct call {
    int argc;
    char **argv, **environment;
};

static void call_main(void *arg)
{
    struct call *call = arg;
    exit(program_main(call->argc, call->argv, call->environment));
}

/* The kernel's copy moves with the size of the environment; this one does not. */
static char **copy_arguments(int argc, char **argv)
{
    char **copy = sm_alloc((size_t)(argc + 1) * sizeof *copy);
    for (int i = 0; i < argc; i++) {
        size_t size = strlen(argv[i]) + 1;
        copy[i] = memcpy(sm_alloc(size), argv[i], size);
    }
    return copy;
}

static int controlled_main(int argc, char **argv, char **environment)
{
    if (!sm_control)
        return program_main(argc, argv, environment);
    main_begun = true;
    sm_assume_check();
    sm_modules_hand_over();
    sm_region_scan();
    sm_signals_install();
    sm_default_stack_size();
    if (sm_control->serve)
        serve(sm_control->server_fd);
    sm_sample_open();
    static struct call call;
    call = (struct call){argc, copy_arguments(argc, argv), environment};
    sm_engine_start();
    sm_modules_watch();
    if (sm_engine->restarts())
        sm_restart_run(start_execution, call_main, &call);
    struct sm_thread *initial = start_execution();
    void *stack = sm_donor_initial_stack(initial);
    sm_set_self(initial);
    sm_run_on(stack, call_main, &call);
    return 0;
}

typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void),
                              void (*)(void), void *);

SM_EXPORT int __libc_start_main(main_function main, int argc, char **argv, void (*init)(void),
                                void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

SM_EXPORT int __libc_start_main(main_function main, int argc, char **argv, void (*init)(void),
                                void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function real = (start_function)sm_real_lookup("__libc_start_main");
    program_main = main;
    return real(controlled_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void sm_release(void)
{
    sm_set_self(NULL);
    sm_control_detach();
    sm_modules_watch();
}
