// The string functions give the right results while another thread uses them too.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[64] = "alpha";
static char buffer[64];

static void check(const char *s)
{
    size_t n = strlen(s);
    assert(strnlen(s, 3) == (n < 3 ? n : 3));
    assert(memchr(s, 0, n + 1) == s + n && !memchr(s, 1, n));
    assert(strchr(s, 'l') == s + 1 && strrchr(s, 'a') == s + 4 && !strchr(s, 'z'));
    assert(strstr(s, "pha") == s + 2 && !strstr(s, "nope"));
    assert(strcmp(s, "alpha") >= 0 && strcmp(s, "beta") < 0);
    assert(strncmp(s, "alpine", 3) == 0 && memcmp(s, "alpha", 5) == 0);
}

static void change(void)
{
    strcpy(buffer, "alpha");
    strcat(buffer, "-beta");
    strncat(buffer, "-gamma", 3);
    assert(strcmp(buffer, "alpha-beta-ga") == 0);
    strncpy(buffer, "short", sizeof buffer);
    assert(buffer[5] == 0 && buffer[63] == 0);
    char *copy = strdup(buffer);
    assert(copy && strcmp(copy, "short") == 0);
    free(copy);
}

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        check(text);
        change();
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
