/*
 * report.h - races that were found: each told once, at once, and all of them at the end.
 *
 * A finding is a race between two places of the code; the same pair found again is only
 * counted. It is printed on standard error as soon as it is found, for the program may not
 * live to its end, and, when `stalemate detect` started the program, written to the
 * descriptor it gave (finding.h has the format).
 */
#ifndef SM_NATIVE_REPORT_H
#define SM_NATIVE_REPORT_H

#include <stdint.h>

void sm_reports_init(char **environment);
/* Prints what is told at the end. Returns the exit status that reports ask for, or -1: races were
   reported by this process, not by the one that forked it, and nobody else reads the findings. */
int sm_reports_finish(void);

/* In the child of a fork: what was found before is the parent's. */
void sm_reports_forked(void);

/* People are told by this descriptor; or, if there is a path, in the file PATH.PID. */
void sm_reports_to(int fd, const char *path);
const char *sm_reports_path(void);

struct sm_detected_harm;
/* A harm was noticed: it is shown unless it is known. Under the lock. */
void sm_harm_found(const struct sm_detected_harm *harm);

struct sm_site;
/* Inline assembly that is not understood was met: its place is told at the end. */
void sm_report_unknown_asm(const struct sm_site *site);

/* While held, the histories of ended threads stay. */
void sm_reports_lock(void);
void sm_reports_unlock(void);

#endif
