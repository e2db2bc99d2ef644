/*
 * sunflow9, Geometry.builtAccel: double-checked locking with a flag beside the pointer. Who sees
 * the flag before it is set uses a pointer that nobody has set.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int triangles;
} Accel;
static Accel *accel;
static int built_accel;
static pthread_mutex_t geometry = PTHREAD_MUTEX_INITIALIZER;

static Accel *build(void)
{
    Accel *new = calloc(1, sizeof *new);
    new->triangles = 12;
    return new;
}

static void *intersect(void *arg)
{
    if (built_accel == 0) {
        pthread_mutex_lock(&geometry);
        if (built_accel == 0) {
            accel = build();
            built_accel = 1;
        }
        pthread_mutex_unlock(&geometry);
    }
    *(int *)arg = accel->triangles;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int hits[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, intersect, &hits[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", hits[0], hits[1]);
    return 0;
}
