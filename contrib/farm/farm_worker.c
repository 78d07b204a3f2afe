/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_worker.c - do tasks until the iteration ends */
#include "contrib/farm/farm_run.h"

int predict_farm_result_write(struct predict_farm_result *result,
			      const void *bytes, size_t count)
{
	return message_append(result->message, bytes, count);
}

/* The reply's record of the task; its time is added to the reply's head. */
static void do_task(const struct predict_farm_program *program,
		    const struct message_record *task,
		    const unsigned char *input, struct message *reply)
{
	struct predict_farm_result result = { reply };
	double start = MPI_Wtime();

	if (message_record_begin(reply, task->task) == 0)
		program->work(program->context, (int)task->task, input,
			      task->bytes, &result);

	double time_s = MPI_Wtime() - start;

	if (message_record_end(reply)) {
		/* The task is done, but its result did not fit. */
		message_record_begin(reply, task->task);
		message_record_end(reply);
	}
	message_head_of(reply)->sum_s += time_s;
	message_head_of(reply)->squares_s += time_s * time_s;
}

int farm_worker(struct predict_farm *farm,
		const struct predict_farm_program *program)
{
	struct message *chunk = &farm->received, *reply = &farm->reply;
	struct message_record task;
	const unsigned char *input;
	MPI_Message message;
	MPI_Status status;

	for (;;) {
		size_t at = 0;

		farm_wait(farm->comm, 0, &message, &status);

		int rc = farm_receive(farm->comm, &message, &status, chunk);

		if (status.MPI_TAG != TAG_CHUNK)
			return status.MPI_TAG == TAG_STOP ? PREDICT_FARM_STOPPED
							  : 0;
		/* Without memory for the chunk the reply is empty, and the
		 * master hands its tasks out to others. */
		message_begin(reply, rc ? farm->iteration
					: message_head_of(chunk)->iteration);
		while (!rc && message_next(chunk, &at, &task, &input))
			do_task(program, &task, input, reply);
		MPI_Send(reply->of, (int)reply->size, MPI_BYTE, 0, TAG_RESULT,
			 farm->comm);
	}
}
