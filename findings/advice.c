/*
 * advice.c - see advice.h. One function for each observation.
 */
#include "findings/advice.h"

#include <string.h>

typedef const struct sm_advice_facts *F;

static bool freed(F facts)
{
    return facts->first.freed || facts->second.freed;
}

static bool half_atomic(F facts)
{
    return facts->first.atomic || facts->second.atomic;
}

/* Calls that use an object or a descriptor are atomic accesses of it; those that create or destroy
   it are plain writes. */
static bool ended(F facts)
{
    return facts->first.by_call && facts->second.by_call && half_atomic(facts);
}

/* "Shape._vptr$Shape": where objects of a class with virtual functions have their table. */
static bool class_changes(F facts)
{
    return strstr(facts->variable, "_vptr$");
}

static bool special_pointer(F facts)
{
    return facts->by_special_pointer;
}

static bool just_volatile(F facts)
{
    return facts->first.is_volatile || facts->second.is_volatile;
}

static bool same_lock(F facts)
{
    for (uint32_t i = 0; i < facts->first.n_locks; i++)
        for (uint32_t j = 0; j < facts->second.n_locks; j++)
            if (facts->first.locks[i] == facts->second.locks[j])
                return true;
    return false;
}

static bool different_locks(F facts)
{
    return facts->first.n_locks && facts->second.n_locks;
}

static bool one_lock(F facts)
{
    return facts->first.n_locks || facts->second.n_locks;
}

static bool published(F facts)
{
    return facts->first.write && !facts->second.write && facts->allocated_by != SM_UNKNOWN_THREAD &&
           facts->allocated_by == facts->first.thread;
}

static bool written_late(F facts)
{
    return facts->second.parent == facts->first.thread && facts->first.write;
}

static bool not_joined(F facts)
{
    return facts->first.parent == facts->second.thread;
}

static bool flag(F facts)
{
    return facts->first.write != facts->second.write;
}

static bool anything(F facts)
{
    (void)facts;
    return true;
}

const char *sm_advice(const struct sm_advice_facts *facts)
{
    static const struct {
        bool (*holds)(F facts);
        const char *text;
    } all[] = {
#define SM_ADVICE(observation, text) {observation, text},
#include "findings/advice.def"
    };
    size_t i = 0;
    while (!all[i].holds(facts))
        i++;
    return all[i].text;
}

size_t sm_advice_pointer(const char *variable, const char **start)
{
    size_t length = strlen(variable);
    const char *arrow = strstr(variable, "->");
    *start = variable;
    if (*variable == '*') {
        *start = variable + 1;
        return length - 1;
    }
    if (arrow)
        return (size_t)(arrow - variable);
    return length > 2 && strcmp(variable + length - 2, "[]") == 0 ? length - 2 : 0;
}
