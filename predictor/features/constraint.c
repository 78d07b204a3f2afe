/* SPDX-License-Identifier: GPL-2.0-or-later */
/* constraint.c - which nodes a job's --constraint allows
 *
 * A recursive descent parser makes postfix code of the expression: nested
 * brackets need a stack when the code runs, not the text.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/constraint.h"

#define DEPTH_MAX 8 /* of brackets; Slurm itself has two levels */

struct parser {
	const char *at;
	struct constraint *out;
	int terms, depth;
};

static int step_add(struct parser *p, enum constraint_operation operation)
{
	if (p->out->count == 2 * CONSTRAINT_TERMS_MAX)
		return -1;
	p->out->steps[p->out->count++].operation = operation;
	return 0;
}

/* "*2" behind a term: the term excludes no node. */
static int count_parse(struct parser *p, int first_step)
{
	if (*p->at != '*')
		return 0;
	p->at++;
	if (!isdigit((unsigned char)*p->at))
		return -1;
	p->at += strspn(p->at, "0123456789");
	p->out->count = first_step;
	return step_add(p, CONSTRAINT_ANY);
}

static int feature_parse(struct parser *p)
{
	size_t length = strcspn(p->at, "&|,()[]* \t\"'");
	struct constraint_step *step = &p->out->steps[p->out->count];

	if (!length || length >= CONSTRAINT_FEATURE_SIZE ||
	    ++p->terms > CONSTRAINT_TERMS_MAX ||
	    step_add(p, CONSTRAINT_HAS) < 0)
		return -1;
	piece_copy(step->feature, sizeof(step->feature), p->at, length);
	p->at += length;
	return 0;
}

static int expression_parse(struct parser *p, bool any_of);

static int group_parse(struct parser *p)
{
	char close = *p->at == '[' ? ']' : ')';

	if (++p->depth > DEPTH_MAX)
		return -1;
	p->at++;
	if (expression_parse(p, close == ']') < 0 || *p->at != close)
		return -1;
	p->at++;
	p->depth--;
	return 0;
}

static int term_parse(struct parser *p)
{
	int first_step = p->out->count;
	int rc = *p->at == '(' || *p->at == '[' ? group_parse(p)
						: feature_parse(p);

	return rc < 0 ? -1 : count_parse(p, first_step);
}

/* In square brackets a node needs any one of the terms. */
static int expression_parse(struct parser *p, bool any_of)
{
	if (term_parse(p) < 0)
		return -1;
	while (*p->at && strchr("&|,", *p->at)) {
		bool both = *p->at++ != '|' && !any_of;

		if (term_parse(p) < 0 ||
		    step_add(p, both ? CONSTRAINT_AND : CONSTRAINT_OR) < 0)
			return -1;
	}
	return 0;
}

bool constraint_parse(const char *text, struct constraint *ret)
{
	struct parser p = { .at = text ? text : "", .out = ret };

	ret->count = 0;
	if (!*p.at)
		return true;
	if (expression_parse(&p, false) < 0 || *p.at) {
		ret->count = 0;
		return false;
	}
	return true;
}

bool constraint_list_has(const char *list, const char *word, size_t length)
{
	while (*list) {
		size_t size = strcspn(list, ",");

		if (size == length && !memcmp(list, word, length))
			return true;
		list += size + (list[size] == ',');
	}
	return false;
}

bool constraint_allows(const struct constraint *c, const char *node_features)
{
	bool stack[CONSTRAINT_TERMS_MAX] = { false };
	int top = 0; /* the parser keeps it within bounds */

	for (int i = 0; i < c->count; i++) {
		const struct constraint_step *step = &c->steps[i];

		switch (step->operation) {
		case CONSTRAINT_HAS:
			stack[top++] = constraint_list_has(
				node_features, step->feature,
				strlen(step->feature));
			break;
		case CONSTRAINT_ANY:
			stack[top++] = true;
			break;
		case CONSTRAINT_AND:
			top--;
			stack[top - 1] = stack[top - 1] && stack[top];
			break;
		case CONSTRAINT_OR:
			top--;
			stack[top - 1] = stack[top - 1] || stack[top];
			break;
		}
	}
	return top ? stack[0] : true;
}
