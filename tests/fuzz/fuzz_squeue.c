/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_squeue.c - any bytes as squeue's output, and as texts of users in it
 *
 * The oracle: whatever the texts are, a record is read, and each of its other
 * fields has the value that it has beside harmless texts.
 */
#include <math.h>
#include <stdint.h>

#include "predictor/slurm/queue_record.h"
#include "predictor/slurm/queued_job.h"
#include "predictor/slurm/slurm_job.h"
#include "tests/squeue_print.h"

#define JOB_ID     12
#define TEXT_SIZE  4096
#define USER_TEXTS 3 /* name, feature, and a request for GPUs */

static void raw_check(const char *text, size_t size)
{
	struct slurm_job job;
	struct queued_job queued;
	struct queue_record record;
	const char *at = text;
	struct sp_error err;

	if (slurm_job_parse(text, size, JOB_ID, &job, &err) == 0) {
		if (job.run.job_id != JOB_ID || isinf(job.run.started_at_s) ||
		    (job.phase == SLURM_ENDED) ==
			    (job.run.state == RUN_RUNNING))
			abort();
	}
	if (queued_job_parse(text, size, &queued, &err) == 0 && !queued.job_id)
		abort();
	while (at < text + size) {
		const char *before = at;

		if (queue_record_read(&at, text + size, &record, &err) < 0)
			break;
		if (at <= before || record.elapsed_s < 0)
			abort();
	}
}

static void job_read(const char *const texts[USER_TEXTS], struct slurm_job *ret)
{
	static char record[2 * SQUEUE_RECORD_SIZE];
	const struct squeue_value values[] = {
		{ "jobid", "12" },
		{ "arrayjobid", "9" },
		{ "arraytaskid", "3" },
		{ "userid", "1000" },
		{ "username", "alice" },
		{ "partition", "main" },
		{ "state", "FAILED" },
		{ "restartcnt", "2" },
		{ "exit_code", "768" },
		{ "timelimit", "1-02:03:04" },
		{ "submittime", "1795164589" },
		{ "starttime", "1795164590" },
		{ "endtime", "1795164591" },
		{ "numnodes", "2" },
		{ "numcpus", "8" },
		{ "numtasks", "4" },
		{ "minmemory", "1.50G" },
		{ "tres-alloc", "cpu=8,mem=12G,node=2,billing=8" },
		{ "name", texts[0] },
		{ "feature", texts[1] },
		{ "tres-per-node", texts[2] },
		{ "admin_comment", "predict=0123456789abcdef" },
		{ "nodelist", "n[1-2]" },
		{ NULL, NULL },
	};
	struct squeue_args args;
	struct sp_error err;
	size_t size = 0;

	slurm_job_args("squeue", "12", &args);
	squeue_print(args.format, values, record, &size);
	squeue_print(args.format, values, record, &size);
	if (slurm_job_parse(record, size, JOB_ID, ret, &err))
		abort();
}

/* Texts are ended by 0x00, as they would be for Slurm. */
static void oracle_check(const uint8_t *data, size_t size)
{
	static const char *const harmless[USER_TEXTS] = { "x", "x", "x" };
	static char buffers[USER_TEXTS][TEXT_SIZE];
	const char *texts[USER_TEXTS];
	struct slurm_job honest, job;

	for (int i = 0; i < USER_TEXTS; i++) {
		size_t length = strnlen((const char *)data, size);

		texts[i] = buffers[i];
		snprintf(buffers[i], TEXT_SIZE, "%.*s", (int)length, data);
		data += length + (length < size);
		size -= length + (length < size);
	}
	job_read(harmless, &honest);
	job_read(texts, &job);
	strcpy(job.run.job_name, honest.run.job_name);
	strcpy(job.run.features, honest.run.features);
	memcpy(job.run.gres, honest.run.gres, sizeof(job.run.gres));
	if (memcmp(&job, &honest, offsetof(struct slurm_job, run)) != 0 ||
	    job.run.user_id != honest.run.user_id ||
	    strcmp(job.run.user, honest.run.user) != 0 ||
	    strcmp(job.run.prediction_id, honest.run.prediction_id) != 0 ||
	    strcmp(job.run.node_list, honest.run.node_list) != 0 ||
	    job.run.state != honest.run.state ||
	    job.run.started_at_s != honest.run.started_at_s ||
	    job.run.ended_at_s != honest.run.ended_at_s ||
	    job.run.limit_s != honest.run.limit_s ||
	    job.run.memory_mb != honest.run.memory_mb ||
	    job.run.nodes != honest.run.nodes ||
	    job.run.cpus != honest.run.cpus ||
	    job.run.tasks != honest.run.tasks)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	raw_check((const char *)data, size);
	oracle_check(data, size);
	return 0;
}
