#include "findings/race.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void sm_access_free(struct sm_access *access)
{
    sm_place_free(&access->place);
    sm_stack_free(&access->stack);
    sm_stack_free(&access->created);
    sm_stack_free(&access->member.region);
    for (uint32_t i = 0; i < access->n_locks; i++) {
        free(access->locks[i].name);
        sm_stack_free(&access->locks[i].taken);
    }
    free(access->locks);
    *access = (struct sm_access){.parent = SM_UNKNOWN_THREAD};
}

void sm_data_race_free(struct sm_data_race *race)
{
    free(race->variable);
    free(race->advice);
    sm_access_free(&race->first);
    sm_access_free(&race->second);
    sm_stack_free(&race->block.allocated);
    *race = (struct sm_data_race){0};
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_place(const struct sm_access *a, const struct sm_access *b)
{
    return same_text(a->place.file, b->place.file) && a->place.line == b->place.line &&
           a->place.column == b->place.column;
}

bool sm_race_is_same(const struct sm_data_race *a, const struct sm_data_race *b)
{
    return strcmp(a->variable, b->variable) == 0 &&
           ((same_place(&a->first, &b->first) && same_place(&a->second, &b->second)) ||
            (same_place(&a->first, &b->second) && same_place(&a->second, &b->first)));
}

void sm_races_found_add(struct sm_races_found *races, struct sm_data_race *race)
{
    for (size_t i = 0; i < races->n; i++)
        if (sm_race_is_same(&races->items[i], race)) {
            races->items[i].count += race->count;
            sm_data_race_free(race);
            return;
        }
    races->items = sm_resize(races->items, (races->n + 1) * sizeof *races->items);
    races->items[races->n++] = *race;
    races->items[races->n - 1].id = races->n;
    *race = (struct sm_data_race){0};
}

void sm_races_found_free(struct sm_races_found *races)
{
    for (size_t i = 0; i < races->n; i++)
        sm_data_race_free(&races->items[i]);
    free(races->items);
    *races = (struct sm_races_found){0};
}
