// ThreadSanitizer's annotations link and do no harm.
#include <pthread.h>
#include <stddef.h>

void __tsan_acquire(void *);
void __tsan_release(void *);
void AnnotateHappensBefore(const char *, int, const volatile void *);
void AnnotateHappensAfter(const char *, int, const volatile void *);
void AnnotateBenignRaceSized(const char *, int, const volatile void *, size_t, const char *);
void AnnotateRWLockAcquired(const char *, int, const volatile void *, long);
void AnnotateRWLockReleased(const char *, int, const volatile void *, long);

static int flag, lock;

static void *work(void *arg)
{
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
    AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    __tsan_release(&flag);
    return arg;
}

int main(void)
{
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &flag, sizeof(flag), "a test");
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    AnnotateHappensAfter(__FILE__, __LINE__, &flag);
    __tsan_acquire(&flag);
    return 0;
}
