/* sacct_record.h - a line of sacct's, field by field
 *
 * Private to predictor/logs/.
 */
#ifndef PREDICTOR_LOGS_SACCT_RECORD_H
#define PREDICTOR_LOGS_SACCT_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/logs/sacct_values.h"

/* What a line says.  Texts are lent from it. */
struct sacct_record {
	struct sacct_id id;     /* of JobID */
	struct sacct_id raw_id; /* of JobIDRaw */
	bool unfinished;
	bool user_known; /* run.user_id is set */
	struct sacct_memory memory;
	const char *submit_line, *script; /* NULL: not there */
	/* All of it that needs nothing else to be made of. */
	struct run run;
};

struct sacct_column {
	const char *name;
	/* Columns with the same target tell the same: the first row of the
	 * table that the header has is believed. */
	int target;
	bool free; /* a text in which '|' may stand */
	int (*set)(struct sacct_record *record, const char *text);
};

#define SACCT_FIELDS_MAX 256 /* of a header */

struct sacct_header {
	int count;
	const struct sacct_column *columns[SACCT_FIELDS_MAX]; /* NULL: passed
								 over */
	bool free[SACCT_FIELDS_MAX];
};

/* Read the line that names the fields, which is changed.  Fails if what is
 * needed is not there. */
int sacct_header_read(char *line, struct sacct_header *ret,
		      struct sp_error *err);

/* Read a record, in which separators are changed. */
int sacct_record_read(const struct sacct_header *header, char *text,
		      struct sacct_record *ret, struct sp_error *err);

#endif
