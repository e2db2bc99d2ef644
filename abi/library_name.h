/*
 * library_name.h - names of the C++ library as a programmer writes them, and files that are its.
 *
 * Compilers spell out what a template gets by default:
 *
 *   std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size()
 *
 * is std::string::size() to a programmer, and nobody writes "(anonymous namespace)::". The pass
 * shortens the names of variables, the driver those of functions, and both must agree. Every step
 * shortens the name, so it is done in place.
 */
#ifndef SM_ABI_LIBRARY_NAME_H
#define SM_ABI_LIBRARY_NAME_H

#include <stddef.h>
#include <string.h>

/* A header of the C++ library, of the compiler or of the system: not the user's code. */
static inline int sm_library_file(const char *path)
{
    static const char *const within[] = {"/include/c++/", "/lib/gcc/", "/lib/clang/", "/lib/llvm-"};
    if (*path != '/')
        return 0;
    if (strncmp(path, "/usr/include/", 13) == 0)
        return 1;
    for (size_t i = 0; i < sizeof within / sizeof *within; i++)
        if (strstr(path, within[i]))
            return 1;
    return 0;
}

static inline void sm_library_cut(char *at, size_t n)
{
    memmove(at, at + n, strlen(at + n) + 1);
}

/* The length of "<...>" including the closing bracket; 0 if there is none. */
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

/* What std::map and std::set are made of: "std::_Rb_tree<int, std::pair<int const, T>,
   ...>._M_impl" is std::map. */
static inline void sm_library_tree(char *name)
{
    static const char tree[] = "std::_Rb_tree<", member[] = "._M_";
    for (char *at; (at = strstr(name, tree)) != NULL;) {
        char *pair = strstr(at, "std::pair<");
        size_t n = sm_library_bracketed(at + sizeof tree - 2);
        if (n == 0)
            return;
        n += sizeof tree - 2;
        memcpy(at, pair && pair < at + n ? "std::map" : "std::set", 8);
        sm_library_cut(at + 8, n - 8);
        if (strncmp(at + 8, member, sizeof member - 1) == 0)
            at[8] = 0;
    }
}

static inline void sm_library_name(char *name)
{
    static const char *const defaults[] = {", std::allocator<", ", std::char_traits<",
                                           ", std::less<",      ", std::hash<",
                                           ", std::equal_to<",  ", std::default_delete<"};
    /* The lock policy of shared_ptr: a default. */
    static const char policy[] = "(__gnu_cxx::_Lock_policy)2";
    static const char long_string[] = "basic_string<char>", string[] = "string";
    static const char unnamed[] = "(anonymous namespace)::";
    char *at;
    while ((at = strstr(name, unnamed)) != NULL)
        sm_library_cut(at, strlen(unnamed));
    if (!strstr(name, "std::"))
        return;
    sm_library_tree(name);
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        sm_library_cut_argument(name, defaults[i]);
    while ((at = strstr(name, "::__cxx11")) != NULL)
        sm_library_cut(at, strlen("::__cxx11"));
    while ((at = strstr(name, policy)) != NULL && at - name >= 2 &&
           (at[-2] == ',' || (at[-1] == '<' && at[sizeof policy - 1] == '>')))
        sm_library_cut(at - (at[-2] == ',' ? 2 : 1), sizeof policy + 1);
    while ((at = strstr(name, " >")) != NULL)
        sm_library_cut(at, 1);
    while ((at = strstr(name, long_string)) != NULL) {
        memcpy(at, string, strlen(string));
        sm_library_cut(at + strlen(string), strlen(long_string) - strlen(string));
    }
}

#endif
