/* Accesses to the stack of a thread that has ended, and to those of threads that have not; to the
   frames of functions that have returned, and to those of functions that have not. */
#define _GNU_SOURCE
#include "harm.h"

#include <alloca.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <semaphore.h>

static int *shared;
static sem_t published, used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int seen;

static void *return_address(void *unused)
{
    int local = 7;
    shared = &local;
    return (void *)shared;
}

CASE(result_on_the_stack, stack - use)
{
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, return_address, NULL);
    pthread_join(thread, &result);
    seen = *(int *)result;
}

static _Thread_local int counter, of_each[4];

static void *return_counter(void *unused)
{
    counter = 7;
    return &counter;
}

CASE(thread_local_of_ended, stack - use)
{
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, return_counter, NULL);
    pthread_join(thread, &result);
    seen = *(int *)result + counter;
}

static void *lend_thread_local(void *unused)
{
    shared = &of_each[2];
    sem_post(&published);
    return unused;
}

static void *lend_thread_local_and_wait(void *unused)
{
    lend_thread_local(unused);
    sem_wait(&used);
    return unused;
}

static void *return_block(void *unused)
{
    int *block = malloc(sizeof *block);
    *block = 7;
    return block;
}

CASE(result_in_the_heap, none)
{
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, return_block, NULL);
    pthread_join(thread, &result);
    seen = *(int *)result;
    free(result);
}

static void *lend_and_leave(void *unused)
{
    int local = 7;
    shared = &local;
    sem_post(&published);
    return unused;
}

static void *lend_and_wait(void *unused)
{
    int local = 7;
    shared = &local;
    sem_post(&published);
    sem_wait(&used);
    return unused;
}

static void *borrow(void *unused)
{
    sem_wait(&published);
    pthread_mutex_lock(&mutex);
    *shared = 8;
    pthread_mutex_unlock(&mutex);
    sem_post(&used);
    return unused;
}

CASE(owner_does_not_wait, stack - use)
{
    start(lend_and_leave);
    start(borrow);
    join_all();
}

CASE(owner_waits, none)
{
    start(lend_and_wait);
    start(borrow);
    join_all();
}

/* verify does not explore the order of an access and the end of its thread. */
CASE(thread_local_by_schedule, stack - use)
{
    start(lend_thread_local);
    start(borrow);
    join_all();
}

CASE(thread_local_waited_for, none)
{
    start(lend_thread_local_and_wait);
    start(borrow);
    join_all();
}

static void *count_own(void *unused)
{
    counter += of_each[2];
    of_each[2]++;
    return NULL;
}

/* Threads that end give the same memory to later ones. */
CASE(thread_local_of_each, none)
{
    for (int i = 0; i < 3; i++) {
        start(count_own);
        join_all();
        count_own(NULL);
    }
    seen = counter;
}

static void *write_given(void *given)
{
    *(int *)given = 8;
    return NULL;
}

CASE(stack_of_the_initial_thread, none)
{
    int local = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, write_given, &local);
    pthread_join(thread, NULL);
    seen = local;
}

/* ---- functions that have returned ---- */

#define OUTLINED __attribute__((noinline))

static int *volatile kept;
static pthread_t helper;

OUTLINED static void keep(int *address)
{
    kept = address;
}

OUTLINED static int *lend_local(void)
{
    int local = 7;
    keep(&local);
    return kept;
}

OUTLINED static int *lend_static(void)
{
    static int local = 7;
    keep(&local);
    return kept;
}

CASE(returned_address, stack - use)
{
    seen = *lend_local();
}

CASE(returned_address_of_static, none)
{
    seen = *lend_static();
}

OUTLINED static void start_and_return(void)
{
    int local = 7;
    pthread_create(&helper, NULL, write_given, &local);
}

OUTLINED static void start_and_join(void)
{
    int local = 7;
    pthread_create(&helper, NULL, write_given, &local);
    pthread_join(helper, NULL);
}

CASE(joined_after_return, stack - use)
{
    start_and_return();
    pthread_join(helper, NULL);
}

CASE(joined_before_return, none)
{
    start_and_join();
}

/* A request lies on the stack of who has made it, until it is served. */
static int *request;

static void *serve(void *unused)
{
    sem_wait(&published);
    pthread_mutex_lock(&mutex);
    if (request)
        *request = 8;
    request = NULL;
    pthread_mutex_unlock(&mutex);
    sem_post(&used);
    return unused;
}

OUTLINED static void ask(int patient, int withdraws)
{
    int answer = 0;
    pthread_mutex_lock(&mutex);
    request = &answer;
    pthread_mutex_unlock(&mutex);
    sem_post(&published);
    if (patient)
        sem_wait(&used);
    if (withdraws) {
        pthread_mutex_lock(&mutex);
        request = NULL;
        pthread_mutex_unlock(&mutex);
    }
}

CASE(request_not_waited_for, stack - use)
{
    start(serve);
    ask(0, 0);
    join_all();
}

CASE(request_waited_for, none)
{
    start(serve);
    ask(1, 0);
    join_all();
}

CASE(request_withdrawn, none)
{
    start(serve);
    ask(0, 1);
    join_all();
}

/* The second answer is in the place of the first, and its thread writes it only after the other. */
static void *serve_twice(void *unused)
{
    serve(unused);
    return serve(unused);
}

OUTLINED static void ask_without_value(void)
{
    int answer;
    pthread_mutex_lock(&mutex);
    request = &answer;
    pthread_mutex_unlock(&mutex);
    sem_post(&published);
    sem_wait(&used);
    seen = answer;
}

CASE(asked_twice, none)
{
    start(serve_twice);
    ask_without_value();
    ask_without_value();
    join_all();
}

/* A flag on the stack says that the other has finished with the frame. */
struct call {
    _Atomic int done;
    int value;
};
static _Atomic(struct call *) posted;

OUTLINED static void post_call(int early)
{
    struct call call = {0};
    atomic_store(&posted, &call);
    if (early)
        return;
    while (!atomic_load(&call.done))
        sched_yield();
}

static void *answer_call(void *unused)
{
    struct call *call;
    while (!(call = atomic_load(&posted)))
        sched_yield();
    call->value = 7;
    atomic_store(&call->done, 1);
    return unused;
}

CASE(call_left_early, stack - use)
{
    atomic_store(&posted, NULL);
    start(answer_call);
    post_call(1);
    join_all();
}

CASE(call_left_when_done, none)
{
    atomic_store(&posted, NULL);
    start(answer_call);
    post_call(0);
    join_all();
}

/* ---- frames that are alive, whatever the stack pointer does ---- */

static jmp_buf back;

OUTLINED static void jump(int depth)
{
    volatile int local = depth;
    if (depth == 0)
        longjmp(back, 1);
    jump(local - 1);
}

CASE(jumped_out_of_frames, none)
{
    int local = 7;
    keep(&local);
    if (setjmp(back) == 0)
        jump(5);
    seen = *kept;
}

OUTLINED static void fill(int *numbers, int n)
{
    for (int i = 0; i < n; i++)
        numbers[i] = i;
}

CASE(frames_that_grow, none)
{
    for (int i = 1; i < 4; i++) {
        int length = i * 100, *numbers = alloca(length * sizeof *numbers);
        fill(numbers, length);
        seen = numbers[length - 1];
    }
}

static ucontext_t outside, inside;
static int *lent;

static void coroutine(void)
{
    *lent = 8;
    swapcontext(&inside, &outside);
    *lent = 9;
}

OUTLINED static void resume(void)
{
    int below = 7;
    lent = &below;
    swapcontext(&outside, &inside);
    seen = below;
}

/* Its stack is in a frame of the thread's own, with another one below. */
CASE(coroutine_in_a_frame, none)
{
    char stack[64 << 10];
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = sizeof stack;
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    resume();
    resume();
}

static void handle(int signo)
{
    *kept = signo;
}

static void signal_me(int flags)
{
    int local = 7;
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    keep(&local);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    seen = local;
}

CASE(handler_uses_a_frame, none)
{
    signal_me(0);
}

CASE(handler_on_a_stack_in_a_frame, none)
{
    char room[64 << 10];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, NULL);
    signal_me(SA_ONSTACK);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

CASE(frames_of_the_library, none)
{
    int numbers[] = {3, 1, 2};
    keep(numbers);
    qsort(numbers, 3, sizeof *numbers, compare);
    seen = *kept;
}

struct large {
    long words[16];
};

OUTLINED static long sum(struct large large)
{
    long total = 0;
    kept = (int *)&large;
    for (int i = 0; i < 16; i++)
        total += large.words[i];
    return total + *kept;
}

OUTLINED static long last_call(struct large *large)
{
    large->words[0] = 1;
    return sum(*large);
}

CASE(arguments_on_the_stack, none)
{
    struct large large = {{0}};
    seen = (int)last_call(&large);
}
