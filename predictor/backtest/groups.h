/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - the jobs of a backtest, by what they have in common */
#pragma once

#include "predictor/backtest/backtest.h"
#include "predictor/features/application.h"

struct group {
	char label[APPLICATION_NAME_SIZE]; /* "user 17", "exe4" */
	const size_t *positions; /* of its jobs, as backtest_measure() takes */
	size_t count;
};

struct groups {
	struct group *of; /* those of most jobs first */
	size_t count;
	size_t *positions;
};

/* What jobs can be grouped by. */
struct grouping {
	const char *name; /* "user" */
	/* What jobs of a group have in common; NULL: their user id. */
	const char *(*text)(const struct subject *subject);
};

extern const struct grouping groupings[]; /* ends without a name */

const struct grouping *grouping_find(const char *name); /* NULL: none such */

/* Group the jobs that are measured.  Fails when memory ran out. */
int groups_make(const struct grouping *grouping,
		const struct backtest *backtest, struct groups *ret,
		struct sp_error *err);
void groups_clear(struct groups *groups); /* frees */
