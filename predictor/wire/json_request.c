/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_request.c - the request for a prediction, POST /v1/predictions
 *
 * A submission with the policy under which the prediction is made.  It is
 * printed as text, without JSON objects, since slurmctld waits meanwhile;
 * decoding goes through json-c and lends texts from its objects.
 */
#include <string.h>

#include "predictor/features/secret.h"
#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

#define WIRE_VERSION 1

/* --- The lists of a job; their codecs stand at the whole submission ------- */

static bool arguments_print(const struct field *field UNUSED,
			    const void *member, struct wire_text *out)
{
	const struct submission *job = member;
	struct secret_scan scan = { .words = true };

	for (size_t i = 0; i < job->arguments_count; i++) {
		wire_text_add(out, i ? "," : "[", 1);
		wire_text_add_typed(out, job->arguments[i], SUBMISSION_TEXT_MAX,
				    &scan);
	}
	wire_text_add(out, "]", 1);
	return job->arguments_count > 0;
}

/* Find the number of entries; -1: it is no array, or has more than `max`. */
static int array_check(struct json_object *value, size_t max, size_t *ret,
		       struct sp_error *err)
{
	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");
	if (json_object_array_length(value) > max)
		return sp_error_set(err, ": has more than %zu entries", max);
	*ret = json_object_array_length(value);
	return 0;
}

static int arguments_decode(const struct field *field UNUSED,
			    struct json_object *value, void *member,
			    struct sp_error *err)
{
	struct submission *job = member;
	struct sp_error why;
	size_t count;

	if (array_check(value, SUBMISSION_ARGUMENTS_MAX, &count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (decode_text(json_object_array_get_idx(value, i),
				SUBMISSION_TEXT_MAX, &job->arguments[i],
				&why) < 0)
			return sp_error_set(err, "[%zu]%s", i, why.text);
	job->arguments_count = count;
	return 0;
}

static const struct codec codec_arguments = { arguments_print, arguments_decode,
					      false };

static const struct field setting_fields[] = {
	FIELD(setting, name, LENT, .max = SUBMISSION_TEXT_MAX,
	      .required = true),
	FIELD(setting, value, LENT, .max = SUBMISSION_TEXT_MAX, .typed = true,
	      .required = true),
	{ .name = NULL },
};

/* Mask the value if its name says that it is a secret. */
static struct setting mask_named(struct setting s)
{
	if (s.name && s.value &&
	    secret_named(s.name, strlen(s.name), s.value, strlen(s.value)))
		s.value = SECRET_MARK;
	return s;
}

static bool settings_print(const struct field *field UNUSED, const void *member,
			   struct wire_text *out)
{
	const struct submission *job = member;

	for (size_t i = 0; i < job->settings_count; i++) {
		struct setting s = mask_named(job->settings[i]);

		wire_text_add(out, i ? "," : "[", 1);
		fields_print(setting_fields, &s, out);
	}
	wire_text_add(out, "]", 1);
	return job->settings_count > 0;
}

static int settings_decode(const struct field *field UNUSED,
			   struct json_object *value, void *member,
			   struct sp_error *err)
{
	struct submission *job = member;
	struct sp_error why;
	size_t count;

	if (array_check(value, SUBMISSION_SETTINGS_MAX, &count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (fields_decode(setting_fields,
				  json_object_array_get_idx(value, i),
				  &job->settings[i], &why) < 0)
			return sp_error_set(err, "[%zu].%s", i, why.text);
		job->settings[i] = mask_named(job->settings[i]);
	}
	job->settings_count = count;
	return 0;
}

static const struct codec codec_settings = { settings_print, settings_decode,
					     false };

/* --- The messages -------------------------------------------------------- */

#define JOB_TEXT(member) \
	FIELD(submission, member, LENT, .max = SUBMISSION_TEXT_MAX)
/* 0 is "not given", and what is not given is not sent. */
#define JOB_SIZE(member, kind)                                    \
	FIELD_ROW(submission, size.member, kind, .name = #member, \
		  .sparse = true)
#define JOB_GRES(key, member)                                   \
	FIELD_ROW(submission, gres.member, LENT, .name = (key), \
		  .max = SUBMISSION_TEXT_MAX)

static const struct field job_fields[] = {
	JOB_TEXT(cluster),
	FIELD(submission, user_id, UINT, .required = true),
	JOB_TEXT(account),
	JOB_TEXT(partition),
	JOB_TEXT(qos),
	FIELD(submission, name, LENT, .max = SUBMISSION_TEXT_MAX,
	      .typed = true),
	FIELD(submission, script, LENT, .max = SUBMISSION_SCRIPT_MAX,
	      .typed = true),
	JOB_TEXT(features),
	JOB_GRES("gres", per_node),
	JOB_GRES("gres_per_job", per_job),
	JOB_GRES("gres_per_socket", per_socket),
	JOB_GRES("gres_per_task", per_task),
	JOB_TEXT(required_nodes),
	JOB_TEXT(excluded_nodes),
	JOB_SIZE(nodes_min, UINT),
	JOB_SIZE(nodes_want, UINT),
	JOB_SIZE(nodes_max, UINT),
	JOB_SIZE(tasks, UINT),
	JOB_SIZE(tasks_per_node, UINT),
	JOB_SIZE(cpus_per_task, UINT),
	JOB_SIZE(cpus_min, UINT),
	JOB_SIZE(cpus_per_node_min, UINT),
	JOB_SIZE(memory_per_node_mb, KNOWN),
	JOB_SIZE(memory_per_cpu_mb, KNOWN),
	JOB_SIZE(exclusive, BOOL),
	JOB_SIZE(overcommit, BOOL),
	FIELD(submission, limit_s, LIMIT),
	FIELD(submission, test_only, BOOL, .sparse = true),
	FIELD(submission, placed, BOOL, .sparse = true),
	JOB_TEXT(nodes_goal),
	{ .name = "arguments", .codec = &codec_arguments },
	{ .name = "settings", .codec = &codec_settings },
	{ .name = NULL },
};

#define REQUEST(member, codec) FIELD(wire_request, member, codec)

static const struct field request_fields[] = {
	FIELD(wire_request, job, RECORD, .required = true,
	      .nested = job_fields),
	FIELD(wire_request, mode, ENUM, .words = &prediction_mode_words),
	FIELD(wire_request, quantile, KNOWN, .max = 1),
	FIELD(wire_request, dry_run, BOOL, .sparse = true),
	FIELD(wire_request, brief, BOOL, .sparse = true),
	FIELD(wire_request, sets, UINT, .sparse = true),
	FIELD(wire_request, starts, BOOL, .sparse = true),
	{ .name = NULL },
};

static const struct field version_fields[] = {
	{ .name = "version", .kind = FIELD_UINT },
	{ .name = NULL },
};

void wire_request_init(struct wire_request *ret)
{
	submission_init(&ret->job);
	ret->mode = MODE_ADVISE;
	ret->quantile = 0.9;
	ret->dry_run = false;
	ret->brief = false;
	ret->sets = 0;
	ret->starts = false;
}

void wire_request_print(const struct wire_request *request,
			struct wire_text *out)
{
	fields_print(request_fields, request, out);
	out->size -= !out->failed; /* the bracket at its end */
	wire_text_add_constant(out, ",\"version\":");
	wire_text_add_integer(out, WIRE_VERSION);
	wire_text_add(out, "}", 1);
}

struct json_object *wire_request_encode(const struct wire_request *request)
{
	struct wire_text text = { 0 };
	struct json_object *message = NULL;

	wire_request_print(request, &text);
	if (!text.failed)
		message = json_tokener_parse(text.bytes);
	wire_text_clear(&text);
	return message;
}

int wire_request_decode(struct json_object *message, struct wire_request *ret,
			struct sp_error *err)
{
	struct wire_request request;
	uint32_t version = WIRE_VERSION;

	wire_request_init(&request);
	if (fields_decode(version_fields, message, &version, err) < 0)
		return -1;
	if (version != WIRE_VERSION)
		return sp_error_set(err, "version: must be %d", WIRE_VERSION);
	if (fields_decode(request_fields, message, &request, err) < 0)
		return -1;
	if (request.quantile <= 0 || request.quantile >= 1)
		return sp_error_set(err, "quantile: must be between 0 and 1");
	submission_copy(&request.job, &ret->job);
	ret->mode = request.mode;
	ret->starts = request.starts;
	ret->quantile = request.quantile;
	ret->dry_run = request.dry_run;
	ret->sets = request.sets;
	ret->brief = request.brief;
	return 0;
}
