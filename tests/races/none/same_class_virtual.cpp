// no race
/* As same_class.cpp, with a virtual base class: the destructor gets the virtual tables from its
 * caller. */
#include "../race.h"

#include <semaphore.h>

struct Named {
    int calls = 0;
    virtual void run() {}
    virtual ~Named() {}
};

struct Task : virtual Named {
    sem_t done;
    Task()
    {
        sem_init(&done, 0, 0);
    }
    void run() override
    {
        calls++;
    }
    ~Task() override
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
