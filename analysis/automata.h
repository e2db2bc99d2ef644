/*
 * automata.h - the fourteen race automata of one tuple, in one word.
 *
 * A tuple is two units of work and one or two locations; its automata record how much of each
 * pattern of abi/patterns.def has been seen. Each has one bit for each event of its pattern: set
 * when the pattern has been seen up to and including that event, with anything in between. That is
 * 51 bits, and an event advances all automata at once:
 *
 *     bits |= (bits << 1 | every first bit) & the bits of this event
 *
 * which is the bit-parallel search for a subsequence; bits are only ever added. (The paper
 * keeps a count of three bits for each automaton; this takes nine bits more and no loop.)
 *
 * Units and locations are defined in tuples.h.
 */
#ifndef SM_ANALYSIS_AUTOMATA_H
#define SM_ANALYSIS_AUTOMATA_H

#include <stdbool.h>
#include <stdint.h>

enum { SM_PATTERNS = 14, SM_PATTERN_EVENTS = 4 };

/* One of eight events: unit, kind, location. */
struct sm_letter {
    bool other; /* by the second unit */
    bool write;
    bool second; /* of the second location */
};

/* Computes the tables from patterns.def; before anything else. */
void sm_automata_start(void);

uint64_t sm_automata_step(uint64_t bits, struct sm_letter letter);

/* The first events of patterns that the first unit has made on the first location. */
uint64_t sm_automata_first(bool read, bool written);

/* The patterns that newly added bits complete, bit i for number i + 1. */
uint32_t sm_automata_complete(uint64_t added);

/* Can any pattern still be completed, if the other unit (`other_ended`), or else the first, has
   ended? */
bool sm_automata_alive(uint64_t bits, bool other_ended);

/* The bit of the pattern's event number i, from 0; 0 after its last. */
uint64_t sm_automata_bit(unsigned pattern, unsigned event);
unsigned sm_pattern_length(unsigned pattern);
struct sm_letter sm_pattern_letter(unsigned pattern, unsigned event);

#endif
