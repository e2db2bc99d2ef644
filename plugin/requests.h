/*
 * requests.h - client requests to Valgrind's tools, redirected to the runtime.
 *
 * The macros of valgrind's headers (ANNOTATE_HAPPENS_BEFORE and the like) are not calls: they
 * expand to a sequence of instructions without effect on a processor, with the address of a request
 * in a register. The sequence becomes a call of the runtime's sm_client_request, and its result is
 * that without Valgrind.
 */
#ifndef SM_PLUGIN_REQUESTS_H
#define SM_PLUGIN_REQUESTS_H

#include "plugin/pass.h"

/* Before the module is read: from then on these are ordinary calls. */
void sm_replace_requests(struct sm_pass *pass);

#endif
