/*
 * stalemate.h - what a program can tell Stalemate about itself.
 *
 * In a program that is not built with `stalemate cc` everything here compiles to nothing: arguments
 * are type-checked, never evaluated, and stalemate_choose is 0. In one that is, but runs without
 * `stalemate`, they do nothing either, except that the detect flavour heeds happens_before,
 * happens_after and benign. C and C++.
 *
 *   stalemate_assume(c)             drop this execution unless c holds
 *   stalemate_choose(n)             a value 0..n-1; `stalemate verify` tries each
 *   stalemate_outcome(fmt, ...)     add a line to the execution's outcome (printf's formats)
 *   stalemate_happens_before(p)     what I did so far happens before what comes after the
 *   stalemate_happens_after(p)      next stalemate_happens_after(p) of another thread
 *   stalemate_benign(p, size, why)  races on these bytes are meant; do not report them
 *   stalemate_atomic_set(p, size, name)   these bytes belong together: to the set `name`
 *   stalemate_unit_begin(p)         a unit of work on the object at p begins, and ends
 *   stalemate_unit_end(p)
 */
#ifndef STALEMATE_H
#define STALEMATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define STALEMATE_PRINTF_ __attribute__((__format__(__printf__, 1, 2)))
#else
#define STALEMATE_PRINTF_
#endif

#ifdef __STALEMATE__

void stalemate_assume(int condition);
unsigned stalemate_choose(unsigned n);
void stalemate_outcome(const char *format, ...) STALEMATE_PRINTF_;
void stalemate_happens_before(const volatile void *p);
void stalemate_happens_after(const volatile void *p);
void stalemate_benign(const volatile void *p, size_t size, const char *why);
void stalemate_atomic_set(const volatile void *p, size_t size, const char *name);
void stalemate_unit_begin(const volatile void *p);
void stalemate_unit_end(const volatile void *p);

#else

/* Never defined: used only in unevaluated operands, to check the arguments. */
int stalemate_check_condition_(int condition);
int stalemate_check_number_(unsigned n);
int stalemate_check_format_(const char *format, ...) STALEMATE_PRINTF_;
int stalemate_check_pointer_(const volatile void *p);
int stalemate_check_range_(const volatile void *p, size_t size, const char *text);

#define stalemate_assume(c) ((void)sizeof(stalemate_check_condition_(!!(c))))
#define stalemate_choose(n) ((unsigned)(0 * sizeof(stalemate_check_number_(n))))
#define stalemate_outcome(...) ((void)sizeof(stalemate_check_format_(__VA_ARGS__)))
#define stalemate_happens_before(p) ((void)sizeof(stalemate_check_pointer_(p)))
#define stalemate_happens_after(p) ((void)sizeof(stalemate_check_pointer_(p)))
#define stalemate_benign(p, size, why) ((void)sizeof(stalemate_check_range_(p, size, why)))
#define stalemate_atomic_set(p, size, name) ((void)sizeof(stalemate_check_range_(p, size, name)))
#define stalemate_unit_begin(p) ((void)sizeof(stalemate_check_pointer_(p)))
#define stalemate_unit_end(p) ((void)sizeof(stalemate_check_pointer_(p)))

#endif

#ifdef __cplusplus
}
#endif

#endif
