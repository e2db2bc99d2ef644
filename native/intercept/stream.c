#define _GNU_SOURCE
#include "native/intercept/stream.h"

#include <stdarg.h>
#include <stdint.h>

#include "core/libc/output.h"
#include "core/libc/real.h"
#include "native/intercept/message.h"
#include "native/sync.h"

/* To ask the kernel what a stream's descriptor is takes longer than to put a byte into its buffer.
   So each thread keeps the answers for the streams that it uses; all are void when the program
   closes or replaces a descriptor. */
enum { STREAMS = 4 };
struct known_stream {
    const FILE *stream;
    int fd;
    uint32_t changes;
    bool orders;
};
static _Thread_local struct known_stream known[STREAMS];

static bool stream_orders(FILE *stream)
{
    int fd = fileno_unlocked(stream);
    struct known_stream *one = &known[(uintptr_t)stream / sizeof(FILE) % STREAMS];
    uint32_t changes = sm_fd_changes();
    if (one->stream != stream || one->fd != fd || one->changes != changes)
        *one = (struct known_stream){stream, fd, changes, fd >= 0 && sm_fd_orders(fd)};
    return one->orders;
}

void sm_stream_prints(const FILE *stream)
{
    (void)stream;
}

void sm_output_gives(int fd, const void *pc)
{
    (void)pc; /* the edges of uninstrumented code count */
    sm_fd_gives(fd);
}

void sm_stream_gives(FILE *stream, const void *pc)
{
    if (stream && stream_orders(stream))
        sm_output_gives(fileno_unlocked(stream), pc);
}

void sm_stream_takes(FILE *stream)
{
    if (stream_orders(stream))
        sm_fd_takes(fileno_unlocked(stream));
}

SM_EXPORT int fclose(FILE *stream)
{
    sm_stream_gives(stream, SM_CALLER());
    sm_fd_changed();
    return SM_REAL(fclose)(stream);
}

SM_EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    sm_stream_gives(stream, SM_CALLER());
    sm_fd_changed();
    return SM_REAL(freopen)(path, mode, stream);
}

SM_EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode,
                          FILE *restrict stream) __attribute__((alias("freopen")));

/* ---- reading ---- */

static int read_byte(FILE *stream)
{
    bool buffered = stream->_IO_read_ptr < stream->_IO_read_end;
    int byte = SM_REAL(fgetc)(stream);
    if (!buffered)
        sm_stream_takes(stream);
    return byte;
}

SM_EXPORT int fgetc(FILE *stream)
{
    return read_byte(stream);
}

#undef getc
SM_EXPORT int getc(FILE *stream)
{
    return read_byte(stream);
}

SM_EXPORT ssize_t getdelim(char **restrict line, size_t *restrict room, int end,
                           FILE *restrict stream)
{
    ssize_t size = SM_REAL(getdelim)(line, room, end, stream);
    sm_stream_takes(stream);
    return size;
}

SM_EXPORT ssize_t __getdelim(char **restrict line, size_t *restrict room, int end,
                             FILE *restrict stream) __attribute__((alias("getdelim")));

SM_EXPORT ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream)
{
    return getdelim(line, room, '\n', stream);
}

SM_EXPORT int __isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list args);
SM_EXPORT int __isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list args)
{
    int n = SM_REAL(__isoc99_vfscanf)(stream, format, args);
    sm_stream_takes(stream);
    return n;
}

SM_EXPORT int __isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...);
SM_EXPORT int __isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __isoc99_vfscanf(stream, format, args);
    va_end(args);
    return n;
}
