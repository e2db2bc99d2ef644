/*
 * library_name.h - names of the C++ library as a programmer writes them.
 *
 * Compilers spell out what a template gets by default:
 *
 *   std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size()
 *
 * is std::string::size() to everybody. The pass shortens the names of variables, the driver
 * those of functions, and both must say the same. Every step makes the name shorter, so it
 * is done in place.
 */
#ifndef SM_ABI_LIBRARY_NAME_H
#define SM_ABI_LIBRARY_NAME_H

#include <stddef.h>
#include <string.h>

static inline void sm_library_cut(char *at, size_t n)
{
    memmove(at, at + n, strlen(at + n) + 1);
}

/* Of "<...>": the length up to and including the bracket that closes it; 0 if none does. */
static inline size_t sm_library_bracketed(const char *open)
{
    size_t depth = 0;
    for (size_t i = 0; open[i]; i++) {
        depth += open[i] == '<';
        if (open[i] == '>' && --depth == 0)
            return i + 1;
    }
    return 0;
}

static inline void sm_library_cut_argument(char *name, const char *argument)
{
    size_t before = strlen(argument) - 1, n;
    for (char *at; (at = strstr(name, argument)) != NULL; sm_library_cut(at, before + n))
        if ((n = sm_library_bracketed(at + before)) == 0)
            return;
}

static inline void sm_library_name(char *name)
{
    static const char *const defaults[] = {", std::allocator<", ", std::char_traits<",
                                           ", std::less<",      ", std::hash<",
                                           ", std::equal_to<",  ", std::default_delete<"};
    static const char long_string[] = "basic_string<char>", string[] = "string";
    char *at;
    if (!strstr(name, "std::"))
        return;
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        sm_library_cut_argument(name, defaults[i]);
    while ((at = strstr(name, "::__cxx11")) != NULL)
        sm_library_cut(at, strlen("::__cxx11"));
    while ((at = strstr(name, " >")) != NULL)
        sm_library_cut(at, 1);
    while ((at = strstr(name, long_string)) != NULL) {
        memcpy(at, string, strlen(string));
        sm_library_cut(at + strlen(string), strlen(long_string) - strlen(string));
    }
}

#endif
