// race: Task._vptr$Task
/* As other_class.cpp, with a virtual base class: the destructor of Task makes the object a Task
 * while a thread calls a virtual function. */
#include "../race.h"

#include <semaphore.h>

struct Named {
    int calls = 0;
    virtual ~Named() {}
};

struct Task : virtual Named {
    sem_t ended;
    Task()
    {
        sem_init(&ended, 0, 0);
    }
    virtual int number()
    {
        return 1;
    }
    ~Task() override
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

static Other *task = new Other;

static void *a(void *unused)
{
    Task *one = task;
    USE(one->number());
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
