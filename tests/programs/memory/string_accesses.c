// memcpy, memmove, memset and the str* family on shared memory, under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[256], other[256];

static void append(char c)
{
    char piece[3] = {c, '.', '\0'};

    pthread_mutex_lock(&lock);
    strcat(text, piece);
    size_t length = strlen(text);
    assert(strnlen(text, sizeof(text)) == length && text[length - 1] == '.');
    memcpy(other, text, length + 1);
    assert(!strcmp(text, other) && !strncmp(text, other, 4) && !memcmp(text, other, length));
    assert(strchr(text, c) && strrchr(text, c) >= strchr(text, c) && strstr(text, piece));
    assert(memchr(text, '.', length));
    memmove(other + 1, other, length + 1);
    assert(!strcmp(other + 1, text) && other[0] == text[0]);
    char *copy = strdup(text);
    assert(!strcmp(copy, text));
    memset(copy, 'z', length);
    assert(copy[length - 1] == 'z');
    free(copy);
    strcpy(other, text);
    strncpy(other, "xyz", 2);
    strncat(other, "abc", 1);
    assert(other[0] == 'x' && other[1] == 'y' && strlen(other) == length + 1);
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
    for (int i = 0; i < 10; i++)
        append(*(char *)arg);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    static char names[] = "abc";
    int count[256] = {0};

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (const char *p = text; *p; p++)
        count[(unsigned char)*p]++;
    assert(count['a'] == 10 && count['b'] == 10 && count['c'] == 10 && count['.'] == 30);
    return 0;
}
