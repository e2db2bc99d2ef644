/* Memory and threads that leak, and twins that do not. */
#include "harm.h"

#include <unistd.h>

struct node {
    struct node *next, *previous;
    char text[40];
};
static struct node *volatile list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static __thread struct node *own;
static char *volatile middle;

static struct node *make(void)
{
    struct node *node = calloc(1, sizeof *node);
    strcpy(node->text, "node");
    return node;
}

/* ---- memory ---- */

__attribute__((noinline)) static void lose(void)
{
    list = make();
    list = NULL;
}

__attribute__((noinline)) static void scrub(void)
{
    char room[4096];
    memset(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

CASE(pointer_overwritten, leak)
{
    lose();
    scrub();
}

CASE(pointer_kept, none)
{
    list = make();
    scrub();
}

static void *replace(void *unused)
{
    struct node *mine = make();
    pthread_mutex_lock(&lock);
    list = mine;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *replace_and_free(void *unused)
{
    struct node *mine = make();
    pthread_mutex_lock(&lock);
    free(list);
    list = mine;
    pthread_mutex_unlock(&lock);
    return unused;
}

CASE(both_threads_publish, leak)
{
    start(replace);
    start(replace);
    join_all();
    scrub();
}

CASE(the_second_frees, none)
{
    start(replace_and_free);
    start(replace_and_free);
    join_all();
}

/* A cycle that nobody points to keeps itself alive nowhere. */
static void *make_cycle(void *forgets)
{
    struct node *a = make(), *b = make();
    a->next = b;
    b->previous = a;
    b->next = a;
    a->previous = b;
    if (!forgets)
        list = b;
    return NULL;
}

CASE(cycle_forgotten, leak)
{
    pthread_t thread;
    pthread_create(&thread, NULL, make_cycle, &list);
    pthread_join(thread, NULL);
}

CASE(cycle_kept, none)
{
    pthread_t thread;
    pthread_create(&thread, NULL, make_cycle, NULL);
    pthread_join(thread, NULL);
}

static void *return_block(void *unused)
{
    return make();
}

CASE(result_dropped, leak)
{
    pthread_t thread;
    pthread_create(&thread, NULL, return_block, NULL);
    pthread_join(thread, NULL);
}

CASE(result_freed, none)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, return_block, NULL);
    pthread_join(thread, &result);
    free(result);
}

/* ---- where pointers may be ---- */

CASE(pointer_into_the_middle, none)
{
    middle = make()->text;
    scrub();
}

CASE(pointer_in_thread_local_memory, none)
{
    own = make();
    scrub();
}

CASE(pointer_in_thread_specific_data, none)
{
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, make());
    scrub();
}

CASE(pointer_in_a_frame, none)
{
    struct node *volatile mine = make();
    scrub();
    exit(mine == NULL);
}

static void *keep_for_ever(void *arg)
{
    struct node *volatile mine = make();
    pthread_mutex_lock(&lock);
    list = NULL;
    pthread_mutex_unlock(&lock);
    for (;;)
        sleep(1000);
    return mine;
}

CASE(pointer_in_a_frame_of_another, none)
{
    pthread_t thread;
    pthread_create(&thread, NULL, keep_for_ever, NULL);
    sleep(1);
}

/* ---- threads ---- */

static void *do_nothing(void *unused)
{
    return unused;
}

CASE(never_joined, thread - leak)
{
    pthread_t thread;
    pthread_create(&thread, NULL, do_nothing, NULL);
    sleep(1);
}

CASE(detached, none)
{
    pthread_t thread;
    pthread_create(&thread, NULL, do_nothing, NULL);
    pthread_detach(thread);
    sleep(1);
}

CASE(one_of_two_joined, thread - leak)
{
    pthread_t one, other;
    pthread_create(&one, NULL, do_nothing, NULL);
    pthread_create(&other, NULL, do_nothing, NULL);
    pthread_join(other, NULL);
    sleep(1);
}

CASE(both_joined, none)
{
    start(do_nothing);
    start(do_nothing);
    join_all();
}

CASE(still_running_at_exit, none)
{
    pthread_t thread;
    pthread_create(&thread, NULL, keep_for_ever, NULL);
}
