/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology.c - the switches of a cluster, from topology.conf
 *
 * Each line becomes a switch; lines are sorted by name, so that the switches
 * below one are found by bisection; then each switch gets its parent, and
 * cycles are refused.  The first in the file counts where two switches are
 * above a leaf, or two leaves have a node, as in Slurm.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/base/compare.h"
#include "predictor/base/index.h"
#include "predictor/features/topology.h"

#define BLANKS " \t\r"

/* All nodes of the cluster, which no list has. */
#define ALL_NODES "ALL"

/* A line of the file. */
struct switch_line {
	struct topology_switch parsed;
	struct hostlist below; /* switches */
	size_t number;         /* in the file */
};

struct parser {
	uint32_t count, room;
	struct switch_line *lines;
};

static int hostlist_value_parse(const char *what, const char *value,
				struct hostlist *into, struct sp_error *err)
{
	struct sp_error why;

	/* As scontrol prints it where there is nothing. */
	if (!*value || !strcmp(value, "(null)") ||
	    !strcasecmp(value, ALL_NODES))
		return 0;
	if (into->count)
		return sp_error_set(err, "%s: given twice", what);
	if (hostlist_expand(value, into, &why))
		return sp_error_set(err, "%s: %s", what, why.text);
	return 0;
}

static int pair_parse(struct switch_line *line, const char *key,
		      const char *value, struct sp_error *err)
{
	if (!strcasecmp(key, "SwitchName")) {
		if (!*value || strlen(value) >= sizeof(line->parsed.name))
			return sp_error_set(err, "a switch's name is %s",
					    *value ? "too long" : "empty");
		strcpy(line->parsed.name, value);
		return 0;
	}
	if (!strcasecmp(key, "Nodes"))
		return hostlist_value_parse("Nodes", value, &line->parsed.nodes,
					    err);
	if (!strcasecmp(key, "Switches"))
		return hostlist_value_parse("Switches", value, &line->below,
					    err);
	return 0;
}

/* Return the next word of *text, which goes on behind it, without its quotes;
 * NULL: there is none. */
static char *next_word(char **text)
{
	char *word = *text + strspn(*text, BLANKS), *to = word, *at = word;
	bool quoted = false;

	if (!*word)
		return NULL;
	for (; *at && (quoted || !strchr(BLANKS, *at)); at++) {
		quoted ^= *at == '"';
		if (*at != '"')
			*to++ = *at;
	}
	*text = at + (*at != '\0');
	*to = '\0';
	return word;
}

/* Changes `text`. */
static int line_parse(struct switch_line *line, char *text,
		      struct sp_error *err)
{
	text[strcspn(text, "#")] = '\0';
	for (char *word; (word = next_word(&text));) {
		char *value = strchr(word, '=');

		if (!value)
			return sp_error_set(err, "%.40s: not KEY=VALUE", word);
		*value++ = '\0';
		if (pair_parse(line, word, value, err))
			return -1;
	}
	return 0;
}

static struct switch_line *line_add(struct parser *p)
{
	if (index_grow(&p->lines, &p->room, p->count, sizeof(*p->lines)))
		return NULL;

	struct switch_line *line = &p->lines[p->count++];

	*line = (struct switch_line){ .parsed.parent = TOPOLOGY_NO_PARENT };
	return line;
}

/* Return the next line of *text, which goes on behind it: with those after a
 * '\', which *number counts, too; NULL: there is none. */
static char *next_line(char **text, size_t *number)
{
	char *line = *text, *at = line;

	if (!line)
		return NULL;
	for (;; at++) {
		at += strcspn(at, "\n");
		++*number;

		char *last = at - (at > line && at[-1] == '\r') - 1;

		if (last < line || *last != '\\')
			break;
		*last = ' ';
		if (!*at)
			break;
		*at = ' ';
	}
	*text = *at ? at + 1 : NULL;
	*at = '\0';
	return line;
}

static int lines_parse(struct parser *p, char *text, struct sp_error *err)
{
	struct sp_error why;
	size_t number = 0;

	for (char *row; (row = next_line(&text, &number));) {
		struct switch_line *line = line_add(p);

		if (!line)
			return sp_error_set(err, "topology: out of memory");
		line->number = number;
		if (line_parse(line, row, &why))
			return sp_error_set(err, "topology, line %zu: %s",
					    number, why.text);
		if (!line->parsed.name[0]) {
			hostlist_clear(&line->parsed.nodes);
			hostlist_clear(&line->below);
			p->count--;
		} else if (p->count > TOPOLOGY_SWITCHES_MAX) {
			return sp_error_set(err,
					    "topology: more than %d switches",
					    TOPOLOGY_SWITCHES_MAX);
		}
	}
	return 0;
}

/* --- The tree ----------------------------------------------------------- */

COMPARE_BY_TEXT(by_name, struct switch_line, parsed.name)

static struct switch_line *line_find(struct parser *p, const char *name)
{
	struct switch_line key = { .parsed.parent = TOPOLOGY_NO_PARENT };

	strcpy(key.parsed.name, name); /* of the same size */
	return p->count
		       ? bsearch(&key, p->lines, p->count, sizeof(key), by_name)
		       : NULL;
}

static int children_link(struct parser *p, size_t parent, struct sp_error *err)
{
	const struct hostlist *below = &p->lines[parent].below;

	for (size_t i = 0; i < below->count; i++) {
		struct switch_line *child = line_find(p, below->names[i]);

		if (!child)
			return sp_error_set(err, "topology: no switch %s",
					    below->names[i]);

		size_t first = child->parsed.parent;

		if (first == TOPOLOGY_NO_PARENT ||
		    p->lines[parent].number < p->lines[first].number)
			child->parsed.parent = parent;
	}
	/* scontrol names all nodes there are below it. */
	if (below->count)
		hostlist_clear(&p->lines[parent].parsed.nodes);
	return 0;
}

static int check_cycles(const struct parser *p, struct sp_error *err)
{
	for (size_t i = 0; i < p->count; i++) {
		size_t steps = 0;

		for (size_t at = i; at != TOPOLOGY_NO_PARENT;
		     at = p->lines[at].parsed.parent)
			if (steps++ > p->count)
				return sp_error_set(
					err,
					"topology: switch %s is above itself",
					p->lines[i].parsed.name);
	}
	return 0;
}

/* A node of a leaf. */
struct leaf_node {
	char *name;
	size_t number; /* of the leaf's line */
};

static int compare_nodes(const void *a, const void *b)
{
	const struct leaf_node *x = a, *y = b;

	return strcmp(x->name, y->name) ?: COMPARE(x->number, y->number);
}

/* Drop names that were emptied. */
static void names_close_up(struct hostlist *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (*list->names[i])
			memmove(list->names[kept++], list->names[i],
				sizeof(*list->names));
	list->count = kept;
}

/* Leave each node on its first leaf only. */
static int nodes_part(struct parser *p, struct sp_error *err)
{
	size_t total = 0, used = 0;
	struct leaf_node *nodes;

	for (size_t i = 0; i < p->count; i++)
		total += p->lines[i].parsed.nodes.count;
	if (total > HOSTLIST_NAMES_MAX)
		return sp_error_set(err, "topology: more than %d nodes",
				    HOSTLIST_NAMES_MAX);
	nodes = malloc((total + 1) * sizeof(*nodes));
	if (!nodes)
		return sp_error_set(err, "topology: out of memory");
	for (size_t i = 0; i < p->count; i++)
		for (size_t j = 0; j < p->lines[i].parsed.nodes.count; j++)
			nodes[used++] = (struct leaf_node){
				p->lines[i].parsed.nodes.names[j],
				p->lines[i].number
			};
	qsort(nodes, used, sizeof(*nodes), compare_nodes);
	for (size_t i = used; i-- > 1;)
		if (!strcmp(nodes[i - 1].name, nodes[i].name))
			*nodes[i].name = '\0';
	free(nodes);
	for (size_t i = 0; i < p->count; i++)
		names_close_up(&p->lines[i].parsed.nodes);
	return 0;
}

static int tree_link(struct parser *p, struct sp_error *err)
{
	if (p->count)
		qsort(p->lines, p->count, sizeof(*p->lines), by_name);
	for (size_t i = 1; i < p->count; i++)
		if (!by_name(&p->lines[i - 1], &p->lines[i]))
			return sp_error_set(
				err, "topology: switch %s is there twice",
				p->lines[i].parsed.name);
	for (size_t i = 0; i < p->count; i++)
		if (children_link(p, i, err))
			return -1;
	return check_cycles(p, err) || nodes_part(p, err) ? -1 : 0;
}

/* Move the switches to *ret. */
static int switches_move(struct parser *p, struct topology *ret,
			 struct sp_error *err)
{
	struct topology topology = { .count = p->count };

	topology.switches = calloc(p->count + 1, sizeof(*topology.switches));
	if (!topology.switches)
		return sp_error_set(err, "topology: out of memory");
	for (size_t i = 0; i < p->count; i++) {
		topology.switches[i] = p->lines[i].parsed;
		p->lines[i].parsed.nodes = (struct hostlist){ 0 };
	}
	*ret = topology;
	return 0;
}

int topology_parse(const char *text, size_t size, struct topology *ret,
		   struct sp_error *err)
{
	struct parser p = { 0 };
	char *copy;
	int rc = -1;

	if (size > TOPOLOGY_BYTES_MAX)
		return sp_error_set(err, "topology: more than %d bytes",
				    TOPOLOGY_BYTES_MAX);
	copy = strndup(text, size);
	if (!copy)
		return sp_error_set(err, "topology: out of memory");
	if (!lines_parse(&p, copy, err) && !tree_link(&p, err))
		rc = switches_move(&p, ret, err);
	for (size_t i = 0; i < p.count; i++) {
		hostlist_clear(&p.lines[i].parsed.nodes);
		hostlist_clear(&p.lines[i].below);
	}
	free(p.lines);
	free(copy);
	return rc;
}

void topology_clear(struct topology *topology)
{
	for (size_t i = 0; i < topology->count; i++)
		hostlist_clear(&topology->switches[i].nodes);
	free(topology->switches);
	*topology = (struct topology){ 0 };
}
