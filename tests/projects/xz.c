/*
 * liblzma's threaded decoder, fed 64 bytes at a time. "make": writes an .xz of several blocks,
 * with sizes in their headers, to stdout. "make bad": one bit of its second block is wrong. At the
 * end of a right file lzma_get_progress must say that all of it was read.
 */
#include <assert.h>
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT = 3000, BLOCK = 1000, PIECE = 64, ROOM = 1 << 16 };

static uint8_t file[ROOM], out[ROOM];

static size_t make(int bad)
{
    static uint8_t text[INPUT];
    unsigned chance = 1;
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_mt options = {.threads = 1, .block_size = BLOCK, .preset = 0, .check = LZMA_CHECK_CRC32};
    for (size_t i = 0; i < INPUT; i++)
        text[i] = (uint8_t)((chance = chance * 1103515245 + 12345) >> 28); /* 4 bits a byte */
    if (lzma_stream_encoder_mt(&stream, &options) != LZMA_OK)
        exit(2);
    stream.next_in = text;
    stream.avail_in = INPUT;
    stream.next_out = file;
    stream.avail_out = ROOM;
    if (lzma_code(&stream, LZMA_FINISH) != LZMA_STREAM_END)
        exit(2);
    size_t size = stream.total_out;
    lzma_end(&stream);
    if (bad)
        file[size / 3 + 80] ^= 0x10;
    return size;
}

static int decode(size_t size, uint64_t *progress)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_mt options = {
        .threads = 2, .timeout = 0, .memlimit_threading = UINT64_MAX, .memlimit_stop = UINT64_MAX};
    lzma_ret got = lzma_stream_decoder_mt(&stream, &options);
    stream.next_out = out;
    stream.avail_out = ROOM;
    stream.next_in = file;
    for (size_t at = 0; got == LZMA_OK; at += PIECE) {
        stream.avail_in = size - at < PIECE ? size - at : PIECE;
        got = lzma_code(&stream, size - at <= PIECE ? LZMA_FINISH : LZMA_RUN);
        at -= stream.avail_in;
    }
    lzma_get_progress(&stream, progress, &stream.total_out);
    lzma_end(&stream);
    return got;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "make") == 0)
        return fwrite(file, 1, make(argc > 2), stdout) == 0;
    size_t size = fread(file, 1, ROOM, stdin);
    uint64_t progress;
    int got = decode(size, &progress);
    printf("%d\n", got);
    assert(got != LZMA_STREAM_END || progress == size);
    return 0;
}
