/* Reads what is different each time. TWIN: what is not. */
#include <fcntl.h>
#include <unistd.h>

#ifdef TWIN
#define FILE_NAME "/proc/sys/kernel/ostype"
#else
#define FILE_NAME "/proc/sys/kernel/random/uuid"
#endif

int value;

int main(void)
{
    char text[64] = {0};
    int fd = open(FILE_NAME, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text - 1) < 1)
        return 1;
    value = text[0] * 65536 + text[1] * 256 + text[2];
    return value == 0;
}
