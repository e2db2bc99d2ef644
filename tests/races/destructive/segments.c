// race: bytes[]
/* Two threads use one segment. */
#include "../race.h"
#include <sys/shm.h>

static char *bytes;

static void *use(void *unused)
{
    bytes[7] = 1;
    return unused;
}

int main(void)
{
    int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
    bytes = shmat(id, NULL, 0);
    if (bytes == (void *)-1)
        abort();
    shmctl(id, IPC_RMID, NULL);
    run(use, use);
    return 0;
}
