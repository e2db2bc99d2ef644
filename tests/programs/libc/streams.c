// Streams that threads share: whole lines, and whole groups of lines under flockfile.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 4 };
static FILE *file;

static void *work(void *arg)
{
    for (int i = 0; i < LINES; i++) {
        flockfile(file);
        fprintf(file, "%s first\n", (char *)arg);
        fprintf(file, "%s second\n", (char *)arg);
        funlockfile(file);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char line[64], name[16], word[16], before[16] = "";
    file = tmpfile();
    assert(file);
    pthread_create(&threads[0], NULL, work, "one");
    pthread_create(&threads[1], NULL, work, "two");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    rewind(file);
    for (int i = 0; i < 4 * LINES; i++) {
        assert(fgets(line, sizeof line, file) && sscanf(line, "%15s %15s", name, word) == 2);
        assert(strcmp(word, i % 2 ? "second" : "first") == 0);
        assert(i % 2 == 0 || strcmp(name, before) == 0);
        strcpy(before, name);
    }
    fclose(file);
    return 0;
}
