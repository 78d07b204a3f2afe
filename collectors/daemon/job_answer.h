/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_answer.h - what predictd says of a job, as a file for its tasks */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"

#define JOB_ANSWER_PATH_SIZE 500 /* predictd takes no more */

/* `before` and a list of nodes, with brackets as a path may have them.  -1: it
 * is too long. */
int job_answer_path(const char *before, const char *nodes,
		    char ret[JOB_ANSWER_PATH_SIZE]);

/* Write `name` in the folder, which its user alone may read (sole_reader.h);
 * under a name of its own until it is complete.  Not flushed: after a crash of
 * the node its job is gone, too.  `replaces`: only while there is such a file,
 * which the plugin removes at the end of the job. */
int job_answer_write(int folder, const char *name, bool replaces,
		     uint32_t user_id, const char *text, size_t size,
		     struct sp_error *err);
