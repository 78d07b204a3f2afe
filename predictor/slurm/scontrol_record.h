/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol_record.h - records of "Key=Value Key=Value", a line each, as
 * scontrol --oneliner prints nodes
 *
 * The first value of a key counts.  This is safe where texts with blanks in
 * them come behind all keys that are read; in records of jobs they do not, see
 * squeue_record.h.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/slurm/slurm_member.h"

/* Longer values are cut. */
#define SCONTROL_VALUE_SIZE 8192

struct scontrol_key {
	const char *name;
	/* Put the value into *into; -1: it makes no sense.  NULL: into the
	 * member. */
	int (*set)(void *into, const char *value);
	struct slurm_member member;
};

/* Read a record of `length` bytes; `keys` ends with a row whose name is NULL.
 * A key that is missing is not set.  After a failure *into is of no use. */
int scontrol_record_read(const char *record, size_t length,
			 const struct scontrol_key keys[], void *into,
			 struct sp_error *err);

/* Return the value of "Key   = value", as `scontrol show config` prints it, up
 * to the end of its line; NULL: there is none.  Lent from `text`. */
const char *scontrol_config_value(const char *text, const char *key);
