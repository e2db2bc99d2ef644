/* Blocks of a text, compressed with back references, expanded again and compared. */
#include "bench.h"
#include <stdatomic.h>
#include <string.h>

#define BLOCK 65536
#define HASHES 4096
#define MAX_MATCH 255

struct result {
    int compressed;
    uint32_t checksum;
};

static int n_blocks, n_threads;
static unsigned char *text;
static struct result *results;
static atomic_int next_block;

static uint32_t hash_at(const unsigned char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word * 2654435761u >> 20;
}

static int match_length(const unsigned char *a, const unsigned char *b, const unsigned char *end)
{
    int n = 0;
    while (n < MAX_MATCH && b + n < end && a[n] == b[n])
        n++;
    return n;
}

/* A sequence: number of literals, the literals, length of the match, its distance (two bytes). */
static unsigned char *put_sequence(unsigned char *to, const unsigned char *literals, int n,
                                   int length, int distance)
{
    for (; n >= 255; n -= 255, literals += 255) {
        *to++ = 255;
        memcpy(to, literals, 255);
        to += 255;
        memset(to, 0, 3);
        to += 3;
    }
    *to++ = (unsigned char)n;
    memcpy(to, literals, n);
    to += n;
    *to++ = (unsigned char)length;
    *to++ = (unsigned char)(distance & 255);
    *to++ = (unsigned char)(distance >> 8);
    return to;
}

static int compress(const unsigned char *from, int n, unsigned char *to)
{
    int heads[HASHES];
    unsigned char *start = to;
    int literals = 0, at = 0;
    memset(heads, -1, sizeof heads);
    while (at + 4 < n) {
        uint32_t hash = hash_at(from + at);
        int candidate = heads[hash];
        heads[hash] = at;
        int length = candidate < 0 ? 0 : match_length(from + candidate, from + at, from + n);
        if (length < 4) {
            at++;
            continue;
        }
        to = put_sequence(to, from + literals, at - literals, length, at - candidate);
        literals = at += length;
    }
    to = put_sequence(to, from + literals, n - literals, 0, 0);
    return (int)(to - start);
}

static int expand(const unsigned char *from, int n, unsigned char *to)
{
    const unsigned char *end = from + n;
    unsigned char *start = to;
    while (from < end) {
        int literals = *from++;
        memcpy(to, from, literals);
        to += literals;
        from += literals;
        int length = from[0], distance = from[1] | from[2] << 8;
        from += 3;
        for (int i = 0; i < length; i++, to++)
            *to = to[-distance];
    }
    return (int)(to - start);
}

static uint32_t adler(const unsigned char *from, int n)
{
    uint32_t a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + from[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void *worker(void *unused)
{
    (void)unused;
    unsigned char *packed = malloc(2 * BLOCK), *unpacked = malloc(BLOCK + 256);
    for (int i; (i = atomic_fetch_add(&next_block, 1)) < n_blocks;) {
        const unsigned char *block = text + (size_t)i * BLOCK;
        int n = compress(block, BLOCK, packed);
        if (expand(packed, n, unpacked) != BLOCK || memcmp(unpacked, block, BLOCK) != 0)
            abort();
        results[i] = (struct result){n, adler(packed, n)};
    }
    free(packed);
    free(unpacked);
    return NULL;
}

static void write_text(void)
{
    static const char *words[] = {"lock",   "unlock",  "the ",      "shared ", "and ",
                                  "queue[", "] = ",    "thread ",   "\n    ",  "if (",
                                  ") {",    "return ", "node->next"};
    uint32_t seed = 8;
    size_t n = (size_t)n_blocks * BLOCK;
    for (size_t at = 0; at < n;) {
        const char *word = words[next_random(&seed) % 13];
        size_t length = strlen(word);
        memcpy(text + at, word, at + length > n ? n - at : length);
        at += length;
        if (at < n && seed % 3 == 0)
            text[at++] = (unsigned char)('0' + seed / 3 % 64);
    }
}

int main(int argc, char **argv)
{
    n_blocks = argument(argc, argv, 1, 300);
    n_threads = argument(argc, argv, 2, 2);
    text = malloc((size_t)n_blocks * BLOCK);
    results = calloc(n_blocks, sizeof *results);
    write_text();
    run_threads(n_threads, worker);
    uint64_t total = 0, sum = 0;
    for (int i = 0; i < n_blocks; i++) {
        total += results[i].compressed;
        sum = sum * 31 + results[i].checksum;
    }
    printf("lz %lu %lu\n", (unsigned long)total, (unsigned long)sum);
    return 0;
}
