/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol_record.h - records of "Key=Value Key=Value", a line each, as
 * scontrol --oneliner prints them
 *
 * scontrol prints texts of users as they are: a job name, a path or a comment
 * may hold blanks, newlines and what looks like further keys.  So a key may
 * stand in a record more than once; the rule of a key says what then holds.
 */
#ifndef PREDICTOR_SLURM_SCONTROL_RECORD_H
#define PREDICTOR_SLURM_SCONTROL_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"

/* Longer values are cut. */
#define SCONTROL_VALUE_SIZE 8192

enum scontrol_rule {
	SCONTROL_REQUIRED,    /* exactly once, or the record is refused */
	SCONTROL_OPTIONAL,    /* more than once: the record is refused */
	SCONTROL_UNAMBIGUOUS, /* more than once: as if it were missing */
	SCONTROL_FIRST,       /* the first counts; may be missing */
};

struct scontrol_key {
	const char *name;
	/* Put the value into *into; -1: it makes no sense. */
	int (*set)(void *into, const char *value);
	enum scontrol_rule rule;
	/* What ends a value that may hold blanks: the next key, as " UserId=",
	 * or "\n".  NULL: a blank. */
	const char *end;
};

/* Read a record of `length` bytes; `keys` ends with a row whose name is NULL.
 * Values end with their line at the latest.  After a failure *into is of no
 * use. */
int scontrol_record_read(const char *record, size_t length,
			 const struct scontrol_key keys[], void *into,
			 struct sp_error *err);

/* A copy of `value` without "(null)" and "N/A", scontrol's words for nothing,
 * cut to size-1 bytes. */
void scontrol_text_copy(const char *value, char *ret, size_t size);

/* The value of "Key   = value" as `scontrol show config` prints it, up to
 * the end of its line; NULL: there is none.  Lent from `text`. */
const char *scontrol_config_value(const char *text, const char *key);

#endif
