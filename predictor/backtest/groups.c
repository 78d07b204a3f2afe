/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.c - the jobs of a backtest, by what they have in common */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/groups.h"
#include "predictor/base/compare.h"

static const char *application_of(const struct subject *subject)
{
	return subject->application->name;
}

static const char *partition_of(const struct subject *subject)
{
	return subject->partition;
}

static const char *qos_of(const struct subject *subject)
{
	return subject->qos;
}

const struct grouping groupings[] = {
	{ "user", NULL },
	{ "application", application_of },
	{ "partition", partition_of },
	{ "qos", qos_of },
	{ NULL, NULL },
};

const struct grouping *grouping_find(const char *name)
{
	for (const struct grouping *g = groupings; g->name; g++)
		if (strcmp(g->name, name) == 0)
			return g;
	return NULL;
}

static int subjects_compare(const struct grouping *g, const struct subject *a,
			    const struct subject *b)
{
	return g->text ? strcmp(g->text(a), g->text(b))
		       : COMPARE(a->user_id, b->user_id);
}

static void subject_label(const struct grouping *g, const struct subject *s,
			  char ret[APPLICATION_NAME_SIZE])
{
	const char *text = g->text ? g->text(s) : "";

	if (g->text)
		snprintf(ret, APPLICATION_NAME_SIZE, "%s",
			 *text ? text : "(unknown)");
	else
		snprintf(ret, APPLICATION_NAME_SIZE, "user %u", s->user_id);
}

struct group_sorting {
	const struct grouping *grouping;
	const struct past_job *jobs;
};

static int compare_positions(const void *a, const void *b, void *context)
{
	const struct group_sorting *s = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return subjects_compare(s->grouping, &s->jobs[x].subject,
				&s->jobs[y].subject)
		       ?: COMPARE(x, y);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return COMPARE(y->count, x->count) ?: strcmp(x->label, y->label);
}

/* Split `count` sorted positions. */
static void groups_split(struct group_sorting *s, size_t count,
			 struct groups *groups)
{
	for (size_t i = 0; i < count; i++) {
		const size_t *position = &groups->positions[i];
		const struct subject *subject = &s->jobs[*position].subject;

		if (i == 0 ||
		    subjects_compare(s->grouping,
				     &s->jobs[position[-1]].subject, subject)) {
			struct group *new = &groups->of[groups->count++];

			subject_label(s->grouping, subject, new->label);
			new->positions = position;
			new->count = 0;
		}
		groups->of[groups->count - 1].count++;
	}
	qsort(groups->of, groups->count, sizeof(*groups->of), compare_groups);
}

int groups_make(const struct grouping *grouping, const struct backtest *b,
		struct groups *ret, struct sp_error *err)
{
	struct group_sorting sorting = { grouping, b->jobs };
	struct groups groups = {
		.of = calloc(b->count + 1, sizeof(*groups.of)),
		.positions = calloc(b->count + 1, sizeof(*groups.positions)),
	};
	size_t count = 0;

	if (!groups.of || !groups.positions) {
		groups_clear(&groups);
		return sp_error_set(err, "out of memory");
	}
	for (size_t i = 0; i < b->count; i++)
		if (b->measured[i])
			groups.positions[count++] = i;
	qsort_r(groups.positions, count, sizeof(*groups.positions),
		compare_positions, &sorting);
	groups_split(&sorting, count, &groups);
	*ret = groups;
	return 0;
}

void groups_clear(struct groups *groups)
{
	free(groups->of);
	free(groups->positions);
	memset(groups, 0, sizeof(*groups));
}
