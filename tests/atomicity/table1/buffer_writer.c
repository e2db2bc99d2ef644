/*
 * BufWriter: most writers lock the buffer, one does not.
 *
 * expect: set=buffer unit=buffer_append_quick pattern=1,6,7,8
 *
 * Its record and another's go to the same place, and one of the two is lost.
 */
#include "../program.h"

#define RECORDS 2

struct buffer {
    pthread_mutex_t lock;
    int used;
    char data[3 * RECORDS];
};

static void put(struct buffer *buffer, char record)
{
    int end = buffer->used;

    buffer->data[end] = record;
    buffer->used = end + 1;
}

void buffer_append(struct buffer *buffer, char record)
{
    pthread_mutex_lock(&buffer->lock);
    put(buffer, record);
    pthread_mutex_unlock(&buffer->lock);
}

void buffer_append_quick(struct buffer *buffer, char record)
{
    repair_lock(&buffer->lock);
    put(buffer, record);
    repair_unlock(&buffer->lock);
}

int buffer_count(struct buffer *buffer, char record)
{
    int count = 0;

    for (int i = 0; i < buffer->used; i++)
        count += buffer->data[i] == record;
    return count;
}

static void *write_locked(void *arg)
{
    for (int i = 0; i < RECORDS; i++)
        buffer_append(arg, 'l');
    return NULL;
}

static void *write_quick(void *arg)
{
    for (int i = 0; i < RECORDS; i++)
        buffer_append_quick(arg, 'q');
    return NULL;
}

static struct buffer buffer = {.lock = MONITOR};

int main(void)
{
    struct job jobs[] = {{write_locked, &buffer}, {write_locked, &buffer}, {write_quick, &buffer}};

    run_jobs(jobs, COUNT(jobs));
    assert(buffer_count(&buffer, 'l') == 2 * RECORDS);
    assert(buffer_count(&buffer, 'q') == RECORDS);
    return 0;
}
