/*
 * Critical: a critical section guarded by nothing but a note of who is in it.
 *
 * expect: set=section unit=section_visit pattern=3,4,5
 *
 * A second thread signs over the first, who finds a strange name when it leaves. The original
 * does not lock.
 */
#include "../program.h"

struct section {
    pthread_mutex_t lock;
    int inside;
};

struct visitor {
    struct section *section;
    int name;
    int strangers;
};

/* False if somebody else came in meanwhile. */
bool section_visit(struct section *section, int name)
{
    repair_lock(&section->lock);
    section->inside = name;
    bool alone = section->inside == name;
    section->inside = 0;
    repair_unlock(&section->lock);
    return alone;
}

static void *visit(void *arg)
{
    struct visitor *me = arg;

    for (int i = 0; i < 3; i++)
        if (!section_visit(me->section, me->name))
            me->strangers++;
    return NULL;
}

static struct section section = {.lock = MONITOR};
static struct visitor visitors[] = {{&section, 1, 0}, {&section, 2, 0}};

int main(void)
{
    struct job jobs[] = {{visit, &visitors[0]}, {visit, &visitors[1]}};

    run_jobs(jobs, COUNT(jobs));
    assert(visitors[0].strangers + visitors[1].strangers == 0);
    return 0;
}
