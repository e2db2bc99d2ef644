// stdin: forty-two words
// Standard input by read and by stream, while another thread waits for neither.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *work(void *arg)
{
    for (int i = 0; i < 5; i++)
        usleep(10);
    return arg;
}

int main(void)
{
    char text[64] = "", rest[64] = "";
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(read(STDIN_FILENO, text, 6) == 6);
    assert(fgets(rest, sizeof rest, stdin));
    pthread_join(thread, NULL);
    assert(strcmp(text, "forty-") == 0 && strcmp(rest, "two words\n") == 0);
    return 0;
}
