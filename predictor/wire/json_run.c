/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_run.c - a run, and what one node saw of it, as messages */
#include <math.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

#define MEMBER(member, ...) FIELD(struct run, member, __VA_ARGS__)
#define REQUIRED(member, codec) \
	FIELD(struct run, member, codec, .required = true)

static const struct field run_fields[] = {
	MEMBER(id, codec_i64),
	REQUIRED(cluster, codec_text),
	REQUIRED(job_id, codec_u32),
	MEMBER(array_job_id, codec_u32),
	MEMBER(array_task_id, codec_u32),
	MEMBER(het_job_id, codec_u32, .sparse = true),
	MEMBER(het_offset, codec_u32, .sparse = true),
	REQUIRED(user_id, codec_u32),
	MEMBER(user, codec_text),
	MEMBER(account, codec_text),
	MEMBER(partition, codec_text),
	MEMBER(qos, codec_text),
	MEMBER(features, codec_text),
	MEMBER(gres, codec_text),
	MEMBER(licenses, codec_text, .sparse = true),
	MEMBER(job_name, codec_text),
	MEMBER(prediction_id, codec_id),
	REQUIRED(nodes, codec_u32),
	MEMBER(tasks, codec_u32),
	MEMBER(cpus, codec_u32),
	MEMBER(memory_mb, codec_known),
	MEMBER(limit_s, codec_limit),
	MEMBER(node_list, codec_text),
	REQUIRED(submitted_at_s, codec_time),
	REQUIRED(started_at_s, codec_time),
	MEMBER(ended_at_s, codec_open_time),
	REQUIRED(state, codec_state),
	FIELD(struct run, exit_code, codec_int, .max = 255),
	FIELD(struct run, exit_signal, codec_int, .max = 255),
	{ .name = "application",
	  .codec = &codec_text,
	  .offset = offsetof(struct run, application.name),
	  .size = APPLICATION_NAME_SIZE },
	{ .name = "parameters",
	  .codec = &codec_parameters,
	  .offset = offsetof(struct run, application.parameters) },
	{ .name = "traits",
	  .codec = &codec_text,
	  .offset = offsetof(struct run, application.traits),
	  .size = TRAITS_SIZE },
	FIELD(struct run, before, codec_object, .nested = conditions_fields),
	{ .name = NULL },
};

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
	if (run->ended_at_s < run->started_at_s)
		return sp_error_set(err, "ended_at_s: is before started_at_s");
	return 0;
}

int wire_run_decode(struct json_object *message, struct run *ret,
		    struct sp_error *err)
{
	struct run run = { .limit_s = NAN, .ended_at_s = NAN };

	conditions_init(&run.before);
	if (fields_decode(run_fields, message, &run, err) < 0 ||
	    run_check(&run, err) < 0)
		return -1;
	*ret = run;
	return 0;
}

#define SHARE(member, codec) FIELD(struct run_share, member, codec)
#define SHARE_REQUIRED(member, codec) \
	FIELD(struct run_share, member, codec, .required = true)

static const struct field share_fields[] = {
	SHARE_REQUIRED(cluster, codec_text),
	SHARE_REQUIRED(job_id, codec_u32),
	SHARE_REQUIRED(node, codec_text),
	SHARE_REQUIRED(started_at_s, codec_time),
	SHARE_REQUIRED(ended_at_s, codec_time),
	SHARE(cpu_s, codec_number),
	SHARE(peak_memory_mb, codec_number),
	FIELD(struct run_share, exit_code, codec_int, .max = 255),
	FIELD(struct run_share, exit_signal, codec_int, .max = 255),
	SHARE(tasks, codec_u32),
	{ .name = NULL },
};

struct json_object *wire_share_encode(const struct run_share *share)
{
	return fields_encode(share_fields, share);
}

int wire_share_decode(struct json_object *message, struct run_share *ret,
		      struct sp_error *err)
{
	struct run_share share = { .cpu_s = NAN, .peak_memory_mb = NAN };

	if (fields_decode(share_fields, message, &share, err) < 0)
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
