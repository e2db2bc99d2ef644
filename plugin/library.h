/*
 * library.h - functions of libstdc++'s headers whose meaning verify knows better than their code.
 *
 * std::lock tells the runtime when it begins and ends (hook sm_lock_together), if all of its
 * arguments are mutexes of the library, or locks of these: their try_lock does nothing else than
 * try. See verify/loops/together.h.
 *
 * The waiter pool of std::atomic::wait counts the threads that wait, so that a notification without
 * a waiter need not call futex(2). Where waking does nothing (hook sm_knows_waiters,
 * verify/sync.c), it does not count, and calls futex(2) always. The standard gives the counter no
 * meaning: neither wait() nor notify_one() synchronises with anything.
 */
#ifndef SM_PLUGIN_LIBRARY_H
#define SM_PLUGIN_LIBRARY_H

#include <llvm-c/Core.h>

/* Before the pass, in each function with a body. */
void sm_library_prepare(LLVMValueRef function);

#endif
