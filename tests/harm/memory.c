/* Memory errors, and twins that have none. */
#define _GNU_SOURCE
#include "harm.h"

#include <malloc.h>

struct node {
    int value;
    struct node *next;
};
static struct node *head;
static _Atomic(struct node *) handed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen;
static volatile int index_of = 4;
static char *text;

static struct node *make(void)
{
    struct node *node = malloc(sizeof *node);
    node->value = 7;
    node->next = NULL;
    return node;
}

/* ---- use after free ---- */

static struct node *locked_head(void)
{
    pthread_mutex_lock(&lock);
    struct node *mine = head;
    pthread_mutex_unlock(&lock);
    return mine;
}

static void *drop_head(void *arg)
{
    pthread_mutex_lock(&lock);
    struct node *old = head;
    head = NULL;
    pthread_mutex_unlock(&lock);
    free(old);
    return arg;
}

static void *use_outside(void *arg)
{
    struct node *mine = locked_head();
    seen = mine ? mine->value : 0;
    return arg;
}

static void *use_inside(void *arg)
{
    pthread_mutex_lock(&lock);
    seen = head ? head->value : 0;
    pthread_mutex_unlock(&lock);
    return arg;
}

CASE(read_outside_of_lock, use - after - free)
{
    head = make();
    start(use_outside);
    start(drop_head);
    join_all();
}

CASE(read_inside_of_lock, none)
{
    head = make();
    start(use_inside);
    start(drop_head);
    join_all();
}

static void *free_handed(void *arg)
{
    free(atomic_exchange(&handed, NULL));
    return arg;
}

static void *write_after_handing(void *arg)
{
    struct node *node = make();
    atomic_store(&handed, node);
    node->value = 8;
    return arg;
}

static void *write_before_handing(void *arg)
{
    struct node *node = make();
    node->value = 8;
    atomic_store(&handed, node);
    return arg;
}

CASE(write_after_handing_over, use - after - free)
{
    start(write_after_handing);
    start(free_handed);
    join_all();
    free(handed);
}

CASE(write_before_handing_over, none)
{
    start(write_before_handing);
    start(free_handed);
    join_all();
    free(handed);
}

CASE(read_after_thread_freed, use - after - free)
{
    head = make();
    struct node *kept = head;
    start(drop_head);
    join_all();
    seen = kept->value;
}

CASE(read_before_thread_frees, none)
{
    head = make();
    struct node *kept = head;
    seen = kept->value;
    start(drop_head);
    join_all();
}

CASE(old_pointer_after_realloc, use - after - free)
{
    text = malloc(20);
    char *new = realloc(text, 4000);
    text[index_of] = 1;
    head = (struct node *)new;
    free(head);
}

CASE(new_pointer_after_realloc, none)
{
    text = malloc(20);
    char *new = realloc(text, 4000);
    new[index_of] = 1;
    head = (struct node *)new;
    free(head);
}

CASE(copy_from_freed, use - after - free)
{
    char to[64];
    text = calloc(1, 64);
    free(text);
    memcpy(to, text, (size_t)index_of);
    seen = to[3];
}

CASE(copy_from_live, none)
{
    char to[64];
    text = calloc(1, 64);
    memcpy(to, text, (size_t)index_of);
    free(text);
    seen = to[3];
}

/* ---- double free ---- */

static void *free_shared(void *arg)
{
    free(head);
    return arg;
}

CASE(both_threads_free, double - free)
{
    head = make();
    start(free_shared);
    start(free_shared);
    join_all();
}

CASE(one_thread_frees, none)
{
    atomic_store(&handed, make());
    start(free_handed);
    start(free_handed);
    join_all();
}

static int references = 2;
static atomic_int counted = 2;

static void *drop_plain(void *arg)
{
    int left = references - 1;
    references = left;
    if (left <= 1)
        free(head);
    return arg;
}

static void *drop_counted(void *arg)
{
    if (atomic_fetch_sub(&counted, 1) == 1)
        free(head);
    return arg;
}

CASE(reference_lost, double - free)
{
    head = make();
    start(drop_plain);
    start(drop_plain);
    join_all();
}

CASE(reference_counted, none)
{
    head = make();
    start(drop_counted);
    start(drop_counted);
    join_all();
}

CASE(freed_after_realloc, double - free)
{
    text = malloc(20);
    head = realloc(text, 4000);
    head->value = 1;
    free(head);
    free(text);
}

CASE(freed_after_realloc_in_place, none)
{
    text = malloc(20);
    text = realloc(text, 21);
    free(text);
}

/* ---- invalid free ---- */

CASE(free_of_the_middle, invalid - free)
{
    text = malloc(64);
    free(text + 16);
}

CASE(free_of_the_start, none)
{
    text = malloc(64);
    free(text);
}

static char fixed[64];

CASE(free_of_a_variable, invalid - free)
{
    char *volatile pointer = fixed;
    free(pointer);
}

CASE(free_of_null, none)
{
    char *volatile pointer = NULL;
    free(pointer);
}

CASE(free_of_the_stack, invalid - free)
{
    char local[64];
    char *volatile pointer = local;
    local[0] = 1;
    free(pointer);
}

/* ---- heap overflow ---- */

static int *table, capacity, used;

static void *push(void *arg)
{
    if (used < capacity) /* tested without the lock */
    {
        pthread_mutex_lock(&lock);
        table[used++] = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *push_locked(void *arg)
{
    pthread_mutex_lock(&lock);
    if (used < capacity)
        table[used++] = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void push_both(void *(*function)(void *))
{
    capacity = 1;
    table = malloc((size_t)capacity * sizeof *table);
    start(function);
    start(function);
    join_all();
    free(table);
}

CASE(tested_outside_of_lock, heap - overflow)
{
    push_both(push);
}

CASE(tested_inside_of_lock, none)
{
    push_both(push_locked);
}

CASE(before_the_block, heap - overflow)
{
    text = calloc(4, sizeof *table);
    table = calloc(4, sizeof *table);
    table[3 - index_of] = 1;
    free(table);
}

CASE(at_the_start_of_the_block, none)
{
    table = calloc(4, sizeof *table);
    table[4 - index_of] = 1;
    free(table);
}

CASE(set_too_long, heap - overflow)
{
    text = malloc(12);
    memset(text, 0, (size_t)index_of * 4);
    free(text);
}

CASE(set_exactly, none)
{
    text = malloc(12);
    memset(text, 0, (size_t)index_of * 3);
    free(text);
}

CASE(string_without_room_for_its_end, heap - overflow)
{
    text = malloc(4);
    strcpy(text, index_of ? "four" : "");
    free(text);
}

CASE(string_with_room_for_its_end, none)
{
    text = malloc(5);
    strcpy(text, index_of ? "four" : "");
    free(text);
}

/* ---- what other code does with memory ---- */

static char *at_start;

__attribute__((constructor)) static void allocate_before_main(void)
{
    at_start = malloc(100);
    strcpy(at_start, "before main");
}

static void free_at_exit(void)
{
    free(at_start);
    free(head);
}

CASE(freed_at_exit, none)
{
    head = make();
    atexit(free_at_exit);
    at_start = realloc(at_start, 1000);
    at_start[999] = 1;
}

CASE(libc_allocates, none)
{
    char *made = NULL, *copy = strdup("twelve bytes"), *line = NULL;
    size_t size = 0, room = 0;
    FILE *memory = open_memstream(&made, &size);
    fprintf(memory, "%s\n%s\n", copy, "more");
    fclose(memory);
    FILE *file = fmemopen(made, size, "r");
    while (getline(&line, &room, file) > 0)
        seen += line[0];
    fclose(file);
    if (asprintf(&copy, "%d", seen) > 0) /* the first copy leaks */
        seen = copy[0];
    free(copy);
    free(made);
    free(line);
}

CASE(all_ways_to_allocate, none)
{
    void *blocks[] = {malloc(0),
                      calloc(3, 5),
                      aligned_alloc(64, 128),
                      memalign(4096, 10),
                      realloc(NULL, 7),
                      malloc(1 << 20),
                      valloc(9),
                      reallocarray(NULL, 3, 7)};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memset(blocks[i], 1, malloc_usable_size(blocks[i]));
        free(blocks[i]);
    }
}
