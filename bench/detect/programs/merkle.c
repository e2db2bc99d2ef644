/*
 * A Merkle tree of SHA-256 digests over the chunks of a buffer. The thread whose child arrives
 * second at a node (an acquire-release counter) computes the node and climbs on. When the tree
 * is complete, other threads make and check proofs of inclusion of some of the chunks.
 */
#include "bench.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define CHUNK 4096
#define DIGEST 32
#define PROOF_EVERY 5
#define MAX_DEPTH 32

struct sha256 {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
    unsigned used;
};

/* The tree is laid out like a heap: the children of i are 2i+1 and 2i+2, the leaves come last. */
struct node {
    unsigned char digest[DIGEST];
    atomic_uchar arrived;
};

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static int n_chunks;
static unsigned char *data;
static struct node *tree;
static atomic_int next_chunk, next_proof, proofs_good;

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void sha_block(uint32_t *state, const unsigned char *from)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++, from += 4)
        w[i] = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                      ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + w[i];
        uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static void sha_start(struct sha256 *sha)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, initial, sizeof initial);
    sha->length = 0;
    sha->used = 0;
}

static void sha_add(struct sha256 *sha, const unsigned char *from, size_t n)
{
    sha->length += n;
    while (n > 0) {
        size_t part = 64 - sha->used < n ? 64 - sha->used : n;
        memcpy(sha->block + sha->used, from, part);
        from += part;
        n -= part;
        sha->used += (unsigned)part;
        if (sha->used == 64) {
            sha_block(sha->state, sha->block);
            sha->used = 0;
        }
    }
}

static void sha_finish(struct sha256 *sha, unsigned char *digest)
{
    unsigned char tail[72] = {0x80};
    uint64_t bits = sha->length * 8;
    size_t padding = (sha->used < 56 ? 56 : 120) - sha->used;
    for (int i = 0; i < 8; i++)
        tail[padding + i] = (unsigned char)(bits >> (56 - 8 * i));
    sha_add(sha, tail, padding + 8);
    for (int i = 0; i < DIGEST; i++)
        digest[i] = (unsigned char)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

static void hash_leaf(const unsigned char *chunk, unsigned char *digest)
{
    struct sha256 sha;
    sha_start(&sha);
    sha_add(&sha, (const unsigned char *)"\0", 1);
    sha_add(&sha, chunk, CHUNK);
    sha_finish(&sha, digest);
}

static void hash_pair(const unsigned char *left, const unsigned char *right, unsigned char *digest)
{
    struct sha256 sha;
    sha_start(&sha);
    sha_add(&sha, (const unsigned char *)"\1", 1);
    sha_add(&sha, left, DIGEST);
    sha_add(&sha, right, DIGEST);
    sha_finish(&sha, digest);
}

static void climb(int at)
{
    while (at > 0) {
        at = (at - 1) / 2;
        if (atomic_fetch_add_explicit(&tree[at].arrived, 1, memory_order_acq_rel) == 0)
            return;
        hash_pair(tree[2 * at + 1].digest, tree[2 * at + 2].digest, tree[at].digest);
    }
}

static bool proof_holds(int chunk)
{
    unsigned char siblings[MAX_DEPTH][DIGEST], digest[DIGEST];
    int depth = 0, leaf = n_chunks - 1 + chunk;
    for (int at = leaf; at > 0; at = (at - 1) / 2)
        memcpy(siblings[depth++], tree[at % 2 ? at + 1 : at - 1].digest, DIGEST);
    memcpy(digest, tree[leaf].digest, DIGEST);
    for (int at = leaf, i = 0; i < depth; at = (at - 1) / 2, i++) {
        if (at % 2)
            hash_pair(digest, siblings[i], digest);
        else
            hash_pair(siblings[i], digest, digest);
    }
    return memcmp(digest, tree[0].digest, DIGEST) == 0;
}

static void *builder(void *unused)
{
    (void)unused;
    for (int i; (i = atomic_fetch_add_explicit(&next_chunk, 1, memory_order_relaxed)) < n_chunks;) {
        hash_leaf(data + (size_t)i * CHUNK, tree[n_chunks - 1 + i].digest);
        climb(n_chunks - 1 + i);
    }
    return NULL;
}

static void *auditor(void *unused)
{
    (void)unused;
    for (int i; (i = atomic_fetch_add(&next_proof, PROOF_EVERY)) < n_chunks;)
        if (proof_holds(i))
            atomic_fetch_add_explicit(&proofs_good, 1, memory_order_relaxed);
    return NULL;
}

int main(int argc, char **argv)
{
    n_chunks = argument(argc, argv, 1, 2000);
    int n_threads = argument(argc, argv, 2, 2);
    uint32_t seed = 2024;
    data = malloc((size_t)n_chunks * CHUNK);
    for (size_t i = 0; i < (size_t)n_chunks * CHUNK; i += 4) {
        uint32_t word = next_random(&seed);
        memcpy(data + i, &word, sizeof word);
    }
    tree = calloc(2 * (size_t)n_chunks - 1, sizeof *tree);
    run_threads(n_threads, builder);
    run_threads(n_threads, auditor);
    printf("merkle %d ", atomic_load(&proofs_good));
    for (int i = 0; i < DIGEST; i++)
        printf("%02x", tree[0].digest[i]);
    printf("\n");
    free(tree);
    free(data);
    return 0;
}
