/*
 * prints.h - what threads print, in every order in which they can print it.
 *
 * A run follows its graph in any order that its events allow (run/schedule.c), so the text that it
 * leaves may be in an order that no execution has. Therefore a run notes the pieces of the text:
 * each call that prints makes one, after so many events of its thread. A piece comes before another
 * one if they are of one thread, or if the event that follows it must happen before the event that
 * precedes the other (sm_order_past). A graph has the outcome of each total order of its pieces
 * that keeps to that: printing is no event, and orders nothing. One execution may so have several
 * outcomes, and counts for each.
 */
#ifndef SM_VERIFY_RESULTS_PRINTS_H
#define SM_VERIFY_RESULTS_PRINTS_H

#include <stdbool.h>
#include <stdint.h>

void sm_prints_start(void); /* once */
void sm_prints_begin(void); /* before each execution */
/* The running thread is about to print. */
void sm_prints_note(void);
/* Another thread runs. */
void sm_prints_switch(uint32_t from);
/* The execution is complete: adds its outcomes (outcomes.h). Returns the number of one. */
uint32_t sm_prints_add_outcomes(void);

#endif
