static int data, ready;
void publish(int value)
{
    data = value;
    ready = 1;
}
int consume(void)
{
    return ready ? data : -1;
}
