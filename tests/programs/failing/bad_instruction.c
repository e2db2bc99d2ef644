// expect: signal SIGILL
int main(void)
{
    __builtin_trap();
}
