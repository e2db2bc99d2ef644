/*
 * declared.h - sets and units that the user has declared by name, and inferred ones.
 *
 * The driver passes them as lines of text (abi/atomicity.h). Names are compared with the site
 * table: a variable as in reports, a function by its linker name.
 */
#ifndef SM_ANALYSIS_DECLARED_H
#define SM_ANALYSIS_DECLARED_H

#include "abi/site.h"
#include "analysis/sets.h"

/* Also tells the driver about a name that is unknown in the program and the libraries that it
   starts with. */
void sm_declared_start(void);
/* The program ends: sets named by stalemate_atomic_set are known only now. */
void sm_declared_end(void);
/* The name of the set that the site's variable was put into, or NULL. */
const char *sm_declared_set(const struct sm_site *site);
bool sm_declared_unit(const struct sm_function *function, const struct sm_set *set);

/* The function has taken the lock of the set twice: tells the driver. */
void sm_infer_unit(const struct sm_function *function, const struct sm_set *set);

#endif
