/* SPDX-License-Identifier: GPL-2.0-or-later */
/* constraint.h - which nodes a job's --constraint allows
 *
 * The expression names features of nodes: "a&b", "a|b", "(a&b)|c", "[a|b]",
 * "a*2&b*4".  Read from left to right without precedence, as slurmctld does.
 * What is evaluated is one node at a time: whether it may be among the nodes
 * of the job.
 *
 *	[a|b]   all nodes have the same of these: a node with either may be one
 *	[a&b]   some nodes have a, others b: as above
 *	a*2     at least two nodes have it: any node may be one, so it excludes
 *	        none
 *
 * An expression that is not understood allows all nodes.
 */
#pragma once

#include <stdbool.h>

#define CONSTRAINT_TERMS_MAX    32
#define CONSTRAINT_FEATURE_SIZE 64

/* A step of a machine with a stack of truth values. */
struct constraint_step {
	enum constraint_operation {
		CONSTRAINT_HAS, /* push whether the node has `feature` */
		CONSTRAINT_ANY, /* push true */
		CONSTRAINT_AND, /* pop two, push one */
		CONSTRAINT_OR,
	} operation;
	char feature[CONSTRAINT_FEATURE_SIZE];
};

struct constraint {
	int count; /* 0: all nodes are allowed */
	struct constraint_step steps[2 * CONSTRAINT_TERMS_MAX];
};

/* NULL or empty: all nodes.  Returns whether `text` was understood. */
bool constraint_parse(const char *text, struct constraint *ret);

/* Return whether a node with these features, "a,b,c", may be among
 * the job's. */
bool constraint_allows(const struct constraint *constraint,
		       const char *node_features);

/* Return whether a list "a,b,c" has the word of `length` bytes. */
bool constraint_list_has(const char *list, const char *word, size_t length);
