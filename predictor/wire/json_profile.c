/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_profile.c - profiles as messages: a node's share, and means over runs
 *
 * collectord encodes a struct profile_share, and predictd decodes and checks
 * it.  Replies have a struct profile, which is encoded only.
 */
#include "predictor/wire/fields.h"
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

static bool farm_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	const struct profile_farm *farm = member;

	fields_print(field->nested, farm, out);
	return farm->kind != PROFILE_NO_FARM;
}

static const struct codec codec_farm = { farm_print, NULL, false };

#define PROFILE(member, kind, ...) FIELD(profile, member, kind, __VA_ARGS__)

static const struct field profile_fields[] = {
	PROFILE(cluster, TEXT),
	FIELD_APPLICATION(profile, ),
	FIELD_PARAMETER_SET(profile, ),
	PROFILE(nodes, UINT),
	PROFILE(tasks, UINT),
	PROFILE(runs, UINT),
	PROFILE(runtime_s, NUMBER),
	PROFILE(measured_at_s, TIME),
	FIELD_ROW(
		profile, node, LIST, .name = "node_profiles",
		FIELD_ELEMENTS(profile, node, node_count, profile_node_fields)),
	FIELD_ROW(
		profile, pair, LIST, .name = "pairs",
		FIELD_ELEMENTS(profile, pair, pair_count, profile_pair_fields)),
	PROFILE(farm, RECORD, .codec = &codec_farm,
		.nested = profile_farm_fields),
	{ .name = NULL },
};

struct json_object *wire_profile_encode(const struct profile *profile)
{
	return fields_encode(profile_fields, profile);
}
