// crashes by itself
static int *pointer;
int main(void)
{
    return *pointer;
}
