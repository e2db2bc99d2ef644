#include "witness/place.h"

#include <stdlib.h>

#include "base/memory.h"

struct sm_place sm_place_copy(const struct sm_place *place)
{
    struct sm_place copy = *place;
    copy.file = sm_copy_text(place->file);
    copy.function = sm_copy_text(place->function);
    copy.module = sm_copy_text(place->module);
    return copy;
}

void sm_place_free(struct sm_place *place)
{
    free(place->file);
    free(place->function);
    free(place->module);
    *place = (struct sm_place){0};
}

void sm_stack_add(struct sm_stack *stack, struct sm_place frame)
{
    stack->frames = sm_resize(stack->frames, (stack->n + 1) * sizeof *stack->frames);
    stack->frames[stack->n++] = frame;
}

void sm_stack_free(struct sm_stack *stack)
{
    for (uint32_t i = 0; i < stack->n; i++)
        sm_place_free(&stack->frames[i]);
    free(stack->frames);
    *stack = (struct sm_stack){0};
}
