/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.c - the jobs of a backtest, by what they have in common */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/groups.h"

static int compare_users(const struct subject *a, const struct subject *b)
{
	return a->user_id < b->user_id ? -1 : a->user_id > b->user_id;
}

static void label_user(const struct subject *subject,
		       char ret[APPLICATION_NAME_SIZE])
{
	snprintf(ret, APPLICATION_NAME_SIZE, "user %u", subject->user_id);
}

static int compare_applications(const struct subject *a,
				const struct subject *b)
{
	return strcmp(a->application->name, b->application->name);
}

static void label_application(const struct subject *subject,
			      char ret[APPLICATION_NAME_SIZE])
{
	const char *name = subject->application->name;

	snprintf(ret, APPLICATION_NAME_SIZE, "%s", *name ? name : "(unknown)");
}

static int compare_partitions(const struct subject *a, const struct subject *b)
{
	return strcmp(a->partition, b->partition);
}

static void label_partition(const struct subject *subject,
			    char ret[APPLICATION_NAME_SIZE])
{
	snprintf(ret, APPLICATION_NAME_SIZE, "%s",
		 *subject->partition ? subject->partition : "(unknown)");
}

static int compare_qos(const struct subject *a, const struct subject *b)
{
	return strcmp(a->qos, b->qos);
}

static void label_qos(const struct subject *subject,
		      char ret[APPLICATION_NAME_SIZE])
{
	snprintf(ret, APPLICATION_NAME_SIZE, "%s",
		 *subject->qos ? subject->qos : "(unknown)");
}

const struct grouping groupings[] = {
	{ "user", compare_users, label_user },
	{ "application", compare_applications, label_application },
	{ "partition", compare_partitions, label_partition },
	{ "qos", compare_qos, label_qos },
	{ NULL, NULL, NULL },
};

const struct grouping *grouping_find(const char *name)
{
	for (const struct grouping *g = groupings; g->name; g++)
		if (strcmp(g->name, name) == 0)
			return g;
	return NULL;
}

struct group_sorting {
	const struct grouping *grouping;
	const struct past_job *jobs;
};

static int compare_positions(const void *a, const void *b, void *context)
{
	const struct group_sorting *s = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int order =
		s->grouping->compare(&s->jobs[x].subject, &s->jobs[y].subject);

	return order ? order : x < y ? -1 : x > y;
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->label, y->label);
}

/* Split `count` sorted positions. */
static void groups_split(struct group_sorting *s, size_t count,
			 struct groups *groups)
{
	for (size_t i = 0; i < count; i++) {
		const size_t *position = &groups->positions[i];
		const struct subject *subject = &s->jobs[*position].subject;

		if (i == 0 ||
		    s->grouping->compare(&s->jobs[position[-1]].subject,
					 subject) != 0) {
			struct group *new = &groups->of[groups->count++];

			s->grouping->label(subject, new->label);
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
