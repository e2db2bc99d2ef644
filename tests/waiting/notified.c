/* Waits for a notification by a thread that libc makes (SIGEV_THREAD), which is not under control.
   The twin waits for nobody. */
#include <aio.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t read_in;

#ifndef TWIN
static void notify(union sigval unused)
{
    (void)unused;
    sem_post(&read_in);
}
#endif

int main(void)
{
    sem_init(&read_in, 0, 0);
#ifndef TWIN
    char byte;
    struct aiocb request = {.aio_fildes = open("/dev/zero", O_RDONLY),
                            .aio_buf = &byte,
                            .aio_nbytes = 1,
                            .aio_sigevent = {.sigev_notify = SIGEV_THREAD}};
    request.aio_sigevent.sigev_notify_function = notify;
    if (aio_read(&request))
        return 99;
#endif
    sem_wait(&read_in);
    return 0;
}
