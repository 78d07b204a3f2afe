/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_profile.c - profiles as messages: a node's share, and means over runs
 *
 * collectord encodes a struct profile_share, and predictd decodes and checks it.
 * Replies have a struct profile, which is encoded only.
 */
#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

/* --- A node's share ------------------------------------------------------ */

struct json_object *wire_profile_share_encode(const struct profile_share *share)
{
	return fields_encode(profile_share_fields, share);
}

int wire_profile_share_decode(struct json_object *message,
			      struct profile_share *ret, struct sp_error *err)
{
	profile_share_init(ret);
	if (fields_decode(profile_share_fields, message, ret, err) < 0)
		return -1;
	if (!*ret->cluster)
		return sp_error_set(err, "cluster: is empty");
	if (!ret->job_id)
		return sp_error_set(err, "job_id: must not be 0");
	if (!*ret->node)
		return sp_error_set(err, "node: is empty");
	if (ret->ended_at_s < ret->started_at_s)
		return sp_error_set(err, "ended_at_s: is before started_at_s");
	return 0;
}

/* --- A mean over runs ---------------------------------------------------- */

#define PAIR(member, codec) FIELD(struct profile_pair, member, codec)

static const struct field pair_fields[] = {
	PAIR(messages, codec_known),
	PAIR(bytes, codec_known),
	PAIR(replies, codec_number),
	PAIR(long_messages, codec_number),
	PAIR(bandwidth_bps, codec_number),
	PAIR(latency_s, codec_number),
	PAIR(from, codec_u16),
	PAIR(to, codec_u16),
	{ .name = NULL },
};

#define FARM(member, codec, ...) \
	FIELD(struct profile_farm, member, codec, __VA_ARGS__)

static const struct field farm_fields[] = {
	FARM(workers, codec_u32),
	FARM(tasks, codec_number),
	FARM(tasks_seen, codec_number),
	FARM(mu_s, codec_number),
	FARM(sigma_s, codec_number),
	FARM(bytes, codec_number),
	FARM(alpha, codec_number),
	FARM(master_s, codec_number),
	FARM(message_s, codec_number),
	FARM(long_message_s, codec_number),
	FARM(byte_s, codec_number),
	FARM(kind, codec_word, .words = &profile_farm_words),
	FARM(hub, codec_u16),
	{ .name = NULL },
};

static bool farm_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	const struct profile_farm *farm = member;

	fields_print(field->nested, farm, out);
	return farm->kind != PROFILE_NO_FARM;
}

static const struct codec codec_farm = { farm_print, NULL, false };

#define PROFILE(member, codec, ...) \
	FIELD(struct profile, member, codec, __VA_ARGS__)

static const struct field profile_fields[] = {
	PROFILE(cluster, codec_text),
	FIELD_APPLICATION(profile, ),
	FIELD_PARAMETER_SET(profile, ),
	PROFILE(nodes, codec_u32),
	PROFILE(tasks, codec_u32),
	PROFILE(runs, codec_u32),
	PROFILE(runtime_s, codec_number),
	PROFILE(measured_at_s, codec_time),
	FIELD_ROW(
		profile, node, LIST, .name = "node_profiles",
		FIELD_ELEMENTS(profile, node, node_count, profile_node_fields)),
	FIELD_ROW(profile, pair, LIST, .name = "pairs",
		  FIELD_ELEMENTS(profile, pair, pair_count, pair_fields)),
	PROFILE(farm, codec_farm, .nested = farm_fields),
	{ .name = NULL },
};

struct json_object *wire_profile_encode(const struct profile *profile)
{
	return fields_encode(profile_fields, profile);
}
