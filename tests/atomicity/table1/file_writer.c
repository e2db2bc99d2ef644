/*
 * FileWriter: a record is appended by two threads, one that finds the place and one that writes.
 *
 * expect: set=file unit=file_append pattern=1,6,7,8
 *
 * Two appenders find the same place. Each access is locked; the unit of work begins in one
 * thread and is finished by another, which the paper's defaults take for two units.
 */
#include "../program.h"

#define RECORDS 4

struct file {
    pthread_mutex_t lock;
    pthread_mutex_t appending;
    int length;
    char data[RECORDS];
};

struct request {
    struct file *file;
    int place;
    char record;
};

static void *write_record(void *arg)
{
    struct request *request = arg;
    struct file *file = request->file;

    pthread_mutex_lock(&file->lock);
    file->data[request->place] = request->record;
    file->length = request->place + 1;
    pthread_mutex_unlock(&file->lock);
    return NULL;
}

int file_end(struct file *file)
{
    pthread_mutex_lock(&file->lock);
    int end = file->length;
    pthread_mutex_unlock(&file->lock);
    return end;
}

void file_append(struct file *file, char record)
{
    repair_lock(&file->appending);
    struct request request = {file, file_end(file), record};
    struct job job = {write_record, &request};
    run_jobs(&job, 1);
    repair_unlock(&file->appending);
}

static void *append(void *arg)
{
    for (int i = 0; i < RECORDS / 2; i++)
        file_append(arg, 'x');
    return NULL;
}

static struct file file = {.lock = MONITOR, .appending = MONITOR};

int main(void)
{
    struct job jobs[] = {{append, &file}, {append, &file}};

    run_jobs(jobs, COUNT(jobs));
    assert(file_end(&file) == RECORDS);
    return 0;
}
