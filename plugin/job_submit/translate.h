/* SPDX-License-Identifier: GPL-2.0-or-later */
/* translate.h - Slurm's job description as a request for a prediction
 *
 * Needs Slurm's public header, and nothing of its libraries.
 */
#pragma once

#include <slurm/slurm.h>

#include "predictor/wire/wire.h"

#define TRANSLATION_TEXT_SIZE \
	8192 /* of names and values copied from longer texts */

struct translation {
	/* Its job lends from the description and from `text`; the caller may
	 * change mode and quantile. */
	struct wire_request request;
	size_t text_used;
	char text[TRANSLATION_TEXT_SIZE];
};

/* Everything in `desc` that may matter for the run time.  What is missing or
 * exceeds a limit is left out: this cannot fail.  `cluster` and everything
 * below `desc` must outlive *ret. */
void translate(const job_desc_msg_t *desc, const char *cluster,
	       struct translation *ret);
