// no race
/* Accesses that are not to be looked at. */
#include "../race.h"

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

int x, y;

static void *a(void *unused)
{
    x = y = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    USE(y);
    x = 2;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    USE(unused);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
