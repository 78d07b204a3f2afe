/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wire.h - messages between the parts, as JSON
 *
 * One pair of functions per message.  The shapes are described, field by
 * field, in predictor/http/routes/openapi.json.  Times are numbers: seconds
 * since the epoch.  A NAN is sent as null; HUGE_VAL as the text "unlimited".
 *
 * The request for a prediction is printed without making objects of it first; a
 * text with `failed` set is no message.  FORMAT.md has the reasons.
 *
 * Encoders return a new object (json_object_put() by the caller), or NULL when
 * memory ran out.  Decoders take a parsed object and check every field: a
 * wrong type, an unbounded text, a negative or non-finite number is an error
 * that names the field.  Fields that are not known are ignored.  A struct
 * submission lends its texts from the object; all others are copies.  A field
 * that is missing or null is "not given", if the message can do without it.
 * Encoders cut texts at what decoders take, and put '?' for each byte that is
 * no UTF-8.
 */
#pragma once

#include <json-c/json.h>

#include "predictor/base/error.h"
#include "predictor/features/describe.h"
#include "predictor/features/link.h"
#include "predictor/features/measurement.h"
#include "predictor/features/prediction.h"
#include "predictor/features/profile.h"
#include "predictor/features/run.h"
#include "predictor/features/submission.h"
#include "predictor/wire/text.h"

#define WIRE_BATCH_MAX  1024   /* runs, shares, measurements in a message */
#define WIRE_DEPTH_MAX  16     /* of nested JSON */
#define WIRE_VALUES_MAX 200000 /* in a message, with commas in its texts */

/* In a request for a prediction; a job with all of its arguments and settings
 * has 400. */
#define WIRE_REQUEST_VALUES_MAX 1024

/* Parse `size` bytes as one JSON value, at most WIRE_DEPTH_MAX deep and of at
 * most WIRE_VALUES_MAX values, with nothing but white space after it and valid
 * UTF-8.  NULL: *err says why. */
struct json_object *wire_parse(const char *text, size_t size,
			       struct sp_error *err);

/* The same for a request for a prediction, of at most WIRE_REQUEST_VALUES_MAX
 * values: its text may be of any user, and a value of two bytes takes
 * 0.2 us. */
struct json_object *wire_request_parse(const char *text, size_t size,
				       struct sp_error *err);

/* The body of POST /v1/predictions. */
struct wire_request {
	struct submission job;
	enum prediction_mode mode;
	double quantile; /* 0 to 1 */
	bool dry_run;    /* reply only; store nothing, give no id */
	bool brief;      /* the reply holds the result, not the query point */
	uint32_t sets;   /* number of best node sets in the reply */
	bool starts;     /* with `brief`: reply with when it would start */
};

/* No job yet; to advise, with the quantile 0.9. */
void wire_request_init(struct wire_request *ret);
struct json_object *wire_request_encode(const struct wire_request *request);
void wire_request_print(const struct wire_request *request,
			struct wire_text *out);
int wire_request_decode(struct json_object *message, struct wire_request *ret,
			struct sp_error *err);

/* Return the object {"id", ...}; in replies it stands below "prediction".
 * Estimates have WIRE_DIGITS digits. */
struct json_object *wire_prediction_encode(const struct prediction *p);
int wire_prediction_decode(struct json_object *message, struct prediction *ret,
			   struct sp_error *err);

struct json_object *wire_run_encode(const struct run *run);
int wire_run_decode(struct json_object *message, struct run *ret,
		    struct sp_error *err);

struct json_object *wire_share_encode(const struct run_share *share);
int wire_share_decode(struct json_object *message, struct run_share *ret,
		      struct sp_error *err);

struct json_object *wire_measurement_encode(const struct measurement *m);
int wire_measurement_decode(struct json_object *message,
			    struct measurement *ret, struct sp_error *err);

struct json_object *wire_link_encode(const struct link_measurement *link);
int wire_link_decode(struct json_object *message, struct link_measurement *ret,
		     struct sp_error *err);

/* What a node saw of what a run did; a profile, with the nodes numbered from
 * 0. */
struct json_object *
wire_profile_share_encode(const struct profile_share *share);
int wire_profile_share_decode(struct json_object *message,
			      struct profile_share *ret, struct sp_error *err);
struct json_object *wire_profile_encode(const struct profile *profile);

/* The body of POST /v1/runs: {"runs": [...], "shares": [...],
 * "profiles": [...]}, and of POST /v1/measurements: {"cluster": "...",
 * "measurements": [...], "links": [...]}.  The arrays of a decoded report
 * belong to it. */
struct wire_report {
	char cluster[RUN_NAME_SIZE]; /* of the measurements and links */
	size_t runs_count, shares_count, measurements_count, links_count;
	size_t profiles_count;
	struct run *runs;
	struct run_share *shares;
	struct measurement *measurements;
	struct link_measurement *links;
	struct profile_share *profiles;
};

int wire_report_decode(struct json_object *message, struct wire_report *ret,
		       struct sp_error *err);
void wire_report_clear(struct wire_report *report);

/* The body of POST /v1/imports: past runs of one cluster, from a job log, a row
 * of values for each, and which columns these are:
 *
 *	{"cluster": "...", "last": false, "columns": ["job_id", ...],
 *	 "rows": [[17, ...], ...]}
 *
 * A text, since it is made row by row and must not become too long. */
#define WIRE_IMPORT_MAX   2000 /* rows in a message */
#define WIRE_IMPORT_BYTES (512 << 10)

struct wire_import_text {
	char cluster[RUN_NAME_SIZE];
	size_t rows;
	size_t size;
	size_t values; /* and commas, as wire_parse() counts them */
	char text[WIRE_IMPORT_BYTES]; /* terminated by wire_import_end() */
};

enum wire_import_rc {
	WIRE_IMPORT_REFUSED = -1, /* can't be sent at all: *err says why */
	WIRE_IMPORT_ADDED,
	WIRE_IMPORT_FULL /* goes into another text: too many, or of another
			    cluster */
};

void wire_import_begin(const char *cluster, struct wire_import_text *ret);
enum wire_import_rc wire_import_add(struct wire_import_text *t,
				    const struct run *run,
				    struct sp_error *err);
void wire_import_end(struct wire_import_text *text, bool last);

struct wire_import {
	bool last; /* of the whole import; it may have no rows */
	size_t runs_count;
	struct run *runs; /* ended; `before` is not known */
};

int wire_import_decode(struct json_object *message, struct wire_import *ret,
		       struct sp_error *err);
void wire_import_clear(struct wire_import *import);

/* Only the result, of the full or the brief reply. */
int wire_answer_decode(struct json_object *message,
		       struct prediction_answer *ret, struct sp_error *err);

/* The whole reply with a prediction: of the query point and of all that it
 * rests on. */
void wire_prediction_reply(const struct prediction *p, const char *version,
			   struct wire_text *out);

/* The brief reply, {"prediction": {...}}; with `placement` (may be NULL), the
 * job's model as snapshot_model_print() writes it, for a scheduler that has the
 * job before it has a snapshot with it, and `weights` (empty: none) as
 * placement_weights_print() does; whether the job should be profiled, and if so
 * by the MPI library, and whether traced; and what `starts` of a
 * prediction_answer has (NULL: none). */
void wire_answer_reply(const struct prediction *p, const char *placement,
		       const char *weights, bool profile, bool mpi, bool trace,
		       const double *starts, struct wire_text *out);

/* Read `starts` of a brief reply, which may be missing. */
void wire_answer_starts(struct json_object *message,
			struct prediction_answer *ret);

/* Every other reply carries {"errors": [{"error": TEXT}], "warnings":
 * [{"warning": TEXT}]}, which may be empty. */
struct json_object *wire_reply_create(void);

/* Make an object of the members that a table describes, or read one. */
struct json_object *fields_encode(const struct field fields[],
				  const void *from);
/* May leave *into half filled when it fails. */
int fields_decode(const struct field fields[], struct json_object *message,
		  void *into, struct sp_error *err);

/* Return a text of an object, lent by it; `otherwise`: it has none. */
const char *wire_find_text(struct json_object *object, const char *name,
			   const char *otherwise);

/* Add what each reply has, the version too, and this one has not. */
void wire_reply_complete(struct json_object *reply);
/* `code` is a word for programs; NULL: none. */
void wire_reply_add_error(struct json_object *reply, const char *text,
			  const char *code);
void wire_reply_add_warning(struct json_object *reply, const char *text);
