// no race
/* Strings and blocks that end where the next page cannot be read: what is compared, and how, is as
   the standard says, and nothing behind them is touched. */
#include <assert.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LONGEST = 20 };

static char *page_before_hole(void)
{
    char *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED && mprotect(page + PAGE, PAGE, PROT_NONE) == 0);
    return page;
}

/* So many letters x, with y at `odd` if it is one of them, and then `gap` bytes of the page. */
static char *text(char *page, int length, int odd, int gap)
{
    char *at = page + PAGE - gap - length - 1;
    for (int i = 0; i < length; i++)
        at[i] = i == odd ? 'y' : 'x';
    at[length] = 0;
    return at;
}

static int by_bytes(const char *a, const char *b, size_t limit)
{
    for (size_t i = 0; i < limit; i++)
        if (a[i] != b[i] || !a[i])
            return a[i] - b[i];
    return 0;
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void compare(const char *a, const char *b, size_t shorter)
{
    assert(sign(strcmp(a, b)) == sign(by_bytes(a, b, PAGE)));
    assert(sign(strncmp(a, b, shorter + 1)) == sign(by_bytes(a, b, shorter + 1)));
    assert(sign(memcmp(a, b, shorter)) == sign(by_bytes(a, b, shorter)));
}

int main(void)
{
    char *first = page_before_hole(), *second = page_before_hole();
    for (int a = 0; a < LONGEST; a++)
        for (int b = 0; b < LONGEST; b += 3)
            for (int odd = 0; odd < LONGEST; odd += 5)
                for (int gap = 0; gap < 9; gap += 4)
                    compare(text(first, a, odd, gap), text(second, b, -1, 0),
                            (size_t)(a < b ? a : b));
    return 0;
}
