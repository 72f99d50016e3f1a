/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a hypothesis inherits. Recording a refuted one anew, as a refinement or a replacement, does
 * not shake off what stands against it: that holds until the newer one has a later positive fact
 * that two people stand for.
 *
 * The walk goes from a hypothesis to those that it refines or replaces. Along a path the newest
 * answer counts, so that one number goes with it. An edge is walked again only with a lower number,
 * which also ends circles.
 */
#include "hypothesis_private.h"

#include <opledger/json.h>

#include "array.h"
#include "world_private.h"

#define EDGES_MAX 4096 /* a chain longer than this is not decided, so that nothing is allowed */

/* From a hypothesis to one that it refines or replaces. */
struct edge {
    const struct opl_fold *child;
    const struct opl_fold *parent;
    int64_t answered;
};

struct chain {
    struct opl_weigh *weigh;
    struct edge *edges; /* those before `next` are walked */
    size_t edge_count;
    size_t edge_size;
    const struct opl_fold **incidents;
    size_t incident_count;
    size_t incident_size;
};

static void chain_close(struct chain *chain)
{
    free(chain->edges);
    free(chain->incidents);
}

static bool is_walked(const struct chain *chain, const struct edge *edge)
{
    for (size_t i = 0; i < chain->edge_count; i++) {
        const struct edge *other = &chain->edges[i];

        if (other->child == edge->child && other->parent == edge->parent &&
            other->answered <= edge->answered)
            return true;
    }
    return false;
}

static bool add_edge(struct chain *chain, const struct edge *edge, struct opl_err *err)
{
    struct edge *items;

    if (is_walked(chain, edge))
        return true;
    if (chain->edge_count >= EDGES_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "%s refines or replaces too many others",
                        edge->child->id);
    items = opl_array_room(chain->edges, chain->edge_count, &chain->edge_size, sizeof *items, err);
    if (items == NULL)
        return false;
    chain->edges = items;
    items[chain->edge_count++] = *edge;
    return true;
}

static bool mark_incident(struct chain *chain, const struct opl_fold *incident, bool *fresh,
                          struct opl_err *err)
{
    const struct opl_fold **items;

    *fresh = false;
    for (size_t i = 0; i < chain->incident_count; i++) {
        if (chain->incidents[i] == incident)
            return true;
    }
    items = opl_array_room(chain->incidents, chain->incident_count, &chain->incident_size,
                           sizeof *items, err);
    if (items == NULL)
        return false;
    chain->incidents = items;
    items[chain->incident_count++] = incident;
    *fresh = true;
    return true;
}

/* Only a closing says what replaces it, and it stands with the one that is closed. */
static bool bring_in(struct chain *chain, const char *incident_id, struct opl_err *err)
{
    struct opl_world *world = chain->weigh->world;
    const struct opl_fold *incident, *hyp;
    bool fresh;

    if (chain->weigh->view->held_only)
        return true;
    if (!opl_world_find(world, incident_id, &incident, err))
        return false;
    if (incident == NULL)
        return true;
    if (!mark_incident(chain, incident, &fresh, err))
        return false;
    for (size_t i = 0; fresh && i < incident->fact_count; i++) {
        if (opl_fact_is(&incident->facts[i], "hypothesis.recorded") &&
            !opl_world_find(world, incident->facts[i].id, &hyp, err))
            return false;
    }
    return true;
}

static bool add_refined(struct chain *chain, const struct opl_fold *child, int64_t answered,
                        struct opl_err *err)
{
    const struct opl_fact *creation = opl_fold_creation(child);
    const char *refines = creation == NULL ? NULL : opl_json_str(creation->body, "refines");
    struct edge edge = {child, NULL, answered};

    if (refines == NULL)
        return true;
    if (!opl_world_find(chain->weigh->world, refines, &edge.parent, err))
        return false;
    if (edge.parent == NULL)
        return opl_fail(err, OPL_E_LOG, "%s refines %s, which the log does not hold", child->id,
                        refines);
    return add_edge(chain, &edge, err);
}

/* Adds the edges that leave one hypothesis; what it answers itself is not asked of it again. */
static bool leave(struct chain *chain, const struct opl_fold *child, int64_t answered,
                  struct opl_err *err)
{
    struct edge edge = {child, NULL, answered};
    size_t at = 0;
    int64_t own;

    if (!opl_weigh_answer(chain->weigh, child, &own, err))
        return false;
    edge.answered = own > answered ? own : answered;
    if (!add_refined(chain, child, edge.answered, err) || !bring_in(chain, child->on, err))
        return false;
    while ((edge.parent = opl_world_replaced(chain->weigh->world, child->id, &at)) != NULL) {
        if (!add_edge(chain, &edge, err))
            return false;
    }
    return true;
}

bool opl_weigh_inherited(struct opl_weigh *weigh, const struct opl_fold *fold, struct opl_err *err)
{
    OPL_CLEANUP(chain_close) struct chain chain = {.weigh = weigh};

    if (!leave(&chain, fold, -1, err))
        return false;
    for (size_t next = 0; next < chain.edge_count; next++) {
        const struct edge edge = chain.edges[next]; /* a copy: the array moves */

        if (!opl_weigh_blocks(weigh, edge.parent, edge.child->id, edge.answered, err) ||
            !leave(&chain, edge.parent, edge.answered, err))
            return false;
    }
    return true;
}
