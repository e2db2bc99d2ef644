// no race
/* A destructor that waits for a thread which still calls a virtual function: it sets the pointer to
 * the virtual table to what it is. */
#include "../race.h"

#include <semaphore.h>

struct Task {
    sem_t done;
    int calls = 0;
    Task()
    {
        sem_init(&done, 0, 0);
    }
    virtual void run()
    {
        calls++;
    }
    virtual ~Task()
    {
        sem_wait(&done);
        sem_destroy(&done);
    }
};

static Task *task = new Task;

static void *a(void *unused)
{
    after(0);
    task->run();
    sem_post(&task->done);
    return unused;
}

static void *b(void *unused)
{
    done(0);
    delete task;
    return unused;
}

int main()
{
    run(a, b);
}
