/* A reader loads a pointer and counts its reference afterwards; the block may be gone by then.
   TELLS: reads current = / updates current = / frees the block / updates config.users / The pointer
   that was read at NEVER: Make the update | locks the lock */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    atomic_int users;
};
static struct config *_Atomic current;

static void drop(struct config *config)
{
    if (atomic_fetch_sub(&config->users, 1) == 1)
        free(config);
}

static void *read_config(void *arg)
{
    struct config *config = atomic_load(&current);
    atomic_fetch_add(&config->users, 1);
    return arg;
}

static struct config *new_config(void)
{
    struct config *config = malloc(sizeof *config);
    atomic_init(&config->users, 1);
    return config;
}

int main(void)
{
    pthread_t reader;
    atomic_store(&current, new_config());
    pthread_create(&reader, 0, read_config, 0);
    drop(atomic_exchange(&current, new_config()));
    pthread_join(reader, 0);
    drop(atomic_load(&current));
    return 0;
}
