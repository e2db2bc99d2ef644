/*
 * status.h - exit statuses of the command, and the errors that lead to them.
 *
 * Functions that can fail return false and fill in a struct sm_error: the status the
 * command will exit with, and a text that says what happened and what to do next. Only
 * the command's main function prints it.
 */
#ifndef SM_BASE_STATUS_H
#define SM_BASE_STATUS_H

#include <stdbool.h>

enum sm_status {
    SM_STATUS_OK = 0,
    SM_STATUS_FOUND = 1,    /* a failure, a violation, an illegal witness */
    SM_STATUS_USAGE = 2,    /* the command was wrong: usage, file not found, not instrumented */
    SM_STATUS_TARGET = 3,   /* the program cannot be run, or did not finish in time */
    SM_STATUS_INTERNAL = 70 /* a bug of Stalemate */
};

struct sm_error {
    int status; /* enum sm_status */
    char text[2048];
};

/* Fills in the error; always returns false, so that callers can `return sm_fail(...)`. */
bool sm_fail(struct sm_error *error, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "stalemate: TEXT" on standard error; returns the status. */
int sm_error_print(const struct sm_error *error);

#endif
