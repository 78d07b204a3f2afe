/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_conf_file.h - values of keys in slurm.conf, read without slurmctld
 *
 * For what must be known before slurmctld runs, and where `scontrol show
 * config` cannot be used.  Files named by Include are read, too.  Reads only
 * what is written: defaults of Slurm are the caller's.
 */
#pragma once

#include "predictor/base/error.h"

struct slurm_conf_file;

/* Return the file that Slurm's commands read here: `configured` unless it is
 * NULL or empty, else $SLURM_CONF, else the first that exists of the places
 * where packages have it; lent.  NULL: there is none. */
const char *slurm_conf_file_path(const char *configured);

/* NULL, with *err: a file cannot be read, or is too large. */
struct slurm_conf_file *slurm_conf_file_read(const char *path,
					     struct sp_error *err);

void slurm_conf_file_destroy(struct slurm_conf_file *file); /* may be NULL */

/* Return the value of a key that is given last, without quotes, lent; keys are
 * case-insensitive.  NULL: the key is not there. */
const char *slurm_conf_file_value(const struct slurm_conf_file *file,
				  const char *key);
