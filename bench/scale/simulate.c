/*
 * simulate: how long a campaign takes on many nodes, some of which die and some of which are slow.
 *
 * Nodes take shards from one queue, as a batch system hands out the tasks of a job array. A shard
 * takes the time of its profiling and of its slice, up to a quarter more or less. A tenth of the
 * nodes die at some moment of the first half; the shard that a node was at is handed out again, and
 * goes on behind the last batch that was stored (the store is on a shared disk) or begins anew (it
 * was on the node's). One node in twenty is ten times slower. The work is that of 10,000 nodes for
 * an hour. Arithmetic only: nothing is executed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

struct node {
    double free_at, dies_at, slowness;
};

struct scenario {
    size_t nodes, shards;
    double slice, profiling; /* seconds */
    bool deaths, stragglers, shared;
};

struct result {
    double makespan, busy;
    size_t repeated;
};

static double fraction(struct sm_random *random)
{
    return (double)(sm_random_next(random) % 1000000) / 1e6;
}

/* The node that is free first: a heap by free_at. */
static void sink(struct node *nodes, size_t n, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && nodes[child + 1].free_at < nodes[child].free_at)
            child++;
        if (nodes[i].free_at <= nodes[child].free_at)
            return;
        struct node moved = nodes[i];
        nodes[i] = nodes[child];
        nodes[child] = moved;
    }
}

static struct node *make_nodes(const struct scenario *scenario, struct sm_random *random)
{
    struct node *nodes = sm_new(scenario->nodes * sizeof *nodes);
    double hour = scenario->slice * (double)scenario->shards / (double)scenario->nodes;
    for (size_t i = 0; i < scenario->nodes; i++)
        nodes[i] = (struct node){
            .dies_at = scenario->deaths && i % 10 == 3 ? fraction(random) * hour / 2 : INFINITY,
            .slowness = scenario->stragglers && i % 20 == 7 ? 10 : 1};
    return nodes;
}

/* Seconds of the shard that are left to do after this node has had it; 0: it is done. */
static double work(const struct scenario *scenario, struct node *node, double left,
                   struct result *result)
{
    double takes = (scenario->profiling + left) * node->slowness;
    double until = node->free_at + takes;
    if (until <= node->dies_at) {
        node->free_at = until;
        result->busy += takes;
        if (until > result->makespan)
            result->makespan = until;
        return 0;
    }
    double had = node->dies_at > node->free_at ? node->dies_at - node->free_at : 0;
    result->busy += had;
    result->repeated++;
    node->free_at = INFINITY;
    double done = had / node->slowness - scenario->profiling;
    return scenario->shared && done > 0 ? left - done : left;
}

static struct result simulate(const struct scenario *scenario)
{
    struct sm_random random = sm_random_seed(1, scenario->shards);
    struct node *nodes = make_nodes(scenario, &random);
    double *queue = sm_new((scenario->shards + scenario->nodes) * sizeof *queue);
    size_t n = scenario->shards;
    struct result result = {0};
    for (size_t i = 0; i < n; i++)
        queue[i] = scenario->slice * (0.75 + 0.5 * fraction(&random));
    for (size_t i = 0; i < n; i++) {
        double left = work(scenario, &nodes[0], queue[i], &result);
        sink(nodes, scenario->nodes, 0);
        if (left > 0)
            queue[n++] = left;
    }
    free(queue);
    free(nodes);
    return result;
}

static void show(const char *what, struct scenario scenario, double ideal)
{
    struct result result = simulate(&scenario);
    printf("| %s | %zu | %.2f | %.2f | %zu |\n", what, scenario.shards / scenario.nodes,
           result.makespan / ideal, result.busy / (ideal * (double)scenario.nodes),
           result.repeated);
}

int main(void)
{
    const double ideal = 3600;
    const size_t nodes = 10000, per_node[] = {1, 4, 16};
    printf(
        "| %zu nodes, one hour of work each | shards a node | time | CPU | shards handed out again "
        "|\n| --- | --- | --- | --- | --- |\n",
        nodes);
    for (size_t i = 0; i < 3; i++) {
        struct scenario all = {.nodes = nodes,
                               .shards = nodes * per_node[i],
                               .slice = ideal / (double)per_node[i],
                               .profiling = 5};
        show("nothing happens", all, ideal);
        all.deaths = true;
        show("a tenth of the nodes die, stores on the node", all, ideal);
        all.shared = true;
        show("a tenth of the nodes die, stores on a shared disk", all, ideal);
        all.stragglers = true;
        show("and one in twenty is ten times slower", all, ideal);
    }
    return 0;
}
