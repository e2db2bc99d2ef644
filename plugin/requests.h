/*
 * requests.h - what a program says to Valgrind's tools, for ours to hear.
 *
 * The macros of valgrind's headers (ANNOTATE_HAPPENS_BEFORE and the like) are no calls: they
 * expand to a sequence of instructions that does nothing on a processor, with the address of a
 * request in a register. It becomes a call of the runtime's sm_client_request, and its result
 * what it is without Valgrind.
 */
#ifndef SM_PLUGIN_REQUESTS_H
#define SM_PLUGIN_REQUESTS_H

#include "plugin/pass.h"

/* Before anything is read: the calls are ordinary ones from then on. */
void sm_replace_requests(struct sm_pass *pass);

#endif
