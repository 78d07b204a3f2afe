/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lessons.h - what each job log has taught, as start values for the others */
#pragma once

#include "predictor/models/mixture/mixture_start.h"

#define LESSONS_MAX 64

struct lessons {
	int count;
	struct {
		const char *name; /* of the log */
		struct mixture_start *start;
	} of[LESSONS_MAX];
};

/* Keep what the log of that name has taught. */
int lessons_keep(struct lessons *lessons, const char *name, const char *learned,
		 struct sp_error *err);

/* Return what the logs but `name` (NULL: all) have taught together, as text,
 * to be freed; NULL: there is no other, or memory ran out. */
char *lessons_of_others(const struct lessons *lessons, const char *name);

/* Write what all logs have taught. */
int lessons_write(const struct lessons *lessons, const char *path,
		  struct sp_error *err);

void lessons_clear(struct lessons *lessons);
