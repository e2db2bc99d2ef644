/* A mailbox that is closed without its lock: if the store and the signal come between the reader's
   look at `closed` and its wait, it waits for ever. No data race; one of some 3,000 executions
   shows it (random, pct, pos), and there are too many for verify. With -DLOCKED nothing is wrong.
 */
#include <pthread.h>
#include <stdatomic.h>

enum { LETTERS = 12, ROOM = 8, WORDS = 6 };
struct letter {
    int words[WORDS];
};
static struct letter box[ROOM];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int first, letters, sum;
static atomic_int closed;

static int take(struct letter *letter)
{
    pthread_mutex_lock(&lock);
    while (letters == 0 && !atomic_load(&closed))
        pthread_cond_wait(&filled, &lock);
    int any = letters > 0;
    if (any) {
        *letter = box[first];
        first = (first + 1) % ROOM;
        letters--;
        pthread_cond_signal(&emptied);
    }
    pthread_mutex_unlock(&lock);
    return any;
}

static void *reader(void *unused)
{
    struct letter letter;
    while (take(&letter))
        for (int i = 0; i < WORDS; i++)
            sum += letter.words[i];
    return unused;
}

static void *writer(void *unused)
{
    for (int i = 0; i < LETTERS; i++) {
        pthread_mutex_lock(&lock);
        while (letters == ROOM)
            pthread_cond_wait(&emptied, &lock);
        struct letter *letter = &box[(first + letters++) % ROOM];
        for (int k = 0; k < WORDS; k++)
            letter->words[k] = k;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void close_mailbox(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    atomic_store(&closed, 1);
    pthread_cond_signal(&filled);
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    pthread_join(threads[1], NULL);
    pthread_join(threads[2], NULL);
    close_mailbox();
    pthread_join(threads[0], NULL);
    return sum != 2 * LETTERS * WORDS * (WORDS - 1) / 2;
}
