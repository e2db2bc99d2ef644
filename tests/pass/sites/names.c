/* What C programs call their memory. */
#include <stdlib.h>
#include <string.h>

typedef struct {
    int x, y;
} Point;
struct inner {
    int a;
    double b;
};
struct node {
    struct node *next;
    struct inner in;
    int values[4];
    struct {
        int anonymous;
    };
    union {
        int as_int;
        float as_float;
        void *as_pointer;
    } u;
    char *text;
    unsigned low : 4, high : 12;
    unsigned alone : 8;
};
typedef struct node Node;

int done;
static long counter;
Point point, *point_pointer, points[3];
struct node config, table[8], *list;
int matrix[2][3];
char *buffer;
int **indirect;
struct {
    int member;
} unnamed;
volatile int device;

// expect: globals STORE done size=4 object=-+0
// expect: globals STORE counter size=8
// expect: globals STORE point.x size=4 object=Point+0
// expect: globals STORE config.in.b size=8 object=node+16
// expect: globals STORE table[].next size=8 object=node+0
// expect: globals STORE table[].values[] size=4
// expect: globals STORE points[].y size=4 object=Point+4
// expect: globals STORE matrix[][] size=4
// expect: globals STORE unnamed.member size=4
// expect: globals STORE device size=4 object=-+0 order=plain fail=relaxed op=0 flags=1
// expect: globals STORE config.anonymous size=4
// expect: globals STORE ticks size=4
void globals(int i)
{
    static int ticks;
    done = 1;
    counter = 2;
    point.x = 3;
    config.in.b = 4;
    table[i].next = &config;
    table[2].values[i] = 5;
    points[1].y = 6;
    matrix[i][2] = 7;
    unnamed.member = 8;
    device = 9;
    config.anonymous = 10;
    ticks++;
}

// expect: pointers LOAD Point.y size=4 object=Point+4
// expect: pointers LOAD Point.x size=4 object=Point+0
// expect: pointers STORE node.in.a size=4 object=node+8
// expect: pointers STORE node.values[] size=4
// expect: pointers LOAD list size=8
// expect: pointers LOAD node.next size=8
// expect: pointers STORE node.anonymous
// expect: pointers STORE node.text size=8
// expect: pointers STORE node.text[] size=1
// expect: pointers STORE node.u.as_float size=4
// expect: pointers STORE node.u.as_int size=4
// expect: pointers STORE node.u.as_pointer size=8
// expect: pointers LOAD point_pointer size=8
// expect: pointers COPY Point size=8 object=Point+0
int pointers(Point *p, struct node *n, Node *m, int i)
{
    n->in.a = p->y + p[i].x + p[2].x;
    m->values[i] = 1;
    list->next->next->in.a = 2;
    n->anonymous = 3;
    n->text = buffer;
    n->text[i] = 4;
    n->u.as_float = 1;
    m->u.as_int = 1;
    m->u.as_pointer = p;
    *point_pointer = point;
    return point_pointer->y;
}

// expect: scalars LOAD *p size=4
// expect: scalars LOAD q[] size=4
// expect: scalars STORE buffer[] size=1
// expect: scalars STORE **indirect size=4
// expect: scalars FILL buffer[] size=0
int scalars(int *p, const int *q, int i)
{
    char *local = buffer;
    local[i] = 1;
    **indirect = 2;
    memset(buffer, 0, i + 1);
    return *p + q[i];
}

// expect: untyped STORE Point.y size=4 object=Point+4
// expect: untyped LOAD node.values[] size=4
int untyped(void *argument, void *other)
{
    Point *p = argument;
    p->y = 1;
    return ((struct node *)other)->values[1];
}

// expect: walk LOAD node.next size=8
// expect: walk LOAD node.in.a size=4
int walk(void)
{
    int total = 0;
    for (struct node *n = list; n; n = n->next == list ? 0 : n->next)
        total += n->in.a;
    return total;
}

// expect: bits LOAD node.{low,high,alone} size=4
// expect: bits STORE node.{low,high,alone} size=4
// expect: flags=4
void bits(struct node *n)
{
    n->high = 3;
    n->alone = n->low;
}

// expect: returned STORE Point.x size=4
// expect: returned STORE get()[] size=4
static Point *get_point(void)
{
    return points;
}
static int *get(void)
{
    return &done;
}
void returned(void)
{
    get_point()->x = 1;
    get()[done] = 0;
}

// absent: private LOAD local
// absent: private STORE local
// absent: private LOAD words
// expect: private STORE shared size=4
static const int words[] = {1, 2, 3};
void escape(int *p)
{
    *p = 1;
}
int private(int i)
{
    int local[4] = {i, 1, 2, 3}, shared = i;
    shared++;
    escape(&shared);
    local[i & 3] = 1;
    return local[(i + 1) & 3] + words[i & 1] + shared;
}

// expect: hidden LOAD private_tls
// absent: hidden LOAD hidden_tls
static __thread int hidden_tls, private_tls;
int *leak(void)
{
    return &private_tls;
}
int hidden(void)
{
    hidden_tls++;
    return hidden_tls + private_tls;
}

int main(void)
{
    int number = 0, *pointer = &number;
    buffer = calloc(1, 16);
    indirect = &pointer;
    point_pointer = points;
    list = table;
    table[0].next = table, table[1].next = table;
    globals(1);
    pointers(points, table, table, 1);
    scalars(&number, &number, 0);
    list = NULL;
    return untyped(points, table) + walk() + private(1) + hidden() > 1000;
}
