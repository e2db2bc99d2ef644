/*
 * keys.h - thread-specific data, shared by pthread_key_* and tss_*.
 *
 * Creating and deleting may be done with or without control; the other two are for
 * controlled threads only.
 */
#ifndef SM_RUNTIME_INTERCEPT_KEYS_H
#define SM_RUNTIME_INTERCEPT_KEYS_H

#include <pthread.h>

#include "runtime/thread.h"

int sm_key_create(pthread_key_t *key, void (*destructor)(void *));
int sm_key_delete(pthread_key_t key);
void *sm_key_get(pthread_key_t key);
int sm_key_set(pthread_key_t key, const void *data);
/* Calls it with each value of the thread, including those of deleted keys. */
void sm_keys_each(const struct sm_thread *thread, void (*call)(uintptr_t data));

#endif
