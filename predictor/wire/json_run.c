/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_run.c - a run, and what one node saw of it, as messages */
#include <math.h>

#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

struct json_object *wire_run_encode(const struct run *run)
{
	return fields_encode(run_fields, run);
}

/* Checks over several fields. */
static int run_check(const struct run *run, struct sp_error *err)
{
	if (!*run->cluster)
		return sp_error_set(err, "cluster: is empty");
	if (!run->job_id)
		return sp_error_set(err, "job_id: must not be 0");
	if (!run->nodes)
		return sp_error_set(err, "nodes: must not be 0");
	if (isnan(run->ended_at_s) != (run->state == RUN_RUNNING))
		return sp_error_set(err, "ended_at_s: must be null exactly "
					 "while the run is RUNNING");
	if (run_runtime_s(run) < 0)
		return sp_error_set(err, "ended_at_s: is before started_at_s, "
					 "or suspended_s is too long");
	return 0;
}

int wire_run_decode(struct json_object *message, struct run *ret,
		    struct sp_error *err)
{
	struct run run = { .id = 0 };

	fields_unknown(run_fields, &run);
	if (fields_decode(run_fields, message, &run, err) < 0 ||
	    run_check(&run, err) < 0)
		return -1;
	*ret = run;
	return 0;
}

struct json_object *wire_share_encode(const struct run_share *share)
{
	return fields_encode(run_share_fields, share);
}

int wire_share_decode(struct json_object *message, struct run_share *ret,
		      struct sp_error *err)
{
	struct run_share share = { .job_id = 0 };

	fields_unknown(run_share_fields, &share);
	if (fields_decode(run_share_fields, message, &share, err) < 0)
		return -1;
	if (!*share.cluster)
		return sp_error_set(err, "cluster: is empty");
	if (!share.job_id)
		return sp_error_set(err, "job_id: must not be 0");
	if (!*share.node)
		return sp_error_set(err, "node: is empty");
	if (share.ended_at_s < share.started_at_s)
		return sp_error_set(err, "ended_at_s: is before started_at_s");
	*ret = share;
	return 0;
}
