/* The kernel thread behind each thread of the program: see carrier.h. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>

#include "runtime/control.h"
#include "runtime/intercept/real.h"
#include "runtime/region.h"
#include "runtime/restart.h"
#include "runtime/sched/carrier.h"
#include "runtime/sched/sched.h"

enum {
    GUARD = 4096,
    ALT_STACK = 1 << 16,
    /* Room between the donor's own frames and the first frame of the program: libc's
       futex wait and a signal handler of libc (cancellation) must fit. */
    DONOR_FRAMES = 16384,
};

struct sm_donor {
    struct sm_thread *thread; /* that it carries now */
    pthread_t handle;
    void *stack_low;
    size_t stack_size;
    void *alt_stack;   /* where the runtime's signal handlers run */
    void *first_frame; /* where the thread's code starts */
    void *tls_copy;    /* its initial thread-local storage, for the next execution */
    int go;            /* futex: 1 when it may run (or end) */
    int ready;         /* futex: 1 when it has set itself up */
    bool is_over;      /* a fiber's donor, told to end */
};

_Thread_local struct sm_thread *sm_self_tls;
SM_EXPORT _Thread_local int64_t sm_budget __attribute__((tls_model("initial-exec"))) = INT64_MAX;

void sm_set_self(struct sm_thread *thread)
{
    sm_self_tls = thread;
    sm_budget = thread ? (int64_t)sm_option(back_edges) : INT64_MAX;
}

static void futex_wait(int *word, int value)
{
    sm_syscall(SYS_futex, word, (long)FUTEX_WAIT_PRIVATE, (long)value, NULL, NULL, 0L);
}

static void futex_wake(int *word)
{
    sm_syscall(SYS_futex, word, (long)FUTEX_WAKE_PRIVATE, 1L, NULL, NULL, 0L);
}

/* release: the waker's actions happen before those of the woken thread */
void sm_donor_go(struct sm_thread *thread)
{
    __atomic_store_n(&thread->donor->go, 1, __ATOMIC_RELEASE);
    futex_wake(&thread->donor->go);
}

/* acquire: pairs with sm_donor_go */
static void wait_for_token(struct sm_donor *donor)
{
    while (!__atomic_exchange_n(&donor->go, 0, __ATOMIC_ACQUIRE))
        futex_wait(&donor->go, 0);
}

void sm_donor_wait(struct sm_thread *thread)
{
    wait_for_token(thread->donor);
}

uintptr_t sm_donor_first_frame(const struct sm_thread *thread)
{
    return (uintptr_t)thread->donor->first_frame;
}

/* ---- kernel threads that are not ours ---- */

static uint32_t expected; /* kernel threads: those at the start, and donors since then */

/* A thread that has been joined stays in the list for a moment. Its flags, the seventh field after
   its name in parentheses, say that it exits. */
static bool is_exiting(const char *name)
{
    enum { NAME_TO_FLAGS = 7, PF_EXITING = 4 };
    char path[64], text[512];
    sm_format(path, sizeof path, "/proc/self/task/%s/stat", name);
    long fd = sm_syscall(SYS_openat, (long)AT_FDCWD, path, (long)O_RDONLY, 0L);
    long size = fd < 0 ? 0 : sm_syscall(SYS_read, fd, text, sizeof text - 1);
    if (fd >= 0)
        sm_syscall(SYS_close, fd);
    text[size > 0 ? size : 0] = 0;
    const char *at = strrchr(text, ')');
    for (int i = 0; at && i < NAME_TO_FLAGS; i++)
        at = strchr(at + 1, ' ');
    return !at || (strtoul(at, NULL, 10) & PF_EXITING);
}

/* Of those that are in this part of the list; `live`: not those that exit. */
static uint32_t count_entries(const char *entries, long size, bool live)
{
    const struct dirent64 *entry;
    uint32_t n = 0;
    for (long at = 0; at < size; at += entry->d_reclen) {
        entry = (const struct dirent64 *)(entries + at);
        n += entry->d_name[0] != '.' && !(live && is_exiting(entry->d_name));
    }
    return n;
}

static uint32_t count_kernel_threads(bool live)
{
    char entries[4096];
    uint32_t n = 0;
    long fd = sm_syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/task", (long)O_RDONLY, 0L), size;
    while (fd >= 0 && (size = sm_syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
        n += count_entries(entries, size, live);
    if (fd >= 0)
        sm_syscall(SYS_close, fd);
    return n;
}

void sm_donors_start(void)
{
    expected = count_kernel_threads(false);
}

bool sm_has_strangers(void)
{
    return count_kernel_threads(false) > expected && count_kernel_threads(true) > expected;
}

/* ---- the kernel thread ---- */

static void set_alt_stack(struct sm_donor *donor)
{
    stack_t stack = {.ss_sp = donor->alt_stack, .ss_size = ALT_STACK};
    sm_syscall(SYS_sigaltstack, &stack, NULL);
}

/* Places the program's first frame below this function's frame, at the same distance with both
   carriers, so that the program's stack addresses are the same. */
static void *run(void *arg)
{
    struct sm_donor *donor = arg;
    sm_set_self(donor->thread);
    set_alt_stack(donor);
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    donor->first_frame = (void *)((frame - DONOR_FRAMES) & ~(uintptr_t)63);
    /* release: the creator reads first_frame after it saw ready */
    __atomic_store_n(&donor->ready, 1, __ATOMIC_RELEASE);
    futex_wake(&donor->ready);
    wait_for_token(donor);
    if (!donor->is_over) /* carrier thread; a fiber's donor wakes only to end */
        sm_run_on(donor->first_frame, sm_thread_body, donor->thread);
    sm_set_self(NULL);
    return NULL;
}

static uintptr_t stack_slot(uint32_t number)
{
    uint64_t slots = (SM_REGION_MAPS - SM_REGION_STACK) / SM_REGION_STACK_STRIDE;
    return SM_REGION_STACK + number % slots * SM_REGION_STACK_STRIDE;
}

static void map_stack(struct sm_donor *donor, uint32_t number, size_t size)
{
    if (size > SM_REGION_STACK_STRIDE - GUARD)
        size = SM_REGION_STACK_STRIDE - GUARD;
    donor->stack_size = (size + GUARD - 1) & ~(size_t)(GUARD - 1);
    /* The high end is at the slot's end: addresses do not depend on the requested size. */
    donor->stack_low = (void *)(stack_slot(number) + SM_REGION_STACK_STRIDE - donor->stack_size);
    sm_map(donor->stack_low, donor->stack_size);
}

/* Signals from outside must not be delivered to a donor, but to the kernel thread that runs the
   program. Fault signals cannot be blocked without dying, and SIGPIPE is for the writing thread. */
static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigfillset(&set);
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPIPE};
    for (size_t i = 0; i < SM_ARRAY_SIZE(own); i++)
        sigdelset(&set, own[i]);
    SM_REAL(pthread_sigmask)(SIG_SETMASK, &set, before);
}

/* The program appears single-threaded until it creates a thread (sm_donor_attach): libstdc++ counts
   references without atomics until then. Our kernel threads do not count. */
static int create_kernel_thread(struct sm_donor *donor)
{
    char single = __libc_single_threaded;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, donor->stack_low, donor->stack_size);
    sigset_t before;
    block_signals(&before);
    int error = SM_REAL(pthread_create)(&donor->handle, &attributes, run, donor);
    SM_REAL(pthread_sigmask)(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    __libc_single_threaded = single;
    if (error)
        return error;
    /* acquire: pairs with the store in run() */
    while (!__atomic_load_n(&donor->ready, __ATOMIC_ACQUIRE))
        futex_wait(&donor->ready, 0);
    expected++;
    return 0;
}

/* ---- for the scheduler ---- */

/* Where executions restart a donor outlives the execution, so it is not in sm_alloc's memory, which
   is emptied. */
static struct sm_donor *new_donor(uint32_t number, size_t stack_size)
{
    struct sm_donor *donor = sm_map(NULL, sizeof *donor + ALT_STACK);
    donor->alt_stack = donor + 1;
    map_stack(donor, number, stack_size);
    return donor;
}

static void discard(struct sm_donor *donor)
{
    sm_syscall(SYS_munmap, donor->stack_low, donor->stack_size);
    sm_syscall(SYS_munmap, donor, sizeof *donor + ALT_STACK);
}

static void give(struct sm_thread *thread, struct sm_donor *donor)
{
    donor->thread = thread;
    thread->donor = donor;
    thread->stack_low = donor->stack_low;
    thread->stack_size = donor->stack_size;
    thread->context = donor->first_frame;
    thread->handle = donor->handle;
    thread->tls = (uintptr_t)donor->handle; /* glibc: a handle is the FS base */
}

/* glibc guards its defaults by an internal lock, which a thread that never continues would leave
   held. So they are read once, before the first execution (init.c). */
size_t sm_default_stack_size(void)
{
    static size_t size;
    pthread_attr_t attributes;
    if (size)
        return size;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

static size_t sufficient(size_t stack_size)
{
    size_t least = DONOR_FRAMES + PTHREAD_STACK_MIN + (64 << 10);
    return stack_size < least ? least : stack_size;
}

/* Sets a variable of ours in the thread-local storage of another thread. */
#define SET_IN_TLS(donor, variable, value)                                                         \
    (*(__typeof__(&(variable)))((char *)(donor)->handle +                                          \
                                ((char *)&(variable) - (char *)pthread_self())) = (value))

/* Gives thread a donor that carried another thread, or none, until now. */
static void lend(struct sm_thread *thread, struct sm_donor *donor)
{
    give(thread, donor);
    SET_IN_TLS(donor, sm_self_tls, thread);
    SET_IN_TLS(donor, sm_budget, (int64_t)sm_option(back_edges));
}

static void reuse(struct sm_thread *thread, struct sm_donor *donor)
{
    sm_restart_tls(donor->handle, donor->tls_copy);
    lend(thread, donor);
}

/* Donors made by the fork server. In its children their kernel threads do not exist, but a fiber
   needs only their stacks and thread-local storage, which are in their initial state in every
   child: no clone, no mapping, no futex for each thread of each execution. */
enum { MAX_READY_MADE = 64 };
static struct sm_donor *ready_made[MAX_READY_MADE];

void sm_donors_prepare(uint32_t n_threads)
{
    for (uint32_t i = 1; i < n_threads && i < MAX_READY_MADE; i++) {
        if (ready_made[i])
            continue;
        struct sm_donor *donor = new_donor(i, sufficient(sm_default_stack_size()));
        if (create_kernel_thread(donor)) {
            discard(donor);
            return;
        }
        ready_made[i] = donor;
    }
}

static struct sm_donor *take_ready_made(const struct sm_thread *thread, size_t stack_size)
{
    struct sm_donor *donor = thread->id < MAX_READY_MADE ? ready_made[thread->id] : NULL;
    if (!donor)
        return NULL;
    if (sm_option(carrier) != SM_CARRIER_FIBER || donor->stack_size != sufficient(stack_size)) {
        ready_made[thread->id] = NULL;
        discard(donor); /* its place is needed */
        return NULL;
    }
    return donor;
}

/* Where executions restart it is in its initial state only once. */
static void keep(struct sm_donor **kept, struct sm_donor *donor)
{
    donor->tls_copy = sm_restart_save_tls(donor->handle);
    *kept = donor;
}

int sm_donor_attach(struct sm_thread *thread, size_t stack_size)
{
    __libc_single_threaded = 0;
    struct sm_donor **kept = sm_restart_donor(thread->id);
    struct sm_donor *donor = kept && *kept ? NULL : take_ready_made(thread, stack_size);
    if (donor && !kept) {
        lend(thread, donor);
        return 0;
    }
    if (donor)
        keep(kept, donor);
    if (kept && *kept && (*kept)->stack_size >= sufficient(stack_size)) {
        reuse(thread, *kept);
        return 0;
    }
    donor = new_donor(thread->id, sufficient(stack_size));
    donor->thread = thread;
    int error = create_kernel_thread(donor);
    if (error)
        return error;
    if (kept)
        keep(kept, donor);
    give(thread, donor);
    return 0;
}

void sm_donor_release(struct sm_thread *thread)
{
    struct sm_donor *donor = thread->donor;
    if (sm_restart_donor(thread->id))
        return;
    if (thread->id < MAX_READY_MADE && ready_made[thread->id] == donor)
        return;
    donor->is_over = true;
    sm_donor_go(thread);
    SM_REAL(pthread_join)(donor->handle, NULL);
    expected--;
    /* Later uses of the stack are reported (analysis/memory.c), and do not fault. */
    if (!sm_option(memory) || thread->id >= MAX_READY_MADE)
        discard(donor);
}

void *sm_donor_initial_stack(struct sm_thread *thread)
{
    static struct sm_donor *only;
    struct sm_donor **kept = sm_restart_donor(0), *initial = kept ? *kept : only;
    if (!initial) {
        struct rlimit limit = {8 << 20, 8 << 20};
        sm_syscall(SYS_prlimit64, 0L, (long)RLIMIT_STACK, NULL, &limit);
        initial = new_donor(0, limit.rlim_cur < (8 << 20) ? (8 << 20) : limit.rlim_cur);
        initial->handle = pthread_self();
        initial->first_frame = (char *)initial->stack_low + initial->stack_size - 64;
        set_alt_stack(initial);
        *(kept ? kept : &only) = initial;
    }
    give(thread, initial);
    return initial->first_frame;
}
