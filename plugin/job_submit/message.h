/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - what people read of a prediction: at submission, in
 * AdminComment */
#pragma once

#include "plugin/site/policy.h"

#define MESSAGE_SIZE      512
#define MESSAGE_NOTE_SIZE 128

/* Format `prediction`, with the limit that was set for the job in minutes (0:
 * none).  The list of nodes is the only one of the prediction's texts that is
 * shown.  Returns `ret_text`, or NULL for no message, as for a job that Slurm
 * is going to reject. */
const char *message_format(enum policy_message when,
			   const struct prediction_answer *prediction,
			   uint32_t limit_min, char ret_text[MESSAGE_SIZE]);

/* Add when a job of this priority starts, as "; starts about 14:10
 * (13:40-15:30)", in the time zone of this host, or make that the message if
 * `text` is empty.  Nothing is added where it is not known. */
void message_add_start(const struct prediction_answer *prediction,
		       double priority, double now_s, char text[MESSAGE_SIZE]);

/* About the number of nodes, where the job leaves it open from n_min to n_max,
 * with its limit as for moldable_best(): "predict: 12 of 8-32 nodes is best
 * (6m00, 78% efficient); 23 is fastest (5m00)".  NULL: it is not known. */
const char *message_nodes(const struct placement_curve *curve,
			  const struct moldable_goal *goal, double limit_s,
			  uint32_t n_min, uint32_t n_max,
			  char ret_text[MESSAGE_SIZE]);

/* An array of `tasks` that are not much longer than what it costs to start
 * them: what to do.  Returns `ret_text`, or NULL for no message. */
const char *message_bundle(enum policy_message when,
			   const struct prediction_answer *prediction,
			   uint32_t tasks, char ret_text[MESSAGE_SIZE]);

/* Return the note for AdminComment: "predict=ID:p50=1h02,p90=1h30", with the
 * times only if the job's user is shown them too (`shown`), and they are no
 * guess; else "predict=ID".  Returns `ret_note`, or NULL without an id. */
const char *message_note(const struct prediction_answer *prediction, bool shown,
			 char ret_note[MESSAGE_NOTE_SIZE]);
