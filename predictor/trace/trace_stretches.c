/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_stretches.c - what of a sampled trace can be replayed
 *
 * Each rank's stretches are listed, then those that all ranks have.  From a
 * row of stretches that follow each other, what begins without messages on
 * their way and goes up to where all have arrived is kept: a sum of hashes over
 * the keys of sends, less that over the receives', is 0 there.  A collective
 * that does not block is a message of the rank to itself.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/trace_format.h"
#include "predictor/trace/trace_stretches.h"

enum stretch_end {
	END_NONE, /* the rank died in it, or did not record it */
	END_COLLECTIVE,
	END_OF_RUN,
};

/* A stretch of one rank, or of all. */
struct stretch {
	uint64_t number;
	uint64_t hash;   /* of keys of sends, less those of receives */
	int64_t balance; /* trace_balance() before it begins */
	double work_s;
	int first, end; /* events; of one rank */
	int level;
	enum stretch_end how;
};

struct joining {
	int ranks;
	struct trace_event *const *events;
	int *counts;
	struct stretch **of; /* [ranks] */
	int *of_count;       /* [ranks] */
	int common_count;
	struct stretch *common;
	int *index; /* [common * ranks]: in `of` */
	bool *kept; /* [common] */
};

bool trace_is_sampled(int ranks, struct trace_event *const events[],
		      const int counts[])
{
	for (int r = 0; r < ranks; r++)
		for (int i = 0; i < counts[r]; i++)
			if (events[r][i].call == CALL_GAP)
				return true;
	return false;
}

/* --- Of one rank ---------------------------------------------------------- */

static uint64_t key_hash(int from, int to, const struct trace_event *e)
{
	uint64_t hash = hash_mix((uint64_t)from << 32 | (uint32_t)to);

	return hash_mix(hash +
			((uint64_t)(uint32_t)e->comm << 32 | (uint32_t)e->tag));
}

static uint64_t request_hash(int rank, const struct trace_event *e)
{
	return hash_mix(hash_mix(~(uint64_t)rank) + (uint32_t)e->peer);
}

static void stretch_add(struct stretch *s, int rank,
			const struct trace_event *e, int64_t *balance)
{
	int step = trace_balance(e);

	s->work_s += e->work_s;
	*balance += step;
	if (!step)
		return;

	uint64_t hash = trace_call_is_collective(e->call)
				? request_hash(rank, e)
			: step > 0 ? key_hash(rank, e->peer, e)
				   : key_hash(e->peer, rank, e);

	s->hash += step > 0 ? hash : -hash;
}

/* The stretch that begins at event i, and is the next one but for gaps. */
static struct stretch *stretch_begin(struct joining *j, int r,
				     const struct stretch *next, int i)
{
	struct stretch *s = &j->of[r][j->of_count[r]++];

	*s = *next;
	s->first = s->end = i;
	return s;
}

static int list_rank(struct joining *j, int r, bool whole, struct sp_error *err)
{
	const struct trace_event *events = j->events[r];
	int64_t balance = 0;
	struct stretch *s = stretch_begin(j, r, &(struct stretch){ 0 }, 0);

	for (int i = 0; i < j->counts[r]; i++) {
		const struct trace_event *e = &events[i];
		struct stretch next = { .number = s->number + 1,
					.level = s->level };

		if (e->call == CALL_GAP) {
			/* An empty one was not recorded. */
			bool replaced = s->first == s->end;

			if (e->bytes < s->number + !replaced)
				return sp_error_set(err,
						    "trace of rank %d: "
						    "stretches out of order",
						    r);
			next.number = e->bytes;
			next.level = e->level;
			next.balance = balance = e->peer;
			j->of_count[r] -= replaced;
			s = stretch_begin(j, r, &next, i + 1);
			continue;
		}
		stretch_add(s, r, e, &balance);
		s->end = i + 1;
		if (e->call == CALL_END && whole && s->level < TRACE_LEVELS)
			s->how = END_OF_RUN;
		if (!e->ends_stretch)
			continue;
		s->how = END_COLLECTIVE;
		next.balance = balance;
		s = stretch_begin(j, r, &next, i + 1);
	}
	return 0;
}

/* --- Of all --------------------------------------------------------------- */

static void list_common(struct joining *j, int at[])
{
	for (int i = 0; i < j->of_count[0]; i++) {
		struct stretch s = j->of[0][i];
		bool all = true;

		at[0] = i;
		for (int r = 1; r < j->ranks && all; r++) {
			const struct stretch *of = j->of[r];

			while (at[r] < j->of_count[r] &&
			       of[at[r]].number < s.number)
				at[r]++;
			all = at[r] < j->of_count[r] &&
			      of[at[r]].number == s.number;
			if (!all)
				break;
			of += at[r];
			s.hash += of->hash;
			s.balance += of->balance;
			s.work_s += of->work_s;
			s.level = of->level > s.level ? of->level : s.level;
			s.how = of->how == s.how ? s.how : END_NONE;
		}
		if (!all)
			continue;
		memcpy(&j->index[(size_t)j->common_count * j->ranks], at,
		       (size_t)j->ranks * sizeof(*at));
		j->common[j->common_count++] = s;
	}
}

/* Stretches from i on; returns the end of its row, of which some are kept. */
static int keep_row(struct joining *j, int i)
{
	const struct stretch *s = j->common;
	int end = i, closed;
	uint64_t hash = 0;

	while (end < j->common_count && s[end].how != END_NONE &&
	       s[end].number == s[i].number + (uint64_t)(end - i))
		end++;
	while (i < end && s[i].balance)
		i++;
	closed = i;
	for (int k = i; k < end; k++) {
		hash += s[k].hash;
		closed = hash ? closed : k + 1;
	}
	for (; i < closed; i++)
		j->kept[i] = true;
	return end;
}

/* The beginning that all recorded, with one that some did not end. */
static int count_prefix(const struct joining *j)
{
	int count = 0;

	while (count < j->common_count && !j->common[count].level &&
	       j->common[count].number == (uint64_t)count) {
		if (j->common[count++].how == END_NONE)
			break;
	}
	return count;
}

static void choose(struct joining *j)
{
	int prefix = count_prefix(j);
	double kept_s = 0, prefix_s = 0;

	for (int i = 0; i < j->common_count;) {
		int end = keep_row(j, i);

		i = end > i ? end : i + 1;
	}
	for (int i = 0; i < j->common_count; i++) {
		kept_s += j->kept[i] ? j->common[i].work_s : 0;
		prefix_s += i < prefix ? j->common[i].work_s : 0;
	}
	if (kept_s >= prefix_s)
		return;
	for (int i = 0; i < j->common_count; i++)
		j->kept[i] = i < prefix;
}

static void write_rank(struct joining *j, int r)
{
	struct trace_event *events = j->events[r];
	int count = 0;

	for (int i = 0; i < j->common_count; i++) {
		const struct stretch *s =
			&j->of[r][j->index[(size_t)i * j->ranks + r]];

		if (!j->kept[i])
			continue;
		memmove(&events[count], &events[s->first],
			(size_t)(s->end - s->first) * sizeof(*events));
		count += s->end - s->first;
		if (s->how != END_NONE)
			events[count - 1].level = (uint8_t)j->common[i].level;
	}
	if (!count || events[count - 1].call != CALL_END)
		events[count++] = (struct trace_event){ .call = CALL_END };
	j->counts[r] = count;
}

/* --- Memory --------------------------------------------------------------- */

static void joining_clear(struct joining *j)
{
	for (int r = 0; j->of && r < j->ranks; r++)
		free(j->of[r]);
	free(j->of);
	free(j->of_count);
	free(j->common);
	free(j->index);
	free(j->kept);
}

/* A rank has at most as many stretches as ends of them and gaps, and
 * one more. */
static int joining_init(struct joining *j)
{
	j->of = calloc((size_t)j->ranks, sizeof(*j->of));
	j->of_count = calloc((size_t)j->ranks, sizeof(*j->of_count));
	if (!j->of || !j->of_count)
		return -1;
	for (int r = 0; r < j->ranks; r++) {
		size_t most = 1;

		for (int i = 0; i < j->counts[r]; i++)
			most += j->events[r][i].ends_stretch ||
				j->events[r][i].call == CALL_GAP;
		j->of[r] = calloc(most, sizeof(**j->of));
		if (!j->of[r])
			return -1;
	}
	return 0;
}

static int join(struct joining *j, bool whole, int at[], struct sp_error *err)
{
	for (int r = 0; r < j->ranks; r++)
		if (list_rank(j, r, whole, err))
			return -1;

	size_t most = (size_t)j->of_count[0];

	for (int r = 1; r < j->ranks; r++)
		if ((size_t)j->of_count[r] < most)
			most = (size_t)j->of_count[r];
	j->common = calloc(most + 1, sizeof(*j->common));
	j->index = calloc((most + 1) * (size_t)j->ranks, sizeof(*j->index));
	j->kept = calloc(most + 1, sizeof(*j->kept));
	if (!j->common || !j->index || !j->kept)
		return sp_error_set(err, "out of memory for a trace");
	list_common(j, at);
	choose(j);
	for (int r = 0; r < j->ranks; r++)
		write_rank(j, r);
	return 0;
}

int trace_stretches_join(int ranks, struct trace_event *const events[],
			 int counts[], bool whole, struct sp_error *err)
{
	struct joining j = { .ranks = ranks,
			     .events = events,
			     .counts = counts };
	int *at = calloc((size_t)ranks, sizeof(*at));
	int rc = -1;

	if (!at || joining_init(&j))
		sp_error_set(err, "out of memory for a trace");
	else
		rc = join(&j, whole, at, err);
	joining_clear(&j);
	free(at);
	return rc;
}
