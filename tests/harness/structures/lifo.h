/* A stack of nodes that are the caller's. */
struct node {
    struct node *next;
    int content;
};

struct lifo {
    struct node *_Atomic top;
};

void lifo_init(struct lifo *lifo);
void lifo_push(struct lifo *lifo, struct node *node);
struct node *lifo_pop(struct lifo *lifo); /* NULL: none */
