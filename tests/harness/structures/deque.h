/* A queue with two ends. */
#include <stdbool.h>

struct deque;
struct deque *deque_create(void);
void deque_destroy(struct deque *deque);
void deque_push_front(struct deque *deque, int value);
void deque_push_back(struct deque *deque, int value);
bool deque_pop_front(struct deque *deque, int *value);
bool deque_pop_back(struct deque *deque, int *value);
