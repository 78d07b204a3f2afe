/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_snapshot.c - snapshots from whoever answers
 *
 * The text is read as a whole, and again as if it followed on a snapshot that
 * is known.  What was parsed is in order and can be read back.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/rank.h"

static const char known[] =
	"snapshot 4 a1 7 0 1000 tiny\n"
	"n n1 0 9000 9000 9000 10 0 10000 500 1000 50 400\n"
	"n n3 1 5000 - - 10 0 10000 500 1000000 50000 400\n"
	"p 0 1 1000 1000\n"
	"j 0000000000000011 2 2 2 0 0 60 1000 1 5000 100 10 0 0 0 0 0 zU\n"
	"end 4\n";

static void rank_all(const struct snapshot *s)
{
	struct rank_candidate candidates[8];
	struct rank_request request = { .snapshot = s,
					.candidates = candidates,
					.nodes = 2,
					.blocks = true };
	uint32_t chosen[2];
	struct rank_result result;
	void *scratch;

	for (; request.count < 8 && request.count < s->node_count;
	     request.count++)
		candidates[request.count] = (struct rank_candidate){
			.node = request.count,
			.place = request.count,
			.leaf = SNAPSHOT_NONE,
		};
	if (s->job_count)
		request.model = &s->jobs[0].model;
	if (request.model)
		request.tasks_per_node = request.model->tasks / 2;
	scratch = malloc(rank_scratch_size(request.count));
	assert(scratch);
	if (!rank_choose(&request, scratch, chosen, &result))
		assert(chosen[0] < chosen[1] && chosen[1] < request.count);
	free(scratch);
}

static void read_after(struct snapshot *before, const char *text, size_t size)
{
	struct sp_error err = { "" };
	struct snapshot *s = NULL;

	if (snapshot_read(text, size, before, &s, &err)) {
		assert(err.text[0] && !s);
		return;
	}
	for (uint32_t i = 0; i < s->node_count; i++)
		assert(snapshot_node(s, s->nodes[i].name) == i);
	for (uint32_t i = 1; i < s->job_count; i++)
		assert(s->jobs[i - 1].id < s->jobs[i].id);
	rank_all(s);
	snapshot_put(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct snapshot *before;

	if (!before) {
		int rc = snapshot_read(known, strlen(known), NULL, &before,
				       NULL);

		assert(!rc);
	}
	read_after(NULL, (const char *)data, size);
	read_after(before, (const char *)data, size);
	return 0;
}
