/*
 * events.h - how events of a witness are shown, in every format.
 *
 * The page, SARIF, the Chrome trace and the DOT graph draw the same execution; the names of events,
 * which ones matter and which are surprising are decided here.
 */
#ifndef SM_REPORT_EVENTS_H
#define SM_REPORT_EVENTS_H

#include "checker/check.h"
#include "findings/story.h"
#include "report/results.h"

/* "write data = 42" */
void sm_event_label(const struct sm_witness *witness, size_t i, struct sm_buffer *to);
/* The newest store, if the event is a read that saw another; else n_records. */
size_t sm_event_missed(const struct sm_witness *witness, size_t i);
/* The store a read saw; n_records if it is none of the events, or the event does not read. */
size_t sm_event_source(const struct sm_witness *witness, size_t i);
/* The same for a read that may be composed of several stores; returns how many. */
enum { SM_EVENT_SOURCES = 8 };
size_t sm_event_sources(const struct sm_witness *witness, size_t i,
                        size_t sources[SM_EVENT_SOURCES]);
/* What is surprising about a read: "not the newest value", "a value from the future"; or NULL. */
const char *sm_event_surprise(const struct sm_witness *witness, size_t i);
uint32_t sm_event_threads(const struct sm_witness *witness);
/* The edges of happens-before besides program order. */
void sm_event_edges(const struct sm_witness *witness, sm_edge_seen *see, void *context);
/* Each store and the next one of its location in modification order. */
void sm_event_modification_order(const struct sm_witness *witness, sm_edge_seen *see,
                                 void *context);

/* Each witness of the results that can be read, with "PROGRAM: VARIABLE". */
typedef void sm_witness_seen(void *context, const char *title, const struct sm_witness *witness);
void sm_results_each_witness(const struct sm_results *results, sm_witness_seen *see, void *context);

#endif
