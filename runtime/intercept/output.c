/*
 * output.c - what streams and formatted output write to pipes and sockets orders threads, as write
 * does (message.h).
 *
 * A stream may write whenever it is used: each use is taken for a write, which gives too many
 * edges. No thread is switched, and a pipe that is full blocks the process, as before.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/sched/sched.h"

static void gives(int fd, void *pc)
{
    if (!sm_self() || fd < 0)
        return;
    sm_fd_gives(fd, pc);
    sm_fds_changed();
}

static void stream_gives(FILE *stream, void *pc)
{
    if (sm_self() && stream)
        gives(fileno_unlocked(stream), pc);
}

/* One more byte fits in the buffer: asking the kernel what the file is would take longer. */
static bool has_room(const FILE *stream)
{
    return stream->_IO_write_ptr < stream->_IO_write_end;
}

#undef fputc
SM_EXPORT int fputc(int byte, FILE *stream)
{
    if (!has_room(stream))
        stream_gives(stream, SM_CALLER());
    return SM_REAL(fputc)(byte, stream);
}

#undef putc
SM_EXPORT int putc(int byte, FILE *stream)
{
    if (!has_room(stream))
        stream_gives(stream, SM_CALLER());
    return SM_REAL(fputc)(byte, stream);
}

SM_EXPORT int fputs(const char *restrict text, FILE *restrict stream)
{
    stream_gives(stream, SM_CALLER());
    return SM_REAL(fputs)(text, stream);
}

SM_EXPORT int fflush(FILE *stream)
{
    stream_gives(stream, SM_CALLER());
    return SM_REAL(fflush)(stream);
}

SM_EXPORT int fclose(FILE *stream)
{
    stream_gives(stream, SM_CALLER());
    return SM_REAL(fclose)(stream);
}

/* ---- formatted ---- */

/* Defines `name(first, ..., format, arguments)` and the same with a va_list. */
#define PRINTING(name, vname, to, gives, parameters, passed)                                       \
    SM_EXPORT int vname(to, SM_PLAIN parameters const char *restrict format, va_list args);        \
    SM_EXPORT int vname(to, SM_PLAIN parameters const char *restrict format, va_list args)         \
    {                                                                                              \
        gives(out, SM_CALLER());                                                                   \
        return SM_REAL(vname)(out, SM_PLAIN passed format, args);                                  \
    }                                                                                              \
    SM_EXPORT int name(to, SM_PLAIN parameters const char *restrict format, ...);                  \
    SM_EXPORT int name(to, SM_PLAIN parameters const char *restrict format, ...)                   \
    {                                                                                              \
        gives(out, SM_CALLER());                                                                   \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int n = SM_REAL(vname)(out, SM_PLAIN passed format, args);                                 \
        va_end(args);                                                                              \
        return n;                                                                                  \
    }
#define SM_PLAIN(...) __VA_ARGS__
PRINTING(fprintf, vfprintf, FILE *restrict out, stream_gives, (), ())
PRINTING(__fprintf_chk, __vfprintf_chk, FILE *restrict out, stream_gives, (int flag, ), (flag, ))
PRINTING(dprintf, vdprintf, int out, gives, (), ())
PRINTING(__dprintf_chk, __vdprintf_chk, int out, gives, (int flag, ), (flag, ))
