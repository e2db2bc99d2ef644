// no race
/* A writer and a reader of a lock that the program has made itself, and tells of. */
#include "../race.h"

void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long writes);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long writes);

int x, lock;

static void *a(void *unused)
{
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
    x = 1;
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 0);
    x = 2;
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 0);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
