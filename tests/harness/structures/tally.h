/* A tally, of which there is one. */
void tally_reset(void);
int tally_add(int amount); /* the new total */
int tally_total(void);
