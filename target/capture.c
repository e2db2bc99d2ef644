#include "target/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool sm_capture_open(struct sm_capture *capture, const char *name, int pass_to,
                     struct sm_error *error)
{
    *capture = (struct sm_capture){.fd = memfd_create(name, MFD_CLOEXEC), .pass_to = pass_to};
    /* Append: several processes, or executions one after the other, write to one file. */
    if (capture->fd >= 0 && fcntl(capture->fd, F_SETFL, O_APPEND) == 0)
        return true;
    return sm_fail(error, SM_STATUS_TARGET, "cannot capture the program's %s: %s", name,
                   strerror(errno));
}

void sm_capture_reset(struct sm_capture *capture)
{
    (void)!ftruncate(capture->fd, 0); /* it only shrinks a file of ours: cannot fail */
    capture->passed = 0;
}

static bool write_all(int fd, const char *bytes, ssize_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, (size_t)size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= written;
    }
    return true;
}

off_t sm_capture_pass(struct sm_capture *capture)
{
    char chunk[1 << 14];
    ssize_t got;
    while (capture->pass_to >= 0 &&
           (got = pread(capture->fd, chunk, sizeof chunk, capture->passed)) > 0) {
        capture->passed += got;
        if (!write_all(capture->pass_to, chunk, got))
            capture->pass_to = -1; /* the reader is gone; the execution continues */
    }
    struct stat file;
    return fstat(capture->fd, &file) == 0 ? file.st_size : 0;
}

void sm_capture_read(const struct sm_capture *capture, struct sm_buffer *to)
{
    char chunk[1 << 14];
    ssize_t got;
    for (off_t at = 0; (got = pread(capture->fd, chunk, sizeof chunk, at)) > 0; at += got)
        sm_buffer_add(to, chunk, (size_t)got);
}

void sm_capture_close(struct sm_capture *capture)
{
    if (capture->fd >= 0)
        close(capture->fd);
    capture->fd = -1;
}
