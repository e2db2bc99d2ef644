/*
 * stdio.c - streams: reading from those that may have no data yet, and what writing orders.
 *
 * libc fills a stream's buffer by its own read(2), which would block all threads if the stream is
 * a pipe, a socket or a terminal. So whenever the buffer is empty the thread first yields until
 * the descriptor is ready: then libc's read returns what is there. Lines are assembled here, a
 * byte at a time from the buffer. Regular files are left to libc.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* libc also has getline and getchar in its headers */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/libc/output.h"
#include "runtime/aside.h"
#include "runtime/engine.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/sched/sched.h"

static bool may_wait(FILE *stream)
{
    struct stat status;
    int fd = sm_self() ? fileno(stream) : -1;
    return fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) &&
           !S_ISDIR(status.st_mode) && !S_ISBLK(status.st_mode);
}

static bool has_bytes(FILE *stream)
{
    return stream->_IO_read_ptr < stream->_IO_read_end;
}

/* The next byte, or EOF; libc reads only when that does not block. */
static int next_byte(FILE *stream, void *pc)
{
    if (has_bytes(stream) || feof_unlocked(stream))
        return getc_unlocked(stream);
    int fd = fileno(stream);
    struct sm_event event = sm_io_begin(fd, pc);
    if (!sm_io_ready(fd, POLLIN, SM_NO_DEADLINE, &event)) {
        sm_io_end(&event, -1);
        return EOF;
    }
    int byte = getc_unlocked(stream);
    if (byte != EOF)
        sm_fd_takes(fd, pc);
    sm_io_end(&event, byte);
    return byte;
}

SM_EXPORT int fgetc(FILE *stream)
{
    return may_wait(stream) ? next_byte(stream, SM_CALLER()) : SM_REAL(fgetc)(stream);
}

#undef getc
SM_EXPORT int getc(FILE *stream)
{
    return may_wait(stream) ? next_byte(stream, SM_CALLER()) : SM_REAL(getc)(stream);
}

SM_EXPORT int getchar(void)
{
    return may_wait(stdin) ? next_byte(stdin, SM_CALLER()) : SM_REAL(getchar)();
}

static char *read_line(char *buffer, int size, FILE *stream, void *pc)
{
    int n = 0, byte = 0;
    while (n + 1 < size && byte != '\n' && (byte = next_byte(stream, pc)) != EOF)
        buffer[n++] = (char)byte;
    if (n == 0 || ferror_unlocked(stream))
        return NULL;
    buffer[n] = '\0';
    return buffer;
}

SM_EXPORT char *fgets(char *restrict buffer, int size, FILE *restrict stream)
{
    char *line = may_wait(stream) && size >= 2 ? read_line(buffer, size, stream, SM_CALLER())
                                               : SM_REAL(fgets)(buffer, size, stream);
    if (line)
        sm_aside(SM_EV_STORE, line, strlen(line) + 1, SM_CALLER());
    return line;
}

static size_t read_items(void *buffer, size_t size, size_t n, FILE *stream, void *pc)
{
    if (!may_wait(stream) || !size || !n)
        return SM_REAL(fread)(buffer, size, n, stream);
    char *bytes = buffer;
    size_t got = 0;
    for (int byte; got < size * n && (byte = next_byte(stream, pc)) != EOF; got++)
        bytes[got] = (char)byte;
    return got / size;
}

SM_EXPORT size_t fread(void *restrict buffer, size_t size, size_t n, FILE *restrict stream)
{
    size_t items = read_items(buffer, size, n, stream, SM_CALLER());
    sm_aside(SM_EV_STORE, buffer, items * size, SM_CALLER());
    return items;
}

SM_EXPORT size_t fwrite(const void *restrict buffer, size_t size, size_t n, FILE *restrict stream)
{
    sm_stream_prints(stream);
    sm_stream_gives(stream, SM_CALLER());
    size_t items = SM_REAL(fwrite)(buffer, size, n, stream);
    sm_aside(SM_EV_LOAD, buffer, items * size, SM_CALLER());
    return items;
}

/* libc reads by itself: only the first byte of what it wants has come for certain. */
static void await_bytes(FILE *stream, void *pc)
{
    if (!may_wait(stream) || has_bytes(stream) || feof_unlocked(stream))
        return;
    int fd = fileno(stream);
    struct sm_event event = sm_io_begin(fd, pc);
    bool ready = sm_io_ready(fd, POLLIN, SM_NO_DEADLINE, &event);
    if (ready)
        sm_fd_takes(fd, pc);
    sm_io_end(&event, ready ? 0 : -1);
}

#define SCANNING(name, vname)                                                                      \
    SM_EXPORT int vname(FILE *restrict stream, const char *restrict format, va_list args);         \
    SM_EXPORT int vname(FILE *restrict stream, const char *restrict format, va_list args)          \
    {                                                                                              \
        await_bytes(stream, SM_CALLER());                                                          \
        return SM_REAL(vname)(stream, format, args);                                               \
    }                                                                                              \
    SM_EXPORT int name(FILE *restrict stream, const char *restrict format, ...);                   \
    SM_EXPORT int name(FILE *restrict stream, const char *restrict format, ...)                    \
    {                                                                                              \
        await_bytes(stream, SM_CALLER());                                                          \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int n = SM_REAL(vname)(stream, format, args);                                              \
        va_end(args);                                                                              \
        return n;                                                                                  \
    }
SCANNING(__isoc99_fscanf, __isoc99_vfscanf)

/* Makes room for one more byte and the terminator; false: out of memory. */
static bool make_room(char **line, size_t *room, size_t n)
{
    if (*line && n + 2 <= *room)
        return true;
    size_t wanted = n + 2 > 120 ? 2 * (n + 2) : 120;
    char *grown = realloc(*line, wanted);
    if (!grown)
        return false;
    *line = grown;
    *room = wanted;
    return true;
}

static ssize_t read_until(char **line, size_t *room, int end, FILE *stream, void *pc)
{
    size_t n = 0;
    for (int byte = EOF; byte != end;) {
        if (!make_room(line, room, n))
            return -1;
        byte = next_byte(stream, pc);
        if (byte == EOF)
            break;
        (*line)[n++] = (char)byte;
    }
    (*line)[n] = '\0';
    return n ? (ssize_t)n : -1;
}

SM_EXPORT ssize_t getdelim(char **restrict line, size_t *restrict room, int end,
                           FILE *restrict stream)
{
    if (!may_wait(stream) || !line || !room)
        return SM_REAL(getdelim)(line, room, end, stream);
    return read_until(line, room, end, stream, SM_CALLER());
}

SM_EXPORT ssize_t __getdelim(char **restrict line, size_t *restrict room, int end,
                             FILE *restrict stream) __attribute__((alias("getdelim")));

SM_EXPORT ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream)
{
    if (!may_wait(stream) || !line || !room)
        return SM_REAL(getline)(line, room, stream);
    return read_until(line, room, '\n', stream, SM_CALLER());
}

/* ---- writing (core/libc/output.c) ---- */

void sm_stream_prints(const FILE *stream)
{
    if (stream == stdout)
        sm_engine_prints();
}

/* An interceptor that formats to standard output, and the same with a va_list. */
#define PRINTING_OUT(name, vname, parameters, passed)                                              \
    SM_EXPORT int vname(SM_PLAIN_OUT parameters const char *restrict format, va_list args);        \
    SM_EXPORT int vname(SM_PLAIN_OUT parameters const char *restrict format, va_list args)         \
    {                                                                                              \
        sm_stream_prints(stdout);                                                                  \
        return SM_REAL(vname)(SM_PLAIN_OUT passed format, args);                                   \
    }                                                                                              \
    SM_EXPORT int name(SM_PLAIN_OUT parameters const char *restrict format, ...);                  \
    SM_EXPORT int name(SM_PLAIN_OUT parameters const char *restrict format, ...)                   \
    {                                                                                              \
        sm_stream_prints(stdout);                                                                  \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int n = SM_REAL(vname)(SM_PLAIN_OUT passed format, args);                                  \
        va_end(args);                                                                              \
        return n;                                                                                  \
    }
#define SM_PLAIN_OUT(...) __VA_ARGS__
PRINTING_OUT(printf, vprintf, (), ())
PRINTING_OUT(__printf_chk, __vprintf_chk, (int flag, ), (flag, ))

#undef putchar
SM_EXPORT int putchar(int byte)
{
    sm_stream_prints(stdout);
    return SM_REAL(putchar)(byte);
}

void sm_output_gives(int fd, const void *pc)
{
    if (!sm_self() || fd < 0)
        return;
    sm_fd_gives(fd, (void *)pc);
    sm_fds_changed();
}

void sm_stream_gives(FILE *stream, const void *pc)
{
    if (sm_self() && stream)
        sm_output_gives(fileno_unlocked(stream), pc);
}

SM_EXPORT int fclose(FILE *stream)
{
    sm_stream_gives(stream, SM_CALLER());
    return SM_REAL(fclose)(stream);
}
