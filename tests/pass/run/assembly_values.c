/* The same values as without the pass, for every statement of ../sites/assembly.c. */
#include "../sites/assembly.c"
