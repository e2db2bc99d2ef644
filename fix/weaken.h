/*
 * weaken.h - which memory orders are stronger than the program needs?
 *
 * Each atomic access and each fence of the user's files is tried with weaker orders, the weakest
 * first, with the others as found so far; the first under which the program is still judged correct
 * (fix/judge.h) is kept. Only a proof by verify counts: a hunt that finds nothing says nothing
 * about an order. So the result is minimal, place by place, for this test: a weaker order at any
 * one place fails, with the witness that is kept for it.
 *
 * Places are visited in the order of files and lines. Another order may lead to another minimal
 * result.
 */
#ifndef SM_FIX_WEAKEN_H
#define SM_FIX_WEAKEN_H

#include <jansson.h>
#include <stdio.h>

#include "abi/repair.h"
#include "base/options.h"

/* An order that is too weak. */
struct sm_too_weak {
    uint8_t order; /* enum sm_order */
    char *why;
    char *witness; /* path; NULL: a race is left, and no execution under sc was found that shows
                      it */
};

enum { SM_WEAKER_ORDERS = 4 };
struct sm_weakened {
    struct sm_repair repair; /* ORDER at its place; `order` is the result */
    uint8_t before;          /* enum sm_order: as the program has it */
    uint8_t kind;            /* enum sm_site_kind */
    char *variable;          /* "" of a fence */
    struct sm_too_weak too_weak[SM_WEAKER_ORDERS];
    size_t n_too_weak;
};

struct sm_weakening {
    char *const *target;
    struct sm_weakened *places;
    size_t n_places;
    size_t unexecuted; /* places that this test does not execute, and that are left out */
    unsigned judgements;
    double seconds;
};

/* Files of judgements are kept in the directory, which exists. False: an error; also if verify does
   not prove the program unchanged. */
bool sm_weaken(const struct sm_settings *settings, const char *directory,
               struct sm_weakening *weakening, struct sm_error *error);
void sm_weakening_free(struct sm_weakening *weakening);
/* The places whose order was changed, as repairs, to be freed; *n of them. */
struct sm_repair *sm_weakening_repairs(const struct sm_weakening *weakening, size_t *n);

void sm_weakening_print(const struct sm_weakening *weakening, FILE *to);
json_t *sm_weakening_json(const struct sm_weakening *weakening);

/* What `stalemate fix --weaken` does: weakens, prints, writes JSON. Returns an exit status. */
int sm_weaken_command(const struct sm_settings *settings);

#endif
