/* Filters over the 8-bit rows of a film: blur, difference to the last frame, edges; barriers. */
#include "bench.h"
#include <string.h>

#define WIDTH 640
#define HEIGHT 360

typedef unsigned char plane[HEIGHT][WIDTH];

static int n_frames, n_threads;
static plane input, across, smooth, last, edges;
static unsigned histogram[64][256];
static pthread_barrier_t barrier;

static void draw_row(int y, int frame)
{
    for (int x = 0; x < WIDTH; x++)
        input[y][x] = (unsigned char)((x * y >> 5) + (x + 3 * frame) * 5 + (y ^ frame));
}

static void blur_across(int y)
{
    const unsigned char *from = input[y];
    unsigned char *to = across[y];
    to[0] = from[0];
    for (int x = 1; x < WIDTH - 1; x++)
        to[x] = (unsigned char)((from[x - 1] + 2 * from[x] + from[x + 1]) / 4);
    to[WIDTH - 1] = from[WIDTH - 1];
}

static void blur_down(int y)
{
    const unsigned char *above = across[y ? y - 1 : y], *here = across[y];
    const unsigned char *below = across[y < HEIGHT - 1 ? y + 1 : y];
    for (int x = 0; x < WIDTH; x++)
        smooth[y][x] = (unsigned char)((above[x] + 2 * here[x] + below[x]) / 4);
}

static void denoise(int y)
{
    for (int x = 0; x < WIDTH; x++) {
        int change = smooth[y][x] - last[y][x];
        if (change > -8 && change < 8)
            smooth[y][x] = (unsigned char)((smooth[y][x] + 3 * last[y][x]) / 4);
    }
    memcpy(last[y], smooth[y], WIDTH);
}

static void find_edges(int y, unsigned *counts)
{
    for (int x = 1; x < WIDTH - 1; x++) {
        int dx = smooth[y][x + 1] - smooth[y][x - 1];
        int dy = smooth[y + 1][x] - smooth[y - 1][x];
        int size = abs(dx) + abs(dy);
        edges[y][x] = (unsigned char)(size > 255 ? 255 : size);
        counts[edges[y][x]]++;
    }
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    int from = HEIGHT * id / n_threads, to = HEIGHT * (id + 1) / n_threads;
    for (int frame = 0; frame < n_frames; frame++) {
        for (int y = from; y < to; y++) {
            draw_row(y, frame);
            blur_across(y);
        }
        pthread_barrier_wait(&barrier);
        for (int y = from; y < to; y++) {
            blur_down(y);
            denoise(y);
        }
        pthread_barrier_wait(&barrier);
        for (int y = from ? from : 1; y < to && y < HEIGHT - 1; y++)
            find_edges(y, histogram[id]);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n_frames = argument(argc, argv, 1, 250);
    n_threads = argument(argc, argv, 2, 2);
    pthread_barrier_init(&barrier, NULL, n_threads);
    run_threads(n_threads, worker);
    uint64_t sum = 0;
    for (int id = 0; id < n_threads; id++)
        for (int i = 0; i < 256; i++)
            sum += (uint64_t)histogram[id][i] * (i + 1);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum = sum * 31 + edges[y][x];
    printf("video %lu\n", (unsigned long)sum);
    return 0;
}
