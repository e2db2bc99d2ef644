/* A queue of pointers. */
#include <stdbool.h>
#include <stddef.h>

typedef struct queue queue;
queue *queue_new(size_t capacity);
void queue_delete(queue *q);
bool queue_put(queue *q, void *item); /* false: full */
void *queue_take(queue *q);           /* NULL: empty */
size_t queue_length(const queue *q);
