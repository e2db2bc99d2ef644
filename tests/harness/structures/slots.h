/* Numbers of slots, handed out and given back. */
struct slots;
struct slots *slots_create(unsigned n);
void slots_destroy(struct slots *slots);
int slots_alloc(struct slots *slots); /* -1: none is free */
void slots_free(struct slots *slots, int slot);
