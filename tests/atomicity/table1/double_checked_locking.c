/*
 * DCL: double-checked locking, with the flag set before what it stands for.
 *
 * expect: set=window unit=window_area pattern=2,9,11
 *
 * A thread that finds the flag set skips the lock, and meets a window without a height. The
 * order of the two stores is the one a compiler may choose for the right source.
 */
#include "../program.h"

struct window {
    pthread_mutex_t lock;
    bool ready;
    int width, height;
};

struct viewer {
    struct window *window;
    int area;
};

static void open_window(struct window *window)
{
    window->ready = true;
    window->width = 3;
    window->height = 2;
}

int window_area(struct window *window)
{
    repair_lock(&window->lock);
    if (!window->ready) {
        pthread_mutex_lock(&window->lock);
        if (!window->ready)
            open_window(window);
        pthread_mutex_unlock(&window->lock);
    }
    int area = window->width * window->height;
    repair_unlock(&window->lock);
    return area;
}

static void *view(void *arg)
{
    struct viewer *me = arg;

    me->area = window_area(me->window);
    return NULL;
}

static struct window window = {.lock = MONITOR};
static struct viewer viewers[] = {{&window, 0}, {&window, 0}, {&window, 0}};

int main(void)
{
    struct job jobs[] = {{view, &viewers[0]}, {view, &viewers[1]}, {view, &viewers[2]}};

    run_jobs(jobs, COUNT(jobs));
    for (int i = 0; i < COUNT(viewers); i++)
        assert(viewers[i].area == 6);
    return 0;
}
