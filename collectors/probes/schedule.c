/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.c - which nodes probe each other in which slot
 *
 * schedule_create() sorts the nodes, builds a vertex for each switch that has
 * nodes below it, bottom up, with groups in between where there are too many
 * children, and stores for each vertex the nodes below it.  schedule_turn()
 * finds the level that plays in a slot, the round of the tournament there
 * (circle method), and which node plays for each child.  Immutable once made:
 * no lock.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/probes/schedule.h"

#define NONE UINT32_MAX

/* Vertices 0 to count - 1 are the nodes, in the order of their names; others
 * follow, children before parents, the root last. */
struct vertex {
	uint32_t parent;
	uint32_t place;                 /* among the parent's children */
	uint32_t height;                /* 0: a node */
	uint32_t children, children_at; /* in schedule.children */
	uint32_t nodes, nodes_at;       /* below it, in schedule.below */
};

struct schedule {
	size_t count; /* of nodes */
	char (*names)[HOSTLIST_NAME_SIZE];
	size_t vertices_count, vertices_room;
	struct vertex *vertices;
	size_t children_count, below_count;
	uint32_t *children;
	uint32_t *below; /* nodes, those of a vertex side by side */
	uint32_t root;
};

/* --- The tree ------------------------------------------------------------- */

/* A parent for `count` vertices; a single one needs none. */
static uint32_t vertex_join(struct schedule *s, const uint32_t *children,
			    size_t count)
{
	uint32_t made = (uint32_t)s->vertices_count;
	struct vertex *v = &s->vertices[made];

	if (count == 1)
		return children[0];
	s->vertices_count++;
	*v = (struct vertex){
		.parent = NONE,
		.children = (uint32_t)count,
		.children_at = (uint32_t)s->children_count,
	};
	for (size_t i = 0; i < count; i++) {
		struct vertex *child = &s->vertices[children[i]];

		s->children[s->children_count++] = children[i];
		child->parent = made;
		child->place = (uint32_t)i;
		if (child->height >= v->height)
			v->height = child->height + 1;
	}
	return made;
}

/* The same, with groups in between where there are more than `max`; all groups
 * are of nearly the same size.  Overwrites `children`. */
static uint32_t vertices_join(struct schedule *s, uint32_t *children,
			      size_t count, size_t max)
{
	while (count > max) {
		size_t groups =
			(count + SCHEDULE_GROUP_MAX - 1) / SCHEDULE_GROUP_MAX;

		for (size_t g = 0; g < groups; g++) {
			size_t from = g * count / groups;
			size_t to = (g + 1) * count / groups;

			children[g] =
				vertex_join(s, children + from, to - from);
		}
		count = groups;
		max = SCHEDULE_GROUP_MAX;
	}
	return vertex_join(s, children, count);
}

/* Puts the nodes below `at` in a row. */
static void nodes_collect(struct schedule *s, uint32_t at)
{
	struct vertex *v = &s->vertices[at];

	v->nodes_at = (uint32_t)s->below_count;
	if (v->height == 0)
		s->below[s->below_count++] = at;
	for (uint32_t i = 0; i < v->children; i++)
		nodes_collect(s, s->children[v->children_at + i]);
	v->nodes = (uint32_t)s->below_count - v->nodes_at;
}

/* --- Switches ------------------------------------------------------------- */

struct builder {
	struct schedule *s;
	const struct topology *topology;
	/* Lists, that end with NONE: for each switch the first switch below it,
	 * for that the next, and for each switch the first node. */
	uint32_t *first, *next;
	uint32_t *first_node, *next_node;
	uint32_t *list; /* children being joined, a stack */
	size_t used;
};

/* Nodes that no leaf has hang on an own switch, the last. */
static void place_nodes(struct builder *b)
{
	const struct topology *t = b->topology;
	uint32_t *switch_of = b->list; /* not in use yet */

	for (size_t i = 0; i < b->s->count; i++)
		switch_of[i] = (uint32_t)t->count;
	for (size_t i = 0; i < t->count; i++)
		for (size_t j = 0; j < t->switches[i].nodes.count; j++) {
			size_t node = schedule_find(
				b->s, t->switches[i].nodes.names[j]);

			if (node != SIZE_MAX)
				switch_of[node] = (uint32_t)i;
		}
	for (size_t i = 0; i <= t->count; i++)
		b->first_node[i] = NONE;
	/* From the last, so that the lists are in the order of the names. */
	for (size_t i = b->s->count; i-- > 0;) {
		b->next_node[i] = b->first_node[switch_of[i]];
		b->first_node[switch_of[i]] = (uint32_t)i;
	}
}

static void link_switches(struct builder *b)
{
	const struct topology *t = b->topology;

	for (size_t i = 0; i <= t->count; i++)
		b->first[i] = b->next[i] = NONE;
	/* Those without a parent are the children of the last. */
	for (size_t i = t->count; i-- > 0;) {
		size_t parent = t->switches[i].parent;

		if (parent == TOPOLOGY_NO_PARENT)
			parent = t->count;
		b->next[i] = b->first[parent];
		b->first[parent] = (uint32_t)i;
	}
}

static void push_nodes(struct builder *b, uint32_t at)
{
	for (uint32_t i = b->first_node[at]; i != NONE; i = b->next_node[i])
		b->list[b->used++] = i;
}

/* Replaces what was pushed after `mark`, if anything, by what joins it. */
static void join_pushed(struct builder *b, size_t mark, size_t max)
{
	if (b->used == mark)
		return;
	b->list[mark] =
		vertices_join(b->s, b->list + mark, b->used - mark, max);
	b->used = mark + 1;
}

/* Pushes the vertex of what is below switch `at`, if there is anything. */
static void build_switch(struct builder *b, uint32_t at)
{
	size_t mark = b->used;
	bool is_root = at == b->topology->count;

	for (uint32_t i = b->first[at]; i != NONE; i = b->next[i])
		build_switch(b, i);
	if (b->used == mark) {
		push_nodes(b, at);
		join_pushed(b, mark,
			    is_root ? SCHEDULE_GROUP_MAX : SCHEDULE_LEAF_MAX);
		return;
	}

	size_t nodes = b->used;

	push_nodes(b, at);
	join_pushed(b, nodes, SCHEDULE_GROUP_MAX);
	join_pushed(b, mark, SCHEDULE_GROUP_MAX);
}

static int tree_build(struct schedule *s, const struct topology *topology)
{
	static const struct topology flat;
	struct builder b = { .s = s, .topology = topology ? topology : &flat };
	size_t switches = b.topology->count;
	int rc = -1;

	b.first = calloc(switches + 1, sizeof(*b.first));
	b.next = calloc(switches + 1, sizeof(*b.next));
	b.first_node = calloc(switches + 1, sizeof(*b.first_node));
	b.next_node = calloc(s->count + 1, sizeof(*b.next_node));
	b.list = calloc(s->count + switches + 1, sizeof(*b.list));
	if (b.first && b.next && b.first_node && b.next_node && b.list) {
		place_nodes(&b);
		link_switches(&b);
		build_switch(&b, (uint32_t)switches);
		s->root = b.used ? b.list[0] : NONE;
		if (s->root != NONE)
			nodes_collect(s, s->root);
		rc = 0;
	}
	free(b.first);
	free(b.next);
	free(b.first_node);
	free(b.next_node);
	free(b.list);
	return rc;
}

/* --- Nodes ---------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strverscmp(a, b);
}

static int copy_names(struct schedule *s, const struct hostlist *nodes)
{
	size_t all = nodes->count;

	s->names = calloc(all + 1, sizeof(*s->names));
	if (!s->names)
		return -1;
	if (all) {
		memcpy(s->names, nodes->names, all * sizeof(*s->names));
		qsort(s->names, all, sizeof(*s->names), by_name);
	}
	for (size_t i = 0; i < all; i++)
		if (!i || strcmp(s->names[s->count - 1], s->names[i]) != 0)
			memmove(s->names[s->count++], s->names[i],
				sizeof(*s->names));
	return 0;
}

static int make_room(struct schedule *s)
{
	/* Every vertex but the nodes has two children at least. */
	s->vertices_room = 2 * s->count + 1;
	s->vertices = calloc(s->vertices_room, sizeof(*s->vertices));
	s->children = calloc(s->vertices_room, sizeof(*s->children));
	s->below = calloc(s->count + 1, sizeof(*s->below));
	if (!s->vertices || !s->children || !s->below)
		return -1;
	for (size_t i = 0; i < s->count; i++)
		s->vertices[i].parent = NONE;
	s->vertices_count = s->count;
	return 0;
}

struct schedule *schedule_create(const struct hostlist *nodes,
				 const struct topology *topology,
				 struct sp_error *err)
{
	struct schedule *s = calloc(1, sizeof(*s));

	if (!s || copy_names(s, nodes) || make_room(s) ||
	    tree_build(s, topology)) {
		sp_error_set(err, "schedule of %zu nodes: out of memory",
			     nodes->count);
		schedule_destroy(s);
		return NULL;
	}
	return s;
}

void schedule_destroy(struct schedule *s)
{
	if (!s)
		return;
	free(s->names);
	free(s->vertices);
	free(s->children);
	free(s->below);
	free(s);
}

size_t schedule_count(const struct schedule *s)
{
	return s->count;
}

const char *schedule_name(const struct schedule *s, size_t node)
{
	return s->names[node];
}

size_t schedule_find(const struct schedule *s, const char *name)
{
	char(*found)[HOSTLIST_NAME_SIZE] =
		s->count ? bsearch(name, s->names, s->count, sizeof(*s->names),
				   by_name)
			 : NULL;

	return found ? (size_t)(found - s->names) : SIZE_MAX;
}

/* --- Turns ---------------------------------------------------------------- */

static uint32_t levels(const struct schedule *s)
{
	return s->root == NONE ? 0 : s->vertices[s->root].height;
}

/* Rounds in which all pairs of n players meet once. */
static uint32_t rounds(uint32_t n)
{
	return n % 2 ? n : n - 1;
}

/* The circle method: in round r those meet whose places add up to r, modulo the
 * number of rounds m, which is odd.  The node that is left over, with i + i =
 * r, meets the last one if n is even.  NONE: no opponent. */
static uint32_t opponent(uint32_t n, uint32_t i, uint32_t r)
{
	uint32_t m = rounds(n);

	if (i == m) /* the last one of an even number */
		return (uint32_t)((uint64_t)r * ((m + 1) / 2) % m);

	uint32_t j = (r + m - i) % m;

	if (j != i)
		return j;
	return n % 2 ? NONE : m;
}

static uint64_t common_multiple(uint64_t p, uint64_t q)
{
	uint64_t a = p, b = q;

	assert(p && q);
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return p / a * q;
}

/* Return the node that plays for the child at `place`.  All do in turn; each
 * time that the same two would meet again, the upper side moves on by one, so
 * that all pairs meet in the end. */
static uint32_t representative(const struct schedule *s,
			       const struct vertex *parent, uint32_t place,
			       uint32_t other, uint64_t tournament)
{
	const uint32_t *children = s->children + parent->children_at;
	const struct vertex *child = &s->vertices[children[place]];
	uint64_t turn = tournament;

	if (place > other)
		turn += tournament /
			common_multiple(child->nodes,
					s->vertices[children[other]].nodes);
	return s->below[child->nodes_at + turn % child->nodes];
}

bool schedule_turn(const struct schedule *s, size_t node, uint64_t slot,
		   struct schedule_turn *ret)
{
	uint32_t depth = levels(s);
	uint32_t at = (uint32_t)node;

	if (node >= s->count || !depth)
		return false;

	uint32_t height = 1 + (uint32_t)(slot % depth);
	uint64_t round = slot / depth;

	while (s->vertices[at].parent != NONE &&
	       s->vertices[s->vertices[at].parent].height < height)
		at = s->vertices[at].parent;
	if (s->vertices[at].parent == NONE)
		return false;

	const struct vertex *parent = &s->vertices[s->vertices[at].parent];
	uint32_t place = s->vertices[at].place;

	if (parent->height != height)
		return false;

	uint32_t m = rounds(parent->children);
	uint32_t other =
		opponent(parent->children, place, (uint32_t)(round % m));

	if (other == NONE ||
	    representative(s, parent, place, other, round / m) != node)
		return false;
	*ret = (struct schedule_turn){
		.partner = representative(s, parent, other, place, round / m),
		.begins = place < other,
	};
	return true;
}

size_t schedule_levels(const struct schedule *s)
{
	return levels(s);
}

void schedule_level(const struct schedule *s, size_t level,
		    struct schedule_level *ret)
{
	*ret = (struct schedule_level){ 0 };
	for (size_t i = s->count; i < s->vertices_count; i++) {
		size_t n = s->vertices[i].children;

		if (s->vertices[i].height != level + 1)
			continue;
		ret->vertices++;
		ret->pairs += n * (n - 1) / 2;
		if (n > ret->children_max)
			ret->children_max = n;
	}
	if (ret->children_max)
		ret->period = (uint64_t)levels(s) *
			      rounds((uint32_t)ret->children_max);
}
