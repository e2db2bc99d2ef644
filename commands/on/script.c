#include "commands/on/tasks.h"

#include "base/write.h"
#include "campaign/campaign.h"

static void print_task(const struct sm_on *on, size_t i, struct sm_buffer *to)
{
    const char *out = on->settings->out ? on->settings->out : SM_OUT_DEFAULT;
    sm_buffer_text(to, "stalemate");
    sm_on_add_options(on, to);
    if (sm_on_is_verify(on))
        sm_buffer_print(to, " --parcels %s.parcels", out);
    else
        sm_buffer_print(to, " --shard %zu/%zu --out %s.shard-%zu", i, on->n, out, i);
    sm_on_add_operands(on, to);
    sm_buffer_text(to, "\n");
}

bool sm_on_print_script(struct sm_on *on)
{
    struct sm_buffer text = {0};
    const char *out = on->settings->out ? on->settings->out : SM_OUT_DEFAULT;
    sm_buffer_print(&text, "# %zu tasks, each on a machine of its own\n", on->n);
    for (size_t i = 1; i <= on->n; i++)
        print_task(on, i, &text);
    if (sm_on_is_verify(on)) {
        sm_buffer_text(&text, "# each of them has the result, as has the same command later\n");
    } else {
        sm_buffer_text(&text, "# when all are over, where their directories are\n");
        sm_buffer_print(&text, "stalemate merge --out %s", out);
        for (size_t i = 1; i <= on->n; i++)
            sm_buffer_print(&text, " %s.shard-%zu", out, i);
        sm_buffer_text(&text, "\n");
    }
    bool ok = sm_write_text(&text, "-", &on->error);
    sm_buffer_free(&text);
    return ok;
}
