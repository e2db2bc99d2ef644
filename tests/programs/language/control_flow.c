// setjmp and longjmp, computed goto, function pointers, varargs, alloca and VLAs, on two threads.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

static int sum(int n, ...)
{
    va_list args;
    int total = 0;

    va_start(args, n);
    while (n--)
        total += va_arg(args, int);
    va_end(args);
    return total;
}

static void deep(jmp_buf *out, int level)
{
    volatile char frame[100];

    frame[level % 100] = (char)level;
    if (level == 50)
        longjmp(*out, level);
    deep(out, level + 1);
    frame[0] = 1;
}

static int jump(void)
{
    jmp_buf out;
    int level = setjmp(out);

    if (level == 0)
        deep(&out, 1);
    return level;
}

static int machine(const char *program)
{
    static void *const labels[] = {&&add, &&twice, &&stop};
    int value = 0;

    goto *labels[*program++ - 'a'];
add:
    value++;
    goto *labels[*program++ - 'a'];
twice:
    value *= 2;
    goto *labels[*program++ - 'a'];
stop:
    return value;
}

static int variable(int n)
{
    int array[n], *block = alloca((size_t)n * sizeof(int));

    for (int i = 0; i < n; i++)
        array[i] = block[i] = i;
    memcpy(array, block, (size_t)n * sizeof(int));
    return array[n - 1] + block[n - 2];
}

static int (*volatile chosen)(int) = variable;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        assert(sum(5, 1, 2, 3, 4, 5) == 15 && jump() == 50);
        assert(machine("aababc") == 7 * 2 - 4 && chosen(10) == 17);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    return 0;
}
