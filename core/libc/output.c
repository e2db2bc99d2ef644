/*
 * output.c - what streams and formatted output write to pipes and sockets orders threads, as write
 * does (output.h).
 *
 * A stream may write whenever it is used: each use is taken for a write, which gives too many
 * edges. Under control no thread is switched, and a pipe that is full blocks the process.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "core/libc/output.h"
#include "core/libc/real.h"

/* One more byte fits in the buffer: asking the kernel what the file is would take longer. */
static bool has_room(const FILE *stream)
{
    return stream->_IO_write_ptr < stream->_IO_write_end;
}

#undef fputc
SM_EXPORT int fputc(int byte, FILE *stream)
{
    sm_stream_prints(stream);
    if (!has_room(stream))
        sm_stream_gives(stream, SM_CALLER());
    return SM_REAL(fputc)(byte, stream);
}

#undef putc
SM_EXPORT int putc(int byte, FILE *stream)
{
    sm_stream_prints(stream);
    if (!has_room(stream))
        sm_stream_gives(stream, SM_CALLER());
    return SM_REAL(fputc)(byte, stream);
}

SM_EXPORT int fputs(const char *restrict text, FILE *restrict stream)
{
    sm_stream_prints(stream);
    sm_stream_gives(stream, SM_CALLER());
    return SM_REAL(fputs)(text, stream);
}

SM_EXPORT int puts(const char *text)
{
    sm_stream_prints(stdout);
    return SM_REAL(puts)(text);
}

SM_EXPORT int fflush(FILE *stream)
{
    sm_stream_gives(stream, SM_CALLER());
    return SM_REAL(fflush)(stream);
}

/* ---- formatted ---- */

/* Defines `name(first, ..., format, arguments)` and the same with a va_list. */
#define PRINTING(name, vname, to, prints, gives, parameters, passed)                               \
    SM_EXPORT int vname(to, SM_PLAIN parameters const char *restrict format, va_list args);        \
    SM_EXPORT int vname(to, SM_PLAIN parameters const char *restrict format, va_list args)         \
    {                                                                                              \
        prints(out);                                                                               \
        gives(out, SM_CALLER());                                                                   \
        return SM_REAL(vname)(out, SM_PLAIN passed format, args);                                  \
    }                                                                                              \
    SM_EXPORT int name(to, SM_PLAIN parameters const char *restrict format, ...);                  \
    SM_EXPORT int name(to, SM_PLAIN parameters const char *restrict format, ...)                   \
    {                                                                                              \
        prints(out);                                                                               \
        gives(out, SM_CALLER());                                                                   \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int n = SM_REAL(vname)(out, SM_PLAIN passed format, args);                                 \
        va_end(args);                                                                              \
        return n;                                                                                  \
    }
#define SM_PLAIN(...) __VA_ARGS__
PRINTING(fprintf, vfprintf, FILE *restrict out, sm_stream_prints, sm_stream_gives, (), ())
PRINTING(__fprintf_chk, __vfprintf_chk, FILE *restrict out, sm_stream_prints, sm_stream_gives,
         (int flag, ), (flag, ))
PRINTING(dprintf, vdprintf, int out, (void), sm_output_gives, (), ())
PRINTING(__dprintf_chk, __vdprintf_chk, int out, (void), sm_output_gives, (int flag, ), (flag, ))
