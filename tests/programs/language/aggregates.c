// Struct copies, unions, arrays of structs, bit-fields, packed and unaligned fields.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct point {
    int x, y;
    double weight[4];
};
struct flags {
    unsigned low : 3, middle : 13, high : 16;
    signed tiny : 2;
};
struct __attribute__((packed)) odd {
    char tag;
    uint32_t word;
    uint64_t wide;
};
union both {
    uint64_t all;
    uint32_t half[2];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct point points[8];
static struct flags flags;
static struct odd odd;
static union both both;

static struct point moved(struct point p, int by)
{
    p.x += by;
    p.y -= by;
    p.weight[by & 3] += 1.0;
    return p;
}

static void *work(void *arg)
{
    int by = (int)(long)arg;

    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        points[i] = moved(points[i], by);
        flags.low = (flags.low + 1) & 7;
        flags.middle++;
        flags.high += 2;
        flags.tiny = -1;
        odd.word += 3;
        odd.wide += 0x100000001ULL;
        both.half[0]++;
        both.half[1] += 2;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, (void *)1);
    work((void *)2);
    pthread_join(other, NULL);
    for (int i = 0; i < 8; i++)
        assert(points[i].x == 3 && points[i].y == -3 && points[i].weight[2] == 1.0);
    assert(flags.low == 0 && flags.middle == 16 && flags.high == 32 && flags.tiny == -1);
    assert(odd.tag == 0 && odd.word == 48 && odd.wide == 16 * 0x100000001ULL);
    assert(both.all == (32ULL << 32 | 16));
    return 0;
}
