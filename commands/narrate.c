#include "commands/narrate.h"

#include <stdio.h>

#include "findings/story.h"

/* A witness that a hunt has reduced has some ten; one of a long run can have thousands, which
   nobody reads. */
enum { MOST_TOLD = 200 };

static bool tells_of_a_turn(const struct sm_record *record)
{
    return record->kind != SM_EV_FLUSH && record->kind != SM_EV_PART &&
           !(record->flags & SM_RECORD_EXTERNAL);
}

static void tell(struct sm_narration *narration, size_t i)
{
    const struct sm_record *record = &narration->witness->records[i];
    struct sm_list lines = {0};
    if (tells_of_a_turn(record) && record->thread != narration->thread) {
        sm_story_turn(narration->witness, i, &lines);
        narration->thread = record->thread;
    }
    if (sm_story_may_lie(narration->witness, i, &narration->delayed))
        narration->lies += sm_story_lie(narration->witness, i, "it", &lines);
    for (size_t k = 0; k < lines.n; k++)
        fprintf(stderr, "%s\n", lines.items[k]);
    narration->told += lines.n;
    if (narration->told >= MOST_TOLD)
        fprintf(stderr, "and more like these\n");
    sm_list_free(&lines);
}

void sm_narrate(struct sm_narration *narration, uint64_t end)
{
    const struct sm_witness *witness = narration->witness;
    while (narration->next < end && narration->next < witness->n_records &&
           narration->told < MOST_TOLD)
        tell(narration, narration->next++);
}
