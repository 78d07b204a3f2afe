/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_record.h - a record of `sacct --parsable2`, field by field
 *
 * The first line of the output names the fields; predictor/logs/sacct.c puts
 * lines together to records and makes runs of them.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/slurm/slurm_member.h"
#include "predictor/slurm/slurm_values.h"

/* For --format: all fields of use, in an order in which texts with separators
 * in them can be separated from the rest. */
extern const char sacct_fields[];

/* What a line says.  Texts are lent from it. */
struct sacct_record {
	struct slurm_job_id id;     /* of JobID */
	struct slurm_job_id raw_id; /* of JobIDRaw */
	enum slurm_phase phase;
	bool user_known;  /* run.user_id is set */
	bool requested;   /* ReqTRES is known */
	bool resized;     /* goes on in a later record, with another size */
	double elapsed_s; /* without suspensions; NAN: not known */
	double suspended_s;
	struct slurm_memory memory;
	const char *submit_line, *script; /* NULL: not there */
	/* All of it that needs nothing else to be made of. */
	struct run run;
};

struct sacct_column {
	const char *name;
	/* The first in the table of columns with the same target is used. */
	int target;
	bool free; /* a text in which the delimiter may stand */
	/* NULL: into the member, if there is one. */
	int (*set)(struct sacct_record *record, const char *text);
	struct slurm_member member;
};

#define SACCT_FIELDS_MAX 256 /* of a header */

#define SACCT_DELIMITER_SIZE 32

struct sacct_header {
	/* Between fields.  A single byte may stand in texts of users, too:
	 * where there are more of them than fields, the fields are found by
	 * what makes sense.  With a secret of more bytes nothing is guessed. */
	char delimiter[SACCT_DELIMITER_SIZE];
	int count;
	const struct sacct_column *columns[SACCT_FIELDS_MAX]; /* NULL: passed
								 over */
	bool free[SACCT_FIELDS_MAX];
};

/* Read the line that names the fields, which is changed.  Fails if what is
 * needed is not there.  `delimiter` NULL: what stands between the names. */
int sacct_header_read(char *line, const char *delimiter,
		      struct sacct_header *ret, struct sp_error *err);

/* Return whether `line` can be the first of a record: it has an id, a time or
 * a state where the header has the first of them. */
bool sacct_line_begins_record(const struct sacct_header *header,
			      const char *line);

/* Read a record, in which separators are changed. */
int sacct_record_read(const struct sacct_header *header, char *text,
		      struct sacct_record *ret, struct sp_error *err);
