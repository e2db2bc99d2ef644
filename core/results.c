#include "core/results.h"

#include <errno.h>

#include "base/sys.h"

enum result_style { RESULT_ERROR, RESULT_ERRNO, RESULT_THRD };

static const struct {
    const char *name;
    enum result_style style;
} calls[] = {
#define SM_RESULT(name, style) {#name, RESULT_##style},
#include "core/results.def"
};

static const char *error_name(int number)
{
    switch (number) {
    case EPERM:
        return "EPERM";
    case ESRCH:
        return "ESRCH";
    case EINTR:
        return "EINTR";
    case EAGAIN:
        return "EAGAIN";
    case ENOMEM:
        return "ENOMEM";
    case EBUSY:
        return "EBUSY";
    case EINVAL:
        return "EINVAL";
    case ENOSYS:
        return "ENOSYS";
    case EDEADLK:
        return "EDEADLK";
    case EOVERFLOW:
        return "EOVERFLOW";
    case ENOTSUP:
        return "ENOTSUP";
    case ENOTRECOVERABLE:
        return "ENOTRECOVERABLE";
    default:
        return "an error";
    }
}

void sm_result_describe(enum sm_result_of call, int64_t result, int number, const char *object,
                        char *to, size_t room)
{
    *to = 0;
    if (result == 0 || call >= SM_RESULTS)
        return;
    if (calls[call].style == RESULT_ERROR)
        number = (int)result;
    if (calls[call].style == RESULT_ERROR && number == EOWNERDEAD) /* the lock was acquired */
        return;
    bool named = calls[call].style != RESULT_THRD;
    sm_format(to, room, "%s%s%s fails%s%s, and the program does not look at the result",
              calls[call].name, *object ? " of " : "", object, named ? " with " : "",
              named ? error_name(number) : "");
}
