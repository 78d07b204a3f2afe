/* batch.c - records of the spool as the body of a message */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/daemon/batch.h"
#include "predictor/wire/wire.h"

/* Whether predictd would understand it. */
static int check_record(enum record_kind kind, const char *text, size_t size,
			struct sp_error *err)
{
	struct json_object *object = wire_parse(text, size, err);
	struct run run;
	struct run_share share;
	int rc = -1;

	if (object)
		rc = kind == RECORD_RUN
			     ? wire_run_decode(object, &run, err)
			     : wire_share_decode(object, &share, err);
	json_object_put(object);
	return rc;
}

/* Its text, checked; NULL: it was refused. */
static char *take_record(struct spool *spool, size_t index, size_t *ret_size)
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

static int write_body(struct spool *spool, size_t max, FILE *runs, FILE *shares,
		      size_t *ret_count)
{
	size_t bytes = 0, count = 0;
	size_t written[RECORD_KINDS] = { 0 };

	while (count < max && count < spool_count(spool)) {
		enum record_kind kind = spool_at(spool, count).kind;
		FILE *file = kind == RECORD_RUN ? runs : shares;
		size_t size;

		if (count &&
		    bytes + spool_at(spool, count).size > BATCH_BYTES_MAX)
			break;

		char *text = take_record(spool, count, &size);

		if (!text)
			continue;
		if (written[kind]++)
			fputc(',', file);
		fwrite(text, 1, size, file);
		free(text);
		bytes += size;
		count++;
	}
	*ret_count = count;
	return ferror(runs) || ferror(shares) ? -1 : 0;
}

int batch_make(struct spool *spool, size_t max, struct batch *ret,
	       struct sp_error *err)
{
	char *run_text = NULL, *share_text = NULL;
	size_t run_size = 0, share_size = 0;
	FILE *runs = open_memstream(&run_text, &run_size);
	FILE *shares = open_memstream(&share_text, &share_size);
	struct batch batch = { 0 };
	int rc = -1;

	if (max > BATCH_RECORDS_MAX)
		max = BATCH_RECORDS_MAX;
	if (runs && shares)
		rc = write_body(spool, max, runs, shares, &batch.count);
	if (runs && fclose(runs))
		rc = -1;
	if (shares && fclose(shares))
		rc = -1;
	if (rc == 0 && batch.count) {
		int size =
			asprintf(&batch.body, "{\"runs\":[%s],\"shares\":[%s]}",
				 run_text, share_text);

		rc = size < 0 ? -1 : 0;
		batch.size = size < 0 ? 0 : (size_t)size;
	}
	free(run_text);
	free(share_text);
	if (rc)
		return sp_error_set(err, "a message: out of memory");
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
