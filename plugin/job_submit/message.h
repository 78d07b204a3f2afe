/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - the line that the user sees at submission */
#ifndef PLUGIN_JOB_SUBMIT_MESSAGE_H
#define PLUGIN_JOB_SUBMIT_MESSAGE_H

#include <stdint.h>

#include "plugin/site/policy.h"

#define MESSAGE_SIZE 384

/* Format `prediction`, with the limit that was set for the job in minutes (0:
 * none).  Of the prediction's texts only a list of nodes is shown.  Returns
 * `ret_text`, or NULL for no message, as for a job that Slurm is going to
 * reject. */
const char *message_format(enum policy_message when,
			   const struct prediction_answer *prediction,
			   uint32_t limit_min, char ret_text[MESSAGE_SIZE]);

#endif
