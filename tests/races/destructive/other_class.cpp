// race: Task._vptr$Task
/* The destructor of the base class, which makes the object a Task, waits for a thread that calls a
 * virtual function: which one is a matter of luck. */
#include "../race.h"

#include <semaphore.h>

struct Task {
    sem_t ended;
    Task()
    {
        sem_init(&ended, 0, 0);
    }
    virtual int number()
    {
        return 1;
    }
    virtual ~Task()
    {
        sem_wait(&ended);
        sem_destroy(&ended);
    }
};

struct Other : Task {
    int number() override
    {
        return 2;
    }
};

static Task *task = new Other;

static void *a(void *unused)
{
    USE(task->number());
    sem_post(&task->ended);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    delete task;
    return unused;
}

int main()
{
    run(a, b);
}
