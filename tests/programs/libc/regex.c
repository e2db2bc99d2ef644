// libc has no frame pointers: what regexec keeps in that register when it allocates is no frame.
#include <assert.h>
#include <pthread.h>
#include <regex.h>
#include <stddef.h>

static void *match(void *arg)
{
    regex_t pattern;
    regmatch_t parts[3];
    assert(regcomp(&pattern, "^item ([0-9]+) value=([0-9]+)", REG_EXTENDED) == 0);
    assert(regexec(&pattern, "item 1 value=2\n", 3, parts, 0) == 0);
    assert(parts[2].rm_so == 13);
    regfree(&pattern);
    return arg;
}

int main(void)
{
    pthread_t thread;
    match(NULL);
    pthread_create(&thread, NULL, match, NULL);
    pthread_join(thread, NULL);
    return 0;
}
