#include "analysis/automata.h"

#include <string.h>

static const char *const patterns[SM_PATTERNS] = {
#define SM_PATTERN(number, events, words) [(number) - 1] = events,
#include "abi/patterns.def"
};

static uint64_t firsts;               /* bits of the first events */
static uint64_t of_letter[8];         /* bits of each event */
static uint64_t lasts;                /* bits that complete a pattern */
static uint64_t bits_alone[2];        /* the rest is by the other unit; by the first unit */
static uint8_t pattern_of_bit[64];    /* from 0 */
static uint8_t start_of[SM_PATTERNS]; /* number of the first event's bit */

static unsigned index_of(struct sm_letter letter)
{
    return (unsigned)letter.other | (unsigned)letter.write << 1 | (unsigned)letter.second << 2;
}

unsigned sm_pattern_length(unsigned pattern)
{
    return (unsigned)(strlen(patterns[pattern]) + 1) / 3;
}

struct sm_letter sm_pattern_letter(unsigned pattern, unsigned event)
{
    const char *text = patterns[pattern] + 3u * event;
    return (struct sm_letter){.other = text[0] == 'r' || text[0] == 'w',
                              .write = text[0] == 'W' || text[0] == 'w',
                              .second = text[1] == 'y'};
}

static bool rest_is_by(unsigned pattern, unsigned from, bool other)
{
    for (unsigned i = from; i < sm_pattern_length(pattern); i++)
        if (sm_pattern_letter(pattern, i).other != other)
            return false;
    return from < sm_pattern_length(pattern);
}

static void add_pattern(unsigned pattern, unsigned *bit)
{
    start_of[pattern] = (uint8_t)*bit;
    firsts |= 1ul << *bit;
    for (unsigned i = 0; i < sm_pattern_length(pattern); i++, ++*bit) {
        of_letter[index_of(sm_pattern_letter(pattern, i))] |= 1ul << *bit;
        pattern_of_bit[*bit] = (uint8_t)pattern;
        if (rest_is_by(pattern, i + 1, true))
            bits_alone[0] |= 1ul << *bit;
        if (rest_is_by(pattern, i + 1, false))
            bits_alone[1] |= 1ul << *bit;
    }
    lasts |= 1ul << (*bit - 1);
}

void sm_automata_start(void)
{
    unsigned bit = 0;
    if (lasts)
        return;
    for (unsigned pattern = 0; pattern < SM_PATTERNS; pattern++)
        add_pattern(pattern, &bit);
}

/* A bit that the shift carries into the next pattern reaches its first event, which needs no event
   before it. */
uint64_t sm_automata_step(uint64_t bits, struct sm_letter letter)
{
    return bits | ((bits << 1 | firsts) & of_letter[index_of(letter)]);
}

uint64_t sm_automata_first(bool read, bool written)
{
    uint64_t bits = read ? of_letter[index_of((struct sm_letter){0})] : 0;
    if (written)
        bits |= of_letter[index_of((struct sm_letter){.write = true})];
    return bits & firsts;
}

uint32_t sm_automata_complete(uint64_t added)
{
    uint32_t complete = 0;
    for (added &= lasts; added; added &= added - 1)
        complete |= 1u << pattern_of_bit[__builtin_ctzl(added)];
    return complete;
}

bool sm_automata_alive(uint64_t bits, bool other_ended)
{
    return bits & bits_alone[other_ended];
}

uint64_t sm_automata_bit(unsigned pattern, unsigned event)
{
    return event < sm_pattern_length(pattern) ? 1ul << (start_of[pattern] + event) : 0;
}
