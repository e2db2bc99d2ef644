#include "verify/states/machine.h"

#include <string.h>

#include "runtime/control.h"
#include "verify/graph/objects.h"
#include "verify/states/machine_parts.h"

static struct initials {
    uint64_t values[UINT16_MAX];
    bool full, forced;
} *initials;

/* How the program accesses each location: learnt, and kept across restarts. */
static struct location_kinds {
    bool plain[UINT16_MAX], atomic[UINT16_MAX];
    bool lied[UINT16_MAX], sequential[UINT16_MAX]; /* some accesses are weak; some are not */
    bool grew, mixed;
} *accesses;

void sm_machine_start(void)
{
    initials = sm_map(NULL, sizeof *initials);
    accesses = sm_map(NULL, sizeof *accesses);
    sm_seq_cst_start();
}

void sm_machine_clear(void)
{
    memset(initials, 0, sizeof *initials);
}

bool sm_machine_is_sc(void)
{
    return sm_option(model) == SM_MODEL_SC;
}

bool sm_machine_is_full(void)
{
    return initials->full;
}

bool sm_machine_was_forced(void)
{
    return initials->forced;
}

void sm_machine_note_forced(void)
{
    initials->forced = true;
}

void sm_machine_note_full(void)
{
    initials->full = true;
}

void sm_machine_accessed(uint16_t loc, bool atomic, bool lied)
{
    bool *seen = atomic ? &accesses->atomic[loc] : &accesses->plain[loc];
    accesses->grew |= atomic && !*seen && accesses->plain[loc];
    *seen = true;
    (lied ? accesses->lied : accesses->sequential)[loc] = true;
    accesses->mixed |= accesses->lied[loc] && accesses->sequential[loc];
}

bool sm_machine_is_mixed(void)
{
    return accesses->mixed;
}

bool sm_machine_grew(void)
{
    bool grew = accesses->grew;
    accesses->grew = false;
    return grew;
}

bool sm_machine_is_sequential(uint16_t loc)
{
    return accesses->sequential[loc];
}

bool sm_machine_is_ordered(uint16_t loc)
{
    return accesses->atomic[loc] || accesses->sequential[loc];
}

bool sm_machine_has_room(const struct sm_machine *machine)
{
    bool room = machine->n_writes < SM_MACHINE_WRITES && machine->n_objects < SM_MACHINE_OBJECTS;
    initials->full |= !room;
    return room;
}

void sm_machine_initial(uint16_t loc, uint64_t value)
{
    initials->values[loc] = value;
}

uint64_t sm_machine_initial_value(uint16_t loc)
{
    return initials->values[loc];
}

/* ---- states ---- */

void sm_machine_begin(struct sm_machine *machine)
{
    memset(machine, 0, sizeof *machine);
    machine->threads[0].node = sm_local_root();
    machine->threads[0].now.hb[0] = machine->threads[0].now.co[0] = 1;
    sm_local_at(sm_local_root())->state = 1;
}

size_t sm_machine_size(const struct sm_machine *machine)
{
    return (size_t)((const char *)&machine->writes[machine->n_writes] - (const char *)machine);
}

/* Copies only the objects and writes in use. */
void sm_machine_copy(struct sm_machine *to, const struct sm_machine *from)
{
    memcpy(to, from, offsetof(struct sm_machine, seq_cst));
    to->seq_cst.n = from->seq_cst.n;
    memcpy(to->seq_cst.at, from->seq_cst.at, from->seq_cst.n * sizeof *from->seq_cst.at);
    memcpy(to->objects, from->objects, from->n_objects * sizeof *from->objects);
    memcpy(to->writes, from->writes, from->n_writes * sizeof *from->writes);
}

typedef uint64_t __attribute__((may_alias)) word;

static uint64_t multiply(uint64_t x, uint64_t y)
{
    unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Four words an iteration, in two hashes (a, b and c, d) that do not depend on each other: what
   takes the time is the latency of the multiplications. */
static void hash_words(uint64_t hash[2], const void *from, size_t size)
{
    const uint64_t first = 0xbf58476d1ce4e5b9u, second = 0x94d049bb133111ebu;
    const word *at = from, *end = at + size / sizeof *at;
    uint64_t a = hash[0], b = hash[1], c = first, d = second;
    for (; end - at >= 4; at += 4) {
        a = multiply(a ^ at[0], at[1] ^ first);
        b = multiply(b ^ at[1], at[0] ^ second);
        c = multiply(c ^ at[2], at[3] ^ first);
        d = multiply(d ^ at[3], at[2] ^ second);
    }
    for (; at < end; at++) {
        a = multiply(a ^ *at, first);
        b = multiply(b ^ *at, second);
    }
    hash[0] = multiply(a ^ d, c ^ second);
    hash[1] = multiply(b ^ c, d ^ first);
}

/* Threads that were not created are all zero and may be left out. */
static size_t size_to_last_thread(const struct sm_machine *machine)
{
    uint32_t n = SM_MACHINE_THREADS;
    while (n > 1 && !machine->threads[n - 1].node)
        n--;
    size_t size = offsetof(struct sm_machine, threads) + n * sizeof *machine->threads;
    return (size + sizeof(word) - 1) & ~(sizeof(word) - 1);
}

/* Took two thirds of the time when all of the state was hashed, each word by a call of memcpy (the
   runtime has no builtin functions). */
void sm_machine_hash(const struct sm_machine *machine, uint64_t hash[2])
{
    hash[0] = 0x9e3779b97f4a7c15u;
    hash[1] = 0xd1b54a32d192ed03u;
    hash_words(hash, machine, size_to_last_thread(machine));
    hash_words(hash, machine->seq_cst.at, machine->seq_cst.n * sizeof *machine->seq_cst.at);
    hash_words(hash, machine->objects, machine->n_objects * sizeof *machine->objects);
    hash_words(hash, machine->writes, machine->n_writes * sizeof *machine->writes);
}
_Static_assert(sizeof(struct sm_written) % sizeof(word) == 0 &&
                   sizeof(struct sm_object_state) % sizeof(word) == 0 &&
                   sizeof(struct sm_seq_cst_access) % sizeof(word) == 0 &&
                   offsetof(struct sm_machine, objects) % sizeof(word) == 0 &&
                   offsetof(struct sm_machine, writes) % sizeof(word) == 0,
               "hashed by words");

/* ---- objects ---- */

uint64_t sm_machine_object_state(const struct sm_machine *machine, uint16_t loc)
{
    for (uint16_t i = 0; i < machine->n_objects; i++)
        if (machine->objects[i].loc == loc)
            return machine->objects[i].state;
    return initials->values[loc];
}

struct sm_object_state *sm_machine_object(struct sm_machine *machine, uint16_t loc)
{
    uint16_t i = 0;
    while (i < machine->n_objects && machine->objects[i].loc < loc)
        i++;
    struct sm_object_state *object = &machine->objects[i];
    if (i < machine->n_objects && object->loc == loc)
        return object;
    memmove(object + 1, object, (machine->n_objects++ - i) * sizeof *object);
    memset(object, 0, sizeof *object);
    object->loc = loc;
    object->state = initials->values[loc];
    return object;
}

bool sm_machine_in_block(const struct sm_machine *machine)
{
    for (uint16_t i = 0; i < machine->n_objects; i++)
        if (machine->objects[i].block)
            return true;
    return false;
}

bool sm_machine_has_ended(const struct sm_machine *machine, uint64_t thread)
{
    uint32_t node = machine->threads[thread].node;
    return node && sm_local_at(node)->kind == SM_LOCAL_END;
}

uint64_t sm_machine_argument(const struct sm_local *node, uint32_t picked)
{
    return sm_object_pick((enum sm_object_op)node->op, node->value, picked);
}

uint32_t sm_machine_candidates(const struct sm_local *node, uint64_t state)
{
    return sm_object_candidates((enum sm_object_op)node->op, state, node->value);
}

uint64_t sm_machine_operate(const struct sm_local *node, uint64_t state)
{
    enum sm_object_op op = (enum sm_object_op)node->op;
    uint64_t next, arg = sm_machine_argument(
                       node, (uint32_t)__builtin_ffs((int)sm_machine_candidates(node, state)));
    enum sm_step step = sm_object_step(op, state, arg, &next);
    if (step == SM_STEP_WAITS)
        return node->flags & SM_LOCAL_TRY ? SM_STEP_FAILS : UINT64_MAX;
    return sm_object_told(op, step, state, node->value);
}
