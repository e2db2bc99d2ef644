/*
 * findings.h - what `detect`, `verify` and `atomicity` found, in one form for all printers.
 *
 * A race of a hunt has more (a verdict, rates, a story), and a struct of its own (hunt.h). The
 * other commands leave JSON in a store, with an array of findings, listed in findings.def; here
 * each becomes a name, a sentence and places.
 */
#ifndef SM_FINDINGS_FINDINGS_H
#define SM_FINDINGS_FINDINGS_H

#include "findings/hunt.h"

enum sm_finding_rule {
#define SM_FINDING(name, command, key, level, bad, title, help) SM_FINDING_##name,
#include "findings/findings.def"
    SM_FINDING_RULES
};

struct sm_rule {
    const char *command, *key, *level;
    bool bad;
    const char *title, *help;
};
extern const struct sm_rule sm_finding_rules[];

struct sm_finding {
    enum sm_finding_rule rule;
    char *name;    /* the variable, the kind of failure, the atomic set */
    char *message; /* what happened, and what to do; may have several lines */
    char *id;      /* made of names only: it stays the same when lines move */
    struct sm_access *accesses;
    size_t n_accesses;
    char *witness; /* or NULL */
};

struct sm_findings_list {
    char *summary; /* "3 executions, complete" */
    struct sm_finding *items;
    size_t n;
};

/* False if there is no rule for the command of the JSON. */
bool sm_findings_parse(const json_t *json, struct sm_findings_list *list);
void sm_findings_free(struct sm_findings_list *list);
bool sm_findings_bad(const struct sm_findings_list *list);
/* "detect/race" */
char *sm_finding_rule_id(enum sm_finding_rule rule);
json_t *sm_finding_json(const struct sm_finding *finding);
void sm_findings_text(const struct sm_findings_list *list, bool color, FILE *to);

#endif
