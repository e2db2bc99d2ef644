// Memory allocated before main, by libc's heap, is resized and freed afterwards.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *early, *early_too;

__attribute__((constructor)) static void allocate(void)
{
    early = malloc(100);
    strcpy(early, "from before main");
    early_too = strdup("me too");
}

__attribute__((destructor)) static void release(void)
{
    free(early);
}

int main(void)
{
    early = realloc(early, 100000);
    assert(strcmp(early, "from before main") == 0);
    assert(strcmp(early_too, "me too") == 0);
    free(early_too);
    char *line = NULL;
    assert(asprintf(&line, "%s %d", "formatted", 1) == 11);
    free(line);
    return 0;
}
