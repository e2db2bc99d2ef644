/*
 * declared.h - what the user has said about sets and units by name, and what is inferred.
 *
 * The driver hands it over as lines of text (abi/atomicity.h). A name is compared with what
 * the site table has: a variable as reports write it, a function as the linker knows it.
 */
#ifndef SM_ANALYSIS_DECLARED_H
#define SM_ANALYSIS_DECLARED_H

#include "abi/site.h"
#include "analysis/sets.h"

/* Tells the driver of a name that stands for nothing in the program and the libraries that it
   starts with. */
void sm_declared_start(void);
/* The program ends: sets that stalemate_atomic_set names are known only now. */
void sm_declared_end(void);
/* The name of the set that the site's variable was put into, or NULL. */
const char *sm_declared_set(const struct sm_site *site);
bool sm_declared_unit(const struct sm_function *function, const struct sm_set *set);

/* The function has taken the lock of the set twice: tells the driver. */
void sm_infer_unit(const struct sm_function *function, const struct sm_set *set);

#endif
