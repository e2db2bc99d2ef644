#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

bool sm_fail(struct sm_error *error, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    error->status = status;
    return false;
}

int sm_error_print(const struct sm_error *error)
{
    fflush(stdout);
    fprintf(stderr, "stalemate: %s\n", error->text);
    return error->status;
}
