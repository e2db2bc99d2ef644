/*
 * output.h - what each runtime does before output.c's interceptors call libc, and before fclose.
 */
#ifndef SM_CORE_LIBC_OUTPUT_H
#define SM_CORE_LIBC_OUTPUT_H

#include <stdio.h>

/* The call is about to put text into the stream. */
void sm_stream_prints(const FILE *stream);

/* The call may write to the descriptor, or to the stream's; no effect if the stream is NULL, which
   is all of them: what was put into each was a write already. errno is preserved. */
void sm_output_gives(int fd, const void *pc);
void sm_stream_gives(FILE *stream, const void *pc);

#endif
