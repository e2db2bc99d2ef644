// no race
/* A list that is empty is searched: the number is not looked at. */
#include "../race.h"

struct node {
    long key;
    struct node *next;
};

long wanted = 3;
static struct node nodes[4], *volatile head;

static void *a(void *unused)
{
    const struct node *node = head;
    while (node && node->key != *(volatile long *)&wanted)
        node = node->next;
    USE(node);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    wanted = 2;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        nodes[i] = (struct node){i, i < 3 ? &nodes[i + 1] : NULL};
    run(a, b);
    return 0;
}
