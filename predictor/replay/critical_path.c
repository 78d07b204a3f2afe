/* SPDX-License-Identifier: GPL-2.0-or-later */
/* critical_path.c - what the end of a replay waited for, back to its start
 *
 * From the last rank's end backwards: the work before an event, then the event
 * before.  If that waited for another rank's event, the path goes on there.
 */
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/replay/critical_path.h"

/* Parts come last first; work that follows work is one part. */
static int add_part(struct critical_path *path, uint32_t *size,
		    const struct path_part *part)
{
	struct path_part *last =
		path->count ? &path->parts[path->count - 1] : NULL;

	if (!(part->to_s > part->from_s))
		return 0;
	path->by_rank[part->rank][part->kind] += part->to_s - part->from_s;
	if (last && last->kind == part->kind && last->rank == part->rank &&
	    part->kind != PATH_TRANSFER) {
		last->from_s = part->from_s;
		return 0;
	}
	if (index_grow(&path->parts, size, (uint32_t)path->count,
		       sizeof(*path->parts)))
		return -1;
	path->parts[path->count++] = *part;
	return 0;
}

static int rank_of(const struct matched_trace *m, int event)
{
	int low = 0;
	int high = m->ranks;

	while (high - low > 1) {
		int middle = (low + high) / 2;

		if (m->first[middle] <= event)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static int last_event(const struct matched_trace *m,
		      const struct replay_step steps[])
{
	int last = m->first[1] - 1;

	for (int r = 1; r < m->ranks; r++)
		if (steps[m->first[r + 1] - 1].call_s > steps[last].call_s)
			last = m->first[r + 1] - 1;
	return last;
}

/* The work before the event, and what came before that; *event and *rank go on
 * to where the path does, event -1: to the start. */
static int walk_back(const struct matched_trace *m,
		     const struct replay_step steps[], int *event, int *rank,
		     struct critical_path *path, uint32_t *size)
{
	const struct replay_step *step = &steps[*event];
	int before = *event - 1;
	double work_s = m->events[*event].work_s;

	if (work_s > 0)
		path->procedure_s[*rank] += (step->call_s - step->begin_s) *
					    m->events[*event].procedure_s /
					    work_s;
	if (add_part(path, size,
		     &(struct path_part){ step->begin_s, step->call_s, *rank,
					  *rank, PATH_COMPUTES }))
		return -1;
	if (before < m->first[*rank]) {
		*event = -1;
		return 0;
	}

	int cause = steps[before].cause;
	struct path_part part = { steps[before].call_s, step->begin_s, *rank,
				  *rank, PATH_WAITS };

	/* Its own: a collective that it began as the last one. */
	if (cause >= 0) {
		part.from_s = steps[cause].call_s;
		part.from_rank = rank_of(m, cause);
		part.kind =
			part.from_rank == *rank ? PATH_WAITS : PATH_TRANSFER;
	}
	*event = cause >= 0 ? cause : before;
	*rank = part.from_rank;
	return add_part(path, size, &part);
}

int critical_path_find(const struct matched_trace *m,
		       const struct replay_step steps[],
		       struct critical_path *ret, struct sp_error *err)
{
	struct critical_path path = {
		.by_rank = calloc(m->ranks, sizeof(*path.by_rank)),
		.procedure_s = calloc(m->ranks, sizeof(*path.procedure_s)),
	};
	uint32_t size = 0;
	int event = last_event(m, steps);
	int rank = rank_of(m, event);
	bool failed = !path.by_rank || !path.procedure_s;

	while (!failed && event >= 0)
		failed = walk_back(m, steps, &event, &rank, &path, &size);
	if (failed) {
		critical_path_clear(&path);
		return sp_error_set(err, "out of memory for a path");
	}
	for (int i = 0; i < path.count / 2; i++) {
		struct path_part part = path.parts[i];

		path.parts[i] = path.parts[path.count - 1 - i];
		path.parts[path.count - 1 - i] = part;
	}
	*ret = path;
	return 0;
}

void critical_path_clear(struct critical_path *path)
{
	free(path->parts);
	free(path->by_rank);
	free(path->procedure_s);
	*path = (struct critical_path){ 0 };
}
