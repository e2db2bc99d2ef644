#include "base/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool is_runnable_file(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

static bool find_in_path(const char *name, char path[PATH_MAX])
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        char *candidate = sm_print("%.*s%s%s", (int)length, at, length ? "/" : "./", name);
        bool found = is_runnable_file(candidate) && realpath(candidate, path);
        free(candidate);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

bool sm_find_program(const char *name, char path[PATH_MAX], struct sm_error *error)
{
    struct stat file;
    if (!strchr(name, '/')) {
        if (find_in_path(name, path))
            return true;
        return access(name, F_OK) == 0
                   ? sm_fail(error, SM_STATUS_USAGE,
                             "%s: not found in PATH; for the one here type: ./%s", name, name)
                   : sm_fail(error, SM_STATUS_USAGE, "%s: not found in PATH", name);
    }
    if (!realpath(name, path) || stat(path, &file) != 0)
        return sm_fail(error, SM_STATUS_USAGE, "%s: %s", name, strerror(errno));
    if (S_ISDIR(file.st_mode))
        return sm_fail(error, SM_STATUS_USAGE, "%s: is a directory, not a program", name);
    if (access(path, X_OK) != 0)
        return sm_fail(error, SM_STATUS_USAGE, "%s: not executable; try: chmod +x %s", name, name);
    return true;
}
