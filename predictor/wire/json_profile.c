/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_profile.c - profiles as messages: a node's share, and means over runs
 *
 * collectord encodes a struct profile_share (fields, then the arrays "peers" and "ranks"),
 * and predictd decodes and checks it.  Replies have a struct profile, encoded
 * only: its fields, then the arrays "node_profiles" and "pairs", and, of a farm,
 * the object "farm".  Pairs share
 * the table of peers, with indexes of nodes in place of the name.
 */
#include <math.h>
#include <string.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

/* --- A node's share ------------------------------------------------------ */

static bool source_print(const struct field *field, const void *member,
			 struct wire_text *out)
{
	(void)field;
	wire_text_add_string(
		out, profile_source_name(*(const enum profile_source *)member),
		32);
	return true;
}

static int source_decode(const struct field *field, struct json_object *value,
			 void *member, struct sp_error *err)
{
	const char *text;

	(void)field;
	if (decode_text(value, 32, &text, err) < 0)
		return -1;
	if (profile_source_parse(text, member))
		return sp_error_set(err, ": unknown word '%s'", text);
	return 0;
}

static const struct codec codec_source = { source_print, source_decode, false };

#define NODE(member, codec) FIELD(struct profile_node, member, codec)

static const struct field node_fields[] = {
	NODE(tasks, codec_u32),
	NODE(busy_s, codec_number),
	NODE(ready_s, codec_number),
	NODE(idle_s, codec_number),
	NODE(spinning_s, codec_number),
	NODE(busy_phase_s, codec_number),
	NODE(idle_phase_s, codec_number),
	NODE(cpu_available, codec_number),
	NODE(cpu_speed, codec_number),
	NODE(cpu_left, codec_number),
	{ .name = NULL },
};

#define PEER(member, codec, ...) \
	FIELD(struct profile_peer, member, codec, __VA_ARGS__)

static const struct field peer_fields[] = {
	PEER(node, codec_text, .required = true),
	PEER(messages, codec_known, .required = true),
	PEER(bytes, codec_known, .required = true),
	PEER(replies, codec_number),
	PEER(long_messages, codec_number),
	PEER(bandwidth_bps, codec_number),
	PEER(latency_s, codec_number),
	{ .name = NULL },
};

#define RANK(member, codec, ...) \
	FIELD(struct profile_rank, member, codec, __VA_ARGS__)

static const struct field rank_fields[] = {
	RANK(rank, codec_u32, .required = true),
	RANK(ranks, codec_u32, .required = true),
	RANK(peer, codec_int, .required = true),
	RANK(messages, codec_known, .required = true),
	RANK(bytes, codec_known, .required = true),
	RANK(peer_messages, codec_known, .required = true),
	RANK(peer_bytes, codec_known, .required = true),
	RANK(asked_any, codec_known, .required = true),
	RANK(own_s, codec_known, .required = true),
	RANK(tasks, codec_known, .required = true),
	RANK(tasks_s, codec_known, .required = true),
	RANK(tasks_s2, codec_known, .required = true),
	{ .name = NULL },
};

#define SHARE(member, codec, ...) \
	FIELD(struct profile_share, member, codec, __VA_ARGS__)

static const struct field share_fields[] = {
	SHARE(cluster, codec_text, .required = true),
	SHARE(job_id, codec_u32, .required = true),
	SHARE(node, codec_text, .required = true),
	SHARE(started_at_s, codec_time, .required = true),
	SHARE(ended_at_s, codec_time, .required = true),
	SHARE(source, codec_source),
	SHARE(phases, codec_object, .nested = node_fields),
	SHARE(mpi_s, codec_number),
	SHARE(mpi_cpu_s, codec_number),
	SHARE(missed_bytes, codec_number),
	{ .name = NULL },
};

/* Add an array of `count` structs as `name`; out of memory: *object is freed
 * and set to NULL. */
static void add_array(struct json_object **object, const char *name,
		      const struct field fields[], const void *first,
		      size_t size, int count)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; array && i < count; i++) {
		struct json_object *entry = fields_encode(
			fields, (const char *)first + (size_t)i * size);

		if (!entry || json_object_array_add(array, entry)) {
			json_object_put(entry);
			json_object_put(array);
			array = NULL;
		}
	}
	if (!array || json_object_object_add(*object, name, array)) {
		json_object_put(array);
		json_object_put(*object);
		*object = NULL;
	}
}

struct json_object *wire_profile_share_encode(const struct profile_share *share)
{
	struct json_object *object = fields_encode(share_fields, share);

	if (object && share->peer_count >= 0)
		add_array(&object, "peers", peer_fields, share->peer,
			  sizeof(share->peer[0]), share->peer_count);
	if (object && share->rank_count > 0)
		add_array(&object, "ranks", rank_fields, share->rank,
			  sizeof(share->rank[0]), share->rank_count);
	return object;
}

/* At most `max` structs of `size` bytes; without the array *ret_count stays. */
static int decode_array(struct json_object *message, const char *name,
			const struct field fields[], void *first, size_t size,
			int max, int *ret_count, struct sp_error *err)
{
	struct json_object *array;
	struct sp_error why;

	if (!json_object_object_get_ex(message, name, &array) || !array)
		return 0;
	if (!json_object_is_type(array, json_type_array) ||
	    json_object_array_length(array) > (size_t)max)
		return sp_error_set(err, "%s: must be an array of at most %d",
				    name, max);
	*ret_count = (int)json_object_array_length(array);
	for (int i = 0; i < *ret_count; i++)
		if (fields_decode(fields,
				  json_object_array_get_idx(array, (size_t)i),
				  (char *)first + (size_t)i * size, &why) < 0)
			return sp_error_set(err, "%s[%d].%.200s", name, i,
					    why.text);
	return 0;
}

static int decode_arrays(struct json_object *message,
			 struct profile_share *share, struct sp_error *err)
{
	if (decode_array(message, "peers", peer_fields, share->peer,
			 sizeof(share->peer[0]), PROFILE_PEERS_MAX,
			 &share->peer_count, err) < 0)
		return -1;
	return decode_array(message, "ranks", rank_fields, share->rank,
			    sizeof(share->rank[0]), PROFILE_RANKS_MAX,
			    &share->rank_count, err);
}

int wire_profile_share_decode(struct json_object *message,
			      struct profile_share *ret, struct sp_error *err)
{
	profile_share_init(ret);
	if (fields_decode(share_fields, message, ret, err) < 0 ||
	    decode_arrays(message, ret, err) < 0)
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

#define PROFILE(member, codec) FIELD(struct profile, member, codec)

static const struct field profile_fields[] = {
	PROFILE(cluster, codec_text),
	{ .name = "application",
	  .codec = &codec_text,
	  .offset = offsetof(struct profile, application.name),
	  .size = APPLICATION_NAME_SIZE },
	{ .name = "parameters",
	  .codec = &codec_parameters,
	  .offset = offsetof(struct profile, application.parameters) },
	PROFILE(nodes, codec_u32),
	PROFILE(tasks, codec_u32),
	PROFILE(runs, codec_u32),
	PROFILE(runtime_s, codec_number),
	PROFILE(measured_at_s, codec_time),
	{ .name = NULL },
};

#define FARM(member, codec) FIELD(struct profile_farm, member, codec)

static const struct field farm_fields[] = {
	FARM(workers, codec_u32),       FARM(tasks, codec_number),
	FARM(tasks_seen, codec_number), FARM(mu_s, codec_number),
	FARM(sigma_s, codec_number),    FARM(bytes, codec_number),
	FARM(alpha, codec_number),      FARM(master_s, codec_number),
	FARM(message_s, codec_number),  FARM(long_message_s, codec_number),
	FARM(byte_s, codec_number),     { .name = NULL },
};

static int encode_farm(struct json_object *object,
		       const struct profile_farm *farm)
{
	const char *kind = profile_farm_name(farm->kind);
	struct json_object *own = fields_encode(farm_fields, farm);

	if (!own || json_object_object_add(object, "farm", own)) {
		json_object_put(own);
		return -1;
	}
	return json_object_object_add(own, "kind",
				      json_object_new_string(kind)) ||
	       json_object_object_add(own, "hub",
				      json_object_new_int(farm->hub));
}

/* The indexes of nodes are uint16_t, for which there is no codec. */
static int encode_pairs(struct json_object *object,
			const struct profile *profile)
{
	struct json_object *array = json_object_new_array();

	if (!array || json_object_object_add(object, "pairs", array)) {
		json_object_put(array);
		return -1;
	}
	for (int i = 0; i < profile->pair_count; i++) {
		const struct profile_pair *pair = &profile->pair[i];
		struct profile_peer numbers = {
			.messages = pair->messages,
			.bytes = pair->bytes,
			.replies = pair->replies,
			.long_messages = pair->long_messages,
			.bandwidth_bps = pair->bandwidth_bps,
			.latency_s = pair->latency_s,
		};
		/* Without `node`, the first field. */
		struct json_object *entry =
			fields_encode(peer_fields + 1, &numbers);

		if (!entry || json_object_array_add(array, entry)) {
			json_object_put(entry);
			return -1;
		}
		if (json_object_object_add(entry, "from",
					   json_object_new_int(pair->from)) ||
		    json_object_object_add(entry, "to",
					   json_object_new_int(pair->to)))
			return -1;
	}
	return 0;
}

struct json_object *wire_profile_encode(const struct profile *profile)
{
	struct json_object *object = fields_encode(profile_fields, profile);

	if (object)
		add_array(&object, "node_profiles", node_fields, profile->node,
			  sizeof(profile->node[0]), profile->node_count);
	if (object &&
	    ((profile->pair_count >= 0 && encode_pairs(object, profile)) ||
	     (profile->farm.kind != PROFILE_NO_FARM &&
	      encode_farm(object, &profile->farm)))) {
		json_object_put(object);
		object = NULL;
	}
	return object;
}
