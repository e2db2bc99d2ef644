/* Waits for ever in a call of libc that the pass replaces: the report names its line. */
#include <poll.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 2;
    struct pollfd wanted = {ends[0], POLLIN, 0};
    return poll(&wanted, 1, -1);
}
