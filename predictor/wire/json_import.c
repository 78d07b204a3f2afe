/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_import.c - past runs by the thousand, as rows of values
 *
 * Column names are sent once for all rows: without a name at each value a row
 * is read three times as fast as a run of json_run.c.  The sender appends rows
 * to a text until it is full; the receiver checks the column names, then
 * decodes each row by the fields of these columns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

/* Return the first row, from this one on, that job logs have. */
static const struct field *import_column(const struct field *f)
{
	while (f->name && !(f->in & RUN_IMPORTED))
		f++;
	return f;
}

#define FOR_EACH_COLUMN(f)                                               \
	for (const struct field *f = import_column(run_fields); f->name; \
	     f = import_column(f + 1))

/* A run from a log has ended. */
static bool is_required(const struct field *f)
{
	return f->required || f->kind == FIELD_OPEN_TIME;
}

static int run_check(const struct run *run, struct sp_error *err)
{
	if (!run->job_id)
		return sp_error_set(err, "job_id: must not be 0");
	if (!run->nodes)
		return sp_error_set(err, "nodes: must not be 0");
	if (run->state == RUN_RUNNING)
		return sp_error_set(err, "state: must be that of an end");
	if (run_runtime_s(run) < 0)
		return sp_error_set(err, "ended_at_s: is before started_at_s, "
					 "or suspended_s is too long");
	return 0;
}

/* --- Making one ----------------------------------------------------------- */

/* What can follow the rows. */
#define TAIL_SIZE 32

/* Add `size` bytes; -1: there is no room. */
static int text_append(struct wire_import_text *t, const char *text,
		       size_t size)
{
	if (size > sizeof(t->text) - TAIL_SIZE - t->size)
		return -1;
	memcpy(t->text + t->size, text, size);
	t->size += size;
	for (size_t i = 0; i < size; i++)
		t->values += text[i] == ',' || text[i] == '[' || text[i] == '{';
	return 0;
}

static void string_append(struct wire_import_text *t, const char *text)
{
	/* The head is short. */
	text_append(t, text, strlen(text));
}

void wire_import_begin(const char *cluster, struct wire_import_text *ret)
{
	size_t length = strnlen(cluster, sizeof(ret->cluster) - 1);
	struct wire_text name = { 0 };

	piece_copy(ret->cluster, sizeof(ret->cluster), cluster, length);
	ret->rows = ret->size = ret->values = 0;
	string_append(ret, "{\"cluster\":");
	wire_text_add_string(&name, ret->cluster, length);
	string_append(ret, name.failed ? "\"\"" : name.bytes);
	wire_text_clear(&name);
	string_append(ret, ",\"columns\":");
	FOR_EACH_COLUMN(f) {
		string_append(ret,
			      f == import_column(run_fields) ? "[\"" : ",\"");
		string_append(ret, f->name);
		string_append(ret, "\"");
	}
	string_append(ret, "],\"rows\":[");
}

static void row_print(const struct run *run, struct wire_text *out)
{
	char before = '[';

	FOR_EACH_COLUMN(f) {
		wire_text_add(out, &before, 1);
		field_codec(f)->print(f, (const char *)run + f->offset, out);
		before = ',';
	}
	wire_text_add(out, "]", 1);
}

enum wire_import_rc wire_import_add(struct wire_import_text *t,
				    const struct run *run, struct sp_error *err)
{
	if (run_check(run, err))
		return WIRE_IMPORT_REFUSED;
	if (strcmp(run->cluster, t->cluster) != 0 || t->rows == WIRE_IMPORT_MAX)
		return WIRE_IMPORT_FULL;

	struct wire_text row = { 0 };
	size_t size = t->size, values = t->values;
	enum wire_import_rc rc = WIRE_IMPORT_ADDED;

	row_print(run, &row);
	if (row.failed)
		rc = (enum wire_import_rc)sp_error_set(err, "out of memory");
	else if ((t->rows && text_append(t, ",", 1)) ||
		 text_append(t, row.bytes, row.size) ||
		 t->values > WIRE_VALUES_MAX - TAIL_SIZE)
		rc = WIRE_IMPORT_FULL;
	if (rc == WIRE_IMPORT_ADDED) {
		t->rows++;
	} else {
		t->size = size;
		t->values = values;
	}
	wire_text_clear(&row);
	return rc;
}

void wire_import_end(struct wire_import_text *text, bool last)
{
	strcpy(text->text + text->size,
	       last ? "],\"last\":true}" : "],\"last\":false}");
	text->size += strlen(text->text + text->size);
}

/* --- Reading one ---------------------------------------------------------- */

struct import_head {
	char cluster[RUN_NAME_SIZE];
	bool last;
};

static const struct field head_fields[] = {
	FIELD(import_head, cluster, TEXT),
	FIELD(import_head, last, BOOL),
	{ .name = NULL },
};

#define COLUMNS_MAX 64

struct import_header {
	size_t count;
	const struct field *of[COLUMNS_MAX];
};

static const struct field *column_find(const char *name)
{
	FOR_EACH_COLUMN(f)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

static int columns_check(const struct import_header *columns,
			 struct sp_error *err)
{
	FOR_EACH_COLUMN(f) {
		size_t times = 0;

		for (size_t i = 0; i < columns->count; i++)
			times += columns->of[i] == f;
		if (times > 1 || (is_required(f) && !times))
			return sp_error_set(err, "columns: %s %s", f->name,
					    times ? "is there twice"
						  : "is missing");
	}
	return 0;
}

static int columns_decode(struct json_object *value, struct import_header *ret,
			  struct sp_error *err)
{
	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, "columns: must be an array");

	size_t count = json_object_array_length(value), most = 0;

	FOR_EACH_COLUMN(f)
		most += most < COLUMNS_MAX;
	if (count > most)
		return sp_error_set(err, "columns: there are only %zu", most);
	ret->count = count;
	for (size_t i = 0; i < count; i++) {
		const char *name;
		struct sp_error why;

		if (decode_text(json_object_array_get_idx(value, i), 32, &name,
				&why))
			return sp_error_set(err, "columns[%zu]%s", i, why.text);
		ret->of[i] = column_find(name);
		if (!ret->of[i])
			return sp_error_set(err, "columns: %s is none", name);
	}
	return columns_check(ret, err);
}

static int row_decode(const struct import_header *columns,
		      struct json_object *row, struct run *ret,
		      struct sp_error *err)
{
	if (!json_object_is_type(row, json_type_array) ||
	    json_object_array_length(row) != columns->count)
		return sp_error_set(err, ": must be an array of %zu",
				    columns->count);
	for (size_t i = 0; i < columns->count; i++) {
		const struct field *f = columns->of[i];
		struct json_object *value = json_object_array_get_idx(row, i);
		struct sp_error why;

		if (!value && (is_required(f) || !field_codec(f)->takes_null)) {
			if (is_required(f))
				return sp_error_set(err, ".%s: is missing",
						    f->name);
			continue;
		}
		if (field_codec(f)->decode(f, value, (char *)ret + f->offset,
					   &why))
			return sp_error_set(err, ".%s%s", f->name, why.text);
	}

	struct sp_error why;

	return run_check(ret, &why) ? sp_error_set(err, ".%s", why.text) : 0;
}

static int rows_decode(const struct import_header *columns, const char *cluster,
		       struct json_object *value, struct wire_import *import,
		       struct sp_error *err)
{
	size_t count = json_object_array_length(value);

	if (count > WIRE_IMPORT_MAX)
		return sp_error_set(err, "rows: more than %d", WIRE_IMPORT_MAX);
	if (count == 0)
		return 0;
	import->runs = calloc(count, sizeof(*import->runs));
	if (!import->runs)
		return sp_error_set(err, "out of memory");
	import->runs_count = count;
	for (size_t i = 0; i < count; i++) {
		struct run *run = &import->runs[i];
		struct sp_error why;

		run->limit_s = NAN;
		strcpy(run->cluster, cluster);
		conditions_init(&run->before);
		if (row_decode(columns, json_object_array_get_idx(value, i),
			       run, &why))
			return sp_error_set(err, "rows[%zu]%s", i, why.text);
	}
	return 0;
}

int wire_import_decode(struct json_object *message, struct wire_import *ret,
		       struct sp_error *err)
{
	struct import_head head = { .last = false };
	struct import_header columns = { .count = 0 };
	struct wire_import import = { .last = false };
	struct json_object *names, *rows;

	if (fields_decode(head_fields, message, &head, err))
		return -1;
	import.last = head.last;
	if (json_object_object_get_ex(message, "rows", &rows) && rows) {
		if (!json_object_is_type(rows, json_type_array))
			return sp_error_set(err, "rows: must be an array");
		if (!*head.cluster)
			return sp_error_set(err, "cluster: is missing");
		if (!json_object_object_get_ex(message, "columns", &names))
			return sp_error_set(err, "columns: is missing");
		if (columns_decode(names, &columns, err))
			return -1;
		if (rows_decode(&columns, head.cluster, rows, &import, err)) {
			wire_import_clear(&import);
			return -1;
		}
	}
	*ret = import;
	return 0;
}

void wire_import_clear(struct wire_import *import)
{
	free(import->runs);
	*import = (struct wire_import){ .last = false };
}
