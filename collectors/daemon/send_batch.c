/* SPDX-License-Identifier: GPL-2.0-or-later */
/* send_batch.c - body of a message from records of the spool
 *
 * Records are read from the oldest on, decoded once to check them, and joined
 * to one JSON object with an array for each kind.  A bad record is moved to the
 * folder of refused records and skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/daemon/send_batch.h"
#include "predictor/wire/wire.h"

/* Whether predictd can decode it. */
static int check_record(enum record_kind kind, const char *text, size_t size,
			struct sp_error *err)
{
	struct json_object *object = wire_parse(text, size, err);
	struct run run;
	struct run_share share;
	struct profile_share profile;
	int rc = -1;

	if (object && kind == RECORD_RUN)
		rc = wire_run_decode(object, &run, err);
	else if (object && kind == RECORD_SHARE)
		rc = wire_share_decode(object, &share, err);
	else if (object)
		rc = wire_profile_share_decode(object, &profile, err);
	json_object_put(object);
	return rc;
}

/* Read the text of a record, checked; NULL: it was refused. */
static char *read_record(struct spool *spool, size_t index, size_t *ret_size)
{
	enum record_kind kind = spool_at(spool, index).kind;
	struct sp_error err;
	char *text = NULL;

	if (spool_read(spool, index, &text, ret_size, &err) == 0 &&
	    check_record(kind, text, *ret_size, &err) == 0)
		return text;
	free(text);
	spool_refuse(spool, index, err.text);
	return NULL;
}

/* The key of each kind of record in the message. */
static const char *const lists[RECORD_KINDS] = {
	[RECORD_RUN] = "runs",
	[RECORD_SHARE] = "shares",
	[RECORD_PROFILE] = "profiles",
};

/* A growing text for each kind. */
struct batch_texts {
	FILE *file[RECORD_KINDS];
	char *text[RECORD_KINDS];
	size_t size[RECORD_KINDS];
};

static int texts_open(struct batch_texts *texts)
{
	*texts = (struct batch_texts){ .file = { NULL } };
	for (int i = 0; i < RECORD_KINDS; i++) {
		texts->file[i] =
			open_memstream(&texts->text[i], &texts->size[i]);
		if (!texts->file[i])
			return -1;
	}
	return 0;
}

static int texts_close(struct batch_texts *texts)
{
	int rc = 0;

	for (int i = 0; i < RECORD_KINDS; i++) {
		if (!texts->file[i])
			continue;
		if (ferror(texts->file[i]))
			rc = -1;
		if (fclose(texts->file[i]))
			rc = -1;
		texts->file[i] = NULL;
	}
	return rc;
}

static void texts_free(struct batch_texts *texts)
{
	for (int i = 0; i < RECORD_KINDS; i++)
		free(texts->text[i]);
}

static size_t write_records(struct spool *spool, size_t max,
			    struct batch_texts *texts)
{
	size_t bytes = 0, count = 0;
	size_t written[RECORD_KINDS] = { 0 };

	while (count < max && count < spool_count(spool)) {
		enum record_kind kind = spool_at(spool, count).kind;
		FILE *file = texts->file[kind];
		size_t size;

		if (count &&
		    bytes + spool_at(spool, count).size > BATCH_BYTES_MAX)
			break;

		char *text = read_record(spool, count, &size);

		if (!text)
			continue;
		if (written[kind]++)
			fputc(',', file);
		fwrite(text, 1, size, file);
		free(text);
		bytes += size;
		count++;
	}
	return count;
}

static int join_texts(const struct batch_texts *texts, struct batch *batch)
{
	FILE *file = open_memstream(&batch->body, &batch->size);

	if (!file)
		return -1;
	for (int i = 0; i < RECORD_KINDS; i++)
		fprintf(file, "%c\"%s\":[%s]", i ? ',' : '{', lists[i],
			texts->text[i]);
	fputc('}', file);

	bool failed = ferror(file);

	return fclose(file) || failed ? -1 : 0;
}

int batch_make(struct spool *spool, size_t max, struct batch *ret,
	       struct sp_error *err)
{
	struct batch_texts texts;
	struct batch batch = { 0 };
	int rc = texts_open(&texts);

	if (max > BATCH_RECORDS_MAX)
		max = BATCH_RECORDS_MAX;
	if (rc == 0)
		batch.count = write_records(spool, max, &texts);
	if (texts_close(&texts))
		rc = -1;
	if (rc == 0 && batch.count)
		rc = join_texts(&texts, &batch);
	texts_free(&texts);
	if (rc) {
		batch_clear(&batch);
		return sp_error_set(err, "a message: out of memory");
	}
	*ret = batch;
	return 0;
}

char *batch_measurements(const char *cluster, const struct measurement *m,
			 size_t count, const struct link_measurement *links,
			 size_t links_count, size_t *ret_size)
{
	struct json_object *body = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct json_object *link_list = json_object_new_array();
	char *text = NULL;

	if (!body || !list || !link_list) {
		json_object_put(list);
		json_object_put(link_list);
		goto out;
	}
	for (size_t i = 0; i < links_count; i++)
		json_object_array_add(link_list, wire_link_encode(&links[i]));
	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, wire_measurement_encode(&m[i]));
	json_object_object_add(body, "cluster",
			       json_object_new_string(cluster));
	json_object_object_add(body, "measurements", list);
	json_object_object_add(body, "links", link_list);
	text = strdup(
		json_object_to_json_string_ext(body, JSON_C_TO_STRING_PLAIN));
	*ret_size = text ? strlen(text) : 0;
out:
	json_object_put(body);
	return text;
}

void batch_clear(struct batch *batch)
{
	free(batch->body);
	*batch = (struct batch){ 0 };
}
