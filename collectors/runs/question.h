/* question.h - asks scontrol, as a child process, without waiting
 *
 * scontrol knows how to reach slurmctld, and its backups, of any release; all
 * that is needed of Slurm here.  One question at a time; the answer's size and
 * time are bounded.
 */
#ifndef COLLECTORS_RUNS_QUESTION_H
#define COLLECTORS_RUNS_QUESTION_H

#include <stddef.h>

#include "predictor/base/error.h"

#define QUESTION_ANSWER_MAX (8 << 20) /* bytes */

struct question;

enum question_state {
	QUESTION_OPEN,
	QUESTION_ANSWERED, /* it exited with 0 */
	QUESTION_FAILED,   /* it did not, or not in time */
};

struct question *question_create(void);           /* NULL: out of memory */
void question_destroy(struct question *question); /* ends the child */

/* Start `arguments` ([0] is the program's path, NULL ends them). */
int question_ask(struct question *question, char *const arguments[],
		 double timeout_s, struct sp_error *err);

/* To wait for; -1: none is open. */
int question_fd(const struct question *question);

/* Take what has come, without waiting.  Once it is not open any more, *ret_text
 * is what the child wrote, errors included, lent until the next question. */
enum question_state question_poll(struct question *question,
				  const char **ret_text, size_t *ret_size);

#endif
