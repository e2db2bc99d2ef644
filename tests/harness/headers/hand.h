/* A number is handed from one thread to another; who takes waits. */
struct hand;
struct hand *hand_create(void);
void hand_destroy(struct hand *hand);
void hand_give(struct hand *hand, int value);
int hand_take(struct hand *hand);
