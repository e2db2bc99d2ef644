/*
 * report.h - reporting: each race once, as soon as it is found, and counts at exit.
 *
 * A finding is a race between two places in the code; the same pair found again is only counted. It
 * is reported as soon as it is found, for the program may not live to its end: as text on standard
 * error or, if `stalemate detect` started the program, as JSON to the descriptor it gave (finding.h
 * has the format).
 */
#ifndef SM_NATIVE_REPORT_H
#define SM_NATIVE_REPORT_H

#include <stdint.h>

void sm_reports_init(char **environment);
/* Prints the summary at exit. Returns the exit status that the findings ask for, or -1: the
   program's own. Only a process that reported races itself (not the one that forked it) asks for
   one, and only if `stalemate detect` does not read the findings. */
int sm_reports_finish(void);

/* In the child of a fork: earlier findings are the parent's. */
void sm_reports_forked(void);

/* Text goes to this descriptor or, if there is a path, to the file PATH.PID. */
void sm_reports_to(int fd, const char *path);
const char *sm_reports_path(void);

struct sm_detected_harm;
/* A harm was found: shows it unless it is known. Under the lock. */
void sm_harm_found(const struct sm_detected_harm *harm);

struct sm_site;
/* Unknown inline assembly was executed: its place is printed at exit. */
void sm_report_unknown_asm(const struct sm_site *site);

/* While held, the histories of ended threads are not freed. */
void sm_reports_lock(void);
void sm_reports_unlock(void);

#endif
