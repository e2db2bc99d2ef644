/*
 * library.h - a library as its header declares it: its functions, what each takes and returns, and
 * which of them creates the object that the others operate on.
 *
 * reading.c fills it in by libclang; roles.c decides the role of each function by types, names and
 * options; combinations.c and writer.c make a test from it. See docs/harness.md for the rules.
 */
#ifndef SM_HARNESS_LIBRARY_H
#define SM_HARNESS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"

enum {
    SM_HARNESS_VALUES = 6, /* STALEMATE_MOST_VALUES of stalemate_harness.h */
    SM_HARNESS_THREADS = 6,
    SM_HARNESS_CALLS = 6, /* of one thread */
    SM_NO_FUNCTION = -1,
};

enum sm_parameter_kind {
    SM_PARAMETER_UNKNOWN, /* nothing can be passed */
    SM_PARAMETER_OBJECT,
    SM_PARAMETER_NUMBER, /* integer, enumeration or bool */
    SM_PARAMETER_STRING, /* const char * */
    SM_PARAMETER_IN,     /* pointer to const number */
    SM_PARAMETER_OUT,    /* pointer to a number */
    SM_PARAMETER_OUT_POINTER,
    SM_PARAMETER_PAYLOAD,    /* void *: stored, never dereferenced */
    SM_PARAMETER_RECORD,     /* struct, by value */
    SM_PARAMETER_RECORD_IN,  /* reading.c: pointer to const struct of numbers */
    SM_PARAMETER_RECORD_OUT, /* pointer to a struct of numbers, which is filled in */
    SM_PARAMETER_NODE,       /* pointer to a struct of the caller, which may be kept */
    SM_PARAMETER_RESOURCE,   /* what a function it needs has returned */
};

/* Which numbers a parameter gets. */
enum sm_domain {
    SM_DOMAIN_VALUE, /* a different one in each call */
    SM_DOMAIN_KEY,   /* 1 or 2: calls must meet */
    SM_DOMAIN_INDEX, /* 0 or 1 */
    SM_DOMAIN_ZERO,  /* 0: a time limit */
};

struct sm_parameter {
    enum sm_parameter_kind kind;
    enum sm_domain domain;
    char *name;            /* "": the header gives none */
    char *type;            /* as it is spelled */
    char *pointee;         /* of a pointer: without const */
    bool boolean;          /* what it points to, or is */
    bool complete;         /* record: its size is known */
    bool constant;         /* a pointer to const */
    struct sm_list fields; /* record: those that are numbers or pointers */
};

struct sm_callable {
    char *name, *declaration;
    struct sm_parameter result; /* kind UNKNOWN: cannot be compared; type "void": none */
    struct sm_parameter *parameters;
    size_t n;
    char *why_not; /* why it cannot be called; NULL: it can */
    bool variadic;
    /* roles.c: */
    bool operates; /* part of the test */
    bool queries;  /* changes nothing */
    int needs, reuses;
    int waits_for;   /* blocks until that function is called; or SM_NO_FUNCTION */
    unsigned tokens; /* calls of it that do not wait */
    bool may_fail;
};

struct sm_library {
    const char *header;
    bool cxx;
    struct sm_callable *functions;
    size_t n;
    char *object; /* type of the object, without const; NULL: the state is global */
    bool object_complete;
    int create, destroy;    /* or SM_NO_FUNCTION */
    bool create_fills;      /* it is given memory, and does not return the object */
    bool create_by_pointer; /* it stores the object where its first argument points */
};

/* Reads HEADER, the first operand; the rest are options for the compiler. */
bool sm_library_read(struct sm_library *library, const struct sm_settings *settings,
                     struct sm_error *error);
/* Finds the role of each function. Prints on stderr what is left out, and why. */
bool sm_library_roles(struct sm_library *library, const struct sm_settings *settings,
                      struct sm_error *error);
void sm_library_free(struct sm_library *library);

int sm_library_find(const struct sm_library *library, const char *name); /* or SM_NO_FUNCTION */
bool sm_callable_has_results(const struct sm_callable *function);

#endif
