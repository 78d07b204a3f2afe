/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_jobs.c - submit held jobs one after another, and time each
 *
 *   submit-jobs [-n COUNT] [-t MINUTES] [-p PARTITION] [-c PARTITION]
 *               [-b BYTES] [-e] [-i] [-v]
 *
 * -c submits each job to that partition, too, for comparison, in turns before
 * and after the other, and prints a line "pair MS MS" with the time of the job
 * and that of its twin.  -b pads the script; -e does not hold the jobs; -i
 * cycles through a few applications and sizes; -v prints a line "JOBID STATUS
 * MESSAGE" per job, none for twins.  In the end a line "submitted N failed N
 * per_s X median_ms X max_ms X", without twins.  Exits 1 if one failed.
 */
#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Since 25.11 it is within the id of a step. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define SUBMITTED_ID(reply) ((reply)->step_id.job_id)
#else
#define SUBMITTED_ID(reply) ((reply)->job_id)
#endif

#define COUNT_MAX 1000000
#define PAD_MAX   (4 << 20)

struct options {
	int count;
	uint32_t limit_min;
	char *partition;
	char *compared; /* partition of the twins; NULL: there are none */
	int script_bytes;
	bool varied, verbose, eligible;
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A script of a few lines as people write them, then comments as padding. */
static char *make_script(const struct options *options, int i)
{
	static const char padding[] = "# notes on this run and the last ones\n";
	size_t size = (size_t)options->script_bytes + 512;
	char *script = malloc(size);

	if (!script)
		return NULL;

	int used = snprintf(script, size,
			    "#!/bin/bash\n#SBATCH -J nbody\n"
			    "module load openmpi\ncd $SLURM_SUBMIT_DIR\n"
			    "mpirun ./nbody%d -n %d -s 100\n",
			    options->varied ? i % 7 : 0,
			    options->varied ? 1000 + i % 13 * 500 : 1000);

	while (used + (int)sizeof(padding) < options->script_bytes) {
		memcpy(script + used, padding, sizeof(padding));
		used += (int)sizeof(padding) - 1;
	}
	return script;
}

static bool submit(const struct options *options, int i)
{
	static char *environment[] = { "PATH=/usr/bin:/bin", "HOME=/tmp",
				       "PREDICT_SIZE=12", NULL };
	static char *arguments[] = { "/tmp/job.sh", "-n", "1000", NULL };
	job_desc_msg_t desc;
	submit_response_msg_t *reply = NULL;
	char *script = make_script(options, i);

	if (!script)
		return false;
	slurm_init_job_desc_msg(&desc);
	desc.name = "nbody";
	desc.script = script;
	desc.environment = environment;
	desc.env_size = 3;
	desc.argv = arguments;
	desc.argc = 3;
	desc.work_dir = "/tmp";
	desc.std_out = "/dev/null";
	desc.user_id = getuid();
	desc.group_id = getgid();
	if (!options->eligible)
		desc.priority = 0; /* held */
	desc.min_nodes = 1;
	desc.partition = options->partition;
	if (options->limit_min)
		desc.time_limit = options->limit_min;

	bool ok = slurm_submit_batch_job(&desc, &reply) == SLURM_SUCCESS;

	if (options->verbose)
		printf("%u %s %s\n", ok ? SUBMITTED_ID(reply) : 0,
		       ok ? "ok" : slurm_strerror(errno),
		       reply && reply->job_submit_user_msg
			       ? reply->job_submit_user_msg
			       : "");
	slurm_free_submit_response_response_msg(reply);
	free(script);
	return ok;
}

/* Submit job i and see how long that takes; 1 if it failed. */
static int time_job(const struct options *options, int i, double *ret_ms)
{
	double before_ms = now_ms();
	bool ok = submit(options, i);

	*ret_ms = now_ms() - before_ms;
	return !ok;
}

/* Job i and its twin; which is first changes from pair to pair. */
static int time_pair(const struct options *options, int i, double *ret_ms)
{
	struct options twin = *options;
	double twin_ms;
	int failed = 0;

	twin.partition = options->compared;
	twin.verbose = false;
	if (i % 2)
		failed += time_job(&twin, i, &twin_ms);
	failed += time_job(options, i, ret_ms);
	if (i % 2 == 0)
		failed += time_job(&twin, i, &twin_ms);
	printf("pair %.3f %.3f\n", *ret_ms, twin_ms);
	return failed;
}

static int run(const struct options *options)
{
	double *took_ms = calloc((size_t)options->count, sizeof(*took_ms));
	int failed = 0;

	if (!took_ms)
		return 1;

	double began_ms = now_ms();

	for (int i = 0; i < options->count; i++)
		failed += options->compared ? time_pair(options, i, &took_ms[i])
					    : time_job(options, i, &took_ms[i]);

	double all_s = (now_ms() - began_ms) * 1e-3;

	qsort(took_ms, (size_t)options->count, sizeof(*took_ms), ascending);
	printf("submitted %d failed %d per_s %.1f median_ms %.3f max_ms "
	       "%.3f\n",
	       options->count, failed, options->count / all_s,
	       took_ms[options->count / 2], took_ms[options->count - 1]);
	free(took_ms);
	return failed != 0;
}

static int bounded(const char *text, int max)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < 0 || value > max) {
		fprintf(stderr, "submit-jobs: %s: must be 0 to %d\n", text,
			max);
		exit(2);
	}
	return (int)value;
}

int main(int argc, char *argv[])
{
	struct options options = { .count = 1 };
	int letter;

	while ((letter = getopt(argc, argv, "n:t:p:c:b:eiv")) != -1) {
		switch (letter) {
		case 'n':
			options.count = bounded(optarg, COUNT_MAX);
			break;
		case 't':
			options.limit_min =
				(uint32_t)bounded(optarg, COUNT_MAX);
			break;
		case 'p':
			options.partition = optarg;
			break;
		case 'c':
			options.compared = optarg;
			break;
		case 'b':
			options.script_bytes = bounded(optarg, PAD_MAX);
			break;
		case 'e':
			options.eligible = true;
			break;
		case 'i':
			options.varied = true;
			break;
		case 'v':
			options.verbose = true;
			break;
		default:
			fprintf(stderr,
				"usage: submit-jobs [-n COUNT] "
				"[-t MINUTES] [-p PARTITION] "
				"[-c PARTITION] [-b BYTES] [-e] [-i] [-v]\n");
			return 2;
		}
	}
	if (!options.count)
		return 0;
	slurm_init(NULL);

	int rc = run(&options);

	slurm_fini();
	return rc;
}
