/*
 * stream.h - streams on pipes and sockets: what a thread writes by one is ordered before the thread
 * that reads it (message.h). A read from the buffer orders, too, which gives too many edges.
 */
#ifndef SM_NATIVE_INTERCEPT_STREAM_H
#define SM_NATIVE_INTERCEPT_STREAM_H

#include <stdio.h>

/* After a call that may have read from the stream's descriptor. errno is preserved. The counterpart
   is sm_stream_gives (core/libc/output.h). */
void sm_stream_takes(FILE *stream);

#endif
