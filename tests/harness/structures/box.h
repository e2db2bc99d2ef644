/* Room for one message. */
#include <stdbool.h>

struct box;
struct box *box_create(void);
void box_destroy(struct box *box);
bool box_leave(struct box *box, int message); /* false: there is one */
bool box_fetch(struct box *box, int *message);
