/* message.h - the one line that a user reads at submission */
#ifndef PLUGIN_JOB_SUBMIT_MESSAGE_H
#define PLUGIN_JOB_SUBMIT_MESSAGE_H

#include <stdint.h>

#include "plugin/site/policy.h"

#define MESSAGE_SIZE 256

/* Write what `prediction` says, with the limit that was set for the job in
 * minutes (0: none was).  Only numbers of the prediction are shown, never its
 * texts.  Returns `ret_text`, or NULL if the user is to be told nothing. */
const char *message_format(enum policy_message when,
			   const struct prediction_answer *prediction,
			   uint32_t limit_min, char ret_text[MESSAGE_SIZE]);

#endif
