/*
 * explain.h - what the witnesses of a finished hunt say about its findings.
 *
 * For a race that needs a stale value: which two lines would create the missing edge. For all
 * findings: which of them likely have one cause. One bug in a program often causes several
 * findings: a pointer that is published by a race makes every field behind it racy, and each use of
 * what it points to may fail at a line of its own.
 *
 * Two findings have one cause if one of these holds:
 *   object    they are races inside of one object of the user's
 *   pointer   in the witness of the one, a race on the other shows a pointer into the heap block
 *             that the one is about (a failure of memory: into any block)
 *   publication  the reader of the one has seen a store of the other, which should have ordered
 *             them
 *   failure   the failure under sc is that of the race's witness: same kind, same place
 *   block     both access blocks that were freed in one function, and allocated at one place if
 *             both are known
 * The finding to read first is the one whose pointer leads to the others; else a failure that needs
 * no race; else the race with the strongest model, of these the one that publishes. The others stay
 * findings, with a reference to it: each is listed, because it may be a second bug.
 */
#ifndef SM_HUNT_EXPLAIN_H
#define SM_HUNT_EXPLAIN_H

#include "findings/hunt.h"
#include "hunt/investigations.h"

/* The races of the report are the investigations, in their order. */
void sm_findings_explain(struct sm_hunt_report *report,
                         const struct sm_investigations *investigations);

#endif
