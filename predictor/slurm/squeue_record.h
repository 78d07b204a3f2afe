/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squeue_record.h - jobs as squeue prints them in columns of fixed width
 *
 * Slurm's commands print job names, comments and paths of users as they are:
 * a newline, or " UserId=root(0)", in one of them looks like Slurm's own text
 * wherever fields are found by a newline, a blank or a key, as in the output of
 * `scontrol show job`.  `squeue --Format` with widths cuts and pads each field,
 * so that a field is found by its position alone, and no text of a user's can
 * be anything but the value of its own field.
 *
 * Only NodeList may be longer than its column; squeue does not cut it.  It
 * comes last, and ends with the line, as no name of a node holds a newline.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/slurm/slurm_member.h"

#define SQUEUE_WIDTH_MAX   1023 /* of a column, in bytes */
#define SQUEUE_VALUE_SIZE  4096 /* a longer list of nodes is left out */
#define SQUEUE_FORMAT_SIZE 1024
#define SQUEUE_ARGS_MAX    12

struct squeue_column {
	const char *name; /* for --Format */
	int width;        /* in bytes; 0: the last one, of any length */
	/* Put the value, without the blanks that fill the column, into *into;
	 * -1: it makes no sense.  NULL: into the member. */
	int (*set)(void *into, const char *value);
	struct slurm_member member;
};

/* Make the value of --Format for the columns, which end with a row whose name
 * is NULL. */
void squeue_format_make(const struct squeue_column columns[],
			char ret[SQUEUE_FORMAT_SIZE]);

/* The command line, for slurm_command_start(). */
struct squeue_args {
	char format[SQUEUE_FORMAT_SIZE];
	const char *argv[SQUEUE_ARGS_MAX]; /* ends with NULL */
};

/* `squeue` is the command, `job` a job's id as squeue takes it, `cluster` the
 * cluster, or NULL for that of slurm.conf; all are lent to *ret.  `columns`
 * ends with a row whose name is NULL. */
void squeue_args_make(const char *squeue, const char *job, const char *cluster,
		      const struct squeue_column columns[],
		      struct squeue_args *ret);

/* Read the record at *record, in a text that ends at `end`, and move *record
 * behind it.  Fails when a column is not where it should be; then *record is
 * not moved, as what follows has no meaning, and *into is of no use.  When a
 * value makes no sense *into is of no use, but *record has moved: the return
 * value is 1. */
int squeue_record_read(const struct squeue_column columns[],
		       const char **record, const char *end, void *into,
		       struct sp_error *err);
