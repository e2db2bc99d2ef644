// expect: signal SIGABRT
#include <stdlib.h>

int main(void)
{
    abort();
}
