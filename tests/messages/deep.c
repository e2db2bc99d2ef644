// overflows its stack
static int down(int n)
{
    volatile char pad[1024];
    pad[0] = (char)n;
    return down(n + 1) + pad[0];
}
int main(void)
{
    return down(0);
}
