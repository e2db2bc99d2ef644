// expect: signal SIGFPE
static volatile int zero;

int main(void)
{
    return 1000 / zero;
}
