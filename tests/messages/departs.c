// reads a file that is not under control
#include <stdio.h>
static int seen, answer;
int main(void)
{
    FILE *file = fopen("state", "r");
    if (!file || fscanf(file, "%d", &seen) != 1)
        return 2;
    fclose(file);
    if (seen)
        answer = seen;
    else
        seen = 1;
    return 0;
}
