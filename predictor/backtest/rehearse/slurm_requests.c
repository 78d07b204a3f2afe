/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_requests.c - what the driver asks of slurmctld */
#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "predictor/backtest/rehearse/slurm_requests.h"

#define FIRST_USER 20000 /* users of the log are none of the machine's */
#define MINUTE_S   60.0

#define NAME_LETTERS                 \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"abcdefghijklmnopqrstuvwxyz0123456789_.-"

/* Of "LOG=SLURM,...", that of this name; false: there is none. */
static bool partition_find(const char *partitions, const char *name,
			   size_t length, char ret[RUN_NAME_SIZE])
{
	for (const char *at = partitions; *at; at += *at == ',') {
		size_t entry = strcspn(at, ",");

		if (entry > length && strncmp(at, name, length) == 0 &&
		    at[length] == '=') {
			snprintf(ret, RUN_NAME_SIZE, "%.*s",
				 (int)(entry - length - 1), at + length + 1);
			return true;
		}
		at += entry;
	}
	return false;
}

static bool partition_of(const struct rehearse_job *j, const char *partitions,
			 char ret[RUN_NAME_SIZE])
{
	const char *name = j->partition;
	const char *slash = strchr(name, '/');

	if (!partitions)
		return false;
	return partition_find(partitions, name, strlen(name), ret) ||
	       (slash && (partition_find(partitions, name,
					 (size_t)(slash - name), ret) ||
			  partition_find(partitions, slash + 1,
					 strlen(slash + 1), ret)));
}

/* `partition` is lent to *ret. */
static void job_describe(const struct rehearse_job *j,
			 const struct slurm_request *request, uint32_t cpus,
			 char partition[RUN_NAME_SIZE], job_desc_msg_t *ret)
{
	slurm_init_job_desc_msg(ret);
	ret->name = "rehearsed";
	ret->user_id = FIRST_USER + j->user % FIRST_USER;
	ret->group_id = ret->user_id;
	ret->work_dir = "/";
	ret->alloc_node = "ctl";
	ret->alloc_sid = 1;
	ret->min_cpus = cpus;
	ret->num_tasks = cpus;
	ret->time_limit = (uint32_t)(j->limit_s / MINUTE_S);
	if (request->priority)
		ret->priority = request->priority;
	ret->dependency = (char *)request->dependency;
	ret->spank_job_env = (char **)&request->variable;
	ret->spank_job_env_size = request->variable != NULL;
	if (request->accounts && *j->account)
		ret->account = (char *)j->account;
	if (request->accounts && *j->qos)
		ret->qos = (char *)j->qos;
	if (partition_of(j, request->partitions, partition))
		ret->partition = partition;
}

/* After a failure of Slurm's. */
static int refused(const struct rehearse_job *j, struct sp_error *err)
{
	int code = errno;

	sp_error_set(err, "job %u of the log: %s", j->log_id,
		     slurm_strerror(code));
	switch (code) {
	case ESLURM_INVALID_TIME_LIMIT:
	case ESLURM_INVALID_NODE_COUNT:
	case ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE:
	case ESLURM_TOO_MANY_REQUESTED_CPUS:
	case ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE:
	case ESLURM_INVALID_ACCOUNT:
	case ESLURM_INVALID_QOS:
	case ESLURM_ACCOUNTING_POLICY:
	case ESLURM_USER_ID_MISSING:
		return 1;
	default:
		return -1;
	}
}

static int single_submit(const struct rehearse_job *j,
			 const struct slurm_request *request, uint32_t *ret_id,
			 struct sp_error *err)
{
	resource_allocation_response_msg_t *answer = NULL;
	char partition[RUN_NAME_SIZE];
	job_desc_msg_t wanted;

	job_describe(j, request, j->cpus, partition, &wanted);
	if (slurm_allocate_resources(&wanted, &answer))
		return refused(j, err);
	*ret_id = JOB_ID_OF(answer);
	slurm_free_resource_allocation_response_msg(answer);
	return 0;
}

static void batch_describe(job_desc_msg_t *wanted)
{
	static char *environment[] = { "REHEARSED=1", NULL };

	wanted->environment = environment;
	wanted->env_size = 1;
	wanted->script = "#!/bin/sh\n";
}

/* An array, or a job that may be started again. */
static int batch_submit(const struct rehearse_job *j,
			const struct slurm_request *request, uint32_t *ret_id,
			struct sp_error *err)
{
	submit_response_msg_t *answer = NULL;
	char partition[RUN_NAME_SIZE], tasks[64];
	job_desc_msg_t wanted;

	job_describe(j, request, j->cpus, partition, &wanted);
	batch_describe(&wanted);
	wanted.requeue = request->requeue;
	snprintf(tasks, sizeof tasks, j->array_most ? "0-%u%%%u" : "0-%u",
		 j->group_size - 1, j->array_most);
	if (j->group_size > 1)
		wanted.array_inx = tasks;
	if (slurm_submit_batch_job(&wanted, &answer))
		return refused(j, err);
	*ret_id = JOB_ID_OF(answer);
	slurm_free_submit_response_response_msg(answer);
	return 0;
}

/* salloc's request for several components waits until they start, sbatch's
 * does not. */
static int het_submit(const struct rehearse_job *j,
		      const struct slurm_request *request, uint32_t *ret_id,
		      struct sp_error *err)
{
	bool of_log = j->group_size > 1;
	uint32_t count = of_log ? j->group_size : j->components;
	job_desc_msg_t *wanted = calloc(count, sizeof *wanted);
	char(*partitions)[RUN_NAME_SIZE] = calloc(count, sizeof *partitions);
	submit_response_msg_t *answer = NULL;
	uint32_t left = j->cpus;
	int rc = -1;

	if (!wanted || !partitions) {
		sp_error_set(err, "out of memory");
		goto out;
	}

	__auto_type list = slurm_list_create(NULL); /* List, or list_t * */

	for (uint32_t k = 0; k < count; k++) {
		uint32_t cpus = of_log ? j[k].cpus : left / (count - k);

		job_describe(of_log ? &j[k] : j, request, cpus, partitions[k],
			     &wanted[k]);
		batch_describe(&wanted[k]);
		if (k > 0)
			wanted[k].script = NULL;
		left -= cpus;
		slurm_list_append(list, &wanted[k]);
	}
	rc = slurm_submit_batch_het_job(list, &answer);
	if (rc)
		rc = refused(j, err);
	else
		*ret_id = JOB_ID_OF(answer);
	if (answer)
		slurm_free_submit_response_response_msg(answer);
	slurm_list_destroy(list);
out:
	free(partitions);
	free(wanted);
	return rc;
}

int slurm_requests_submit(const struct rehearse_job *job,
			  const struct slurm_request *request, uint32_t *ret_id,
			  struct sp_error *err)
{
	bool several = job->group_size > 1;

	if (job->components > 1 || (several && job->group == GROUP_HET))
		return het_submit(job, request, ret_id, err);
	return several || request->requeue
		       ? batch_submit(job, request, ret_id, err)
		       : single_submit(job, request, ret_id, err);
}

/* What is safe in a line of passwd(5), and none of the machine's. */
static bool name_is_new(const char *name)
{
	struct passwd entry, *found = NULL;
	char text[1024];

	return *name && strspn(name, NAME_LETTERS) == strlen(name) &&
	       !isdigit((unsigned char)*name) &&
	       !getpwnam_r(name, &entry, text, sizeof text, &found) && !found;
}

int slurm_requests_users(const char *path, const struct rehearse_jobs *jobs,
			 struct sp_error *err)
{
	bool *known = calloc(FIRST_USER, sizeof *known);
	FILE *file = fopen(path, "a");

	for (size_t i = 0; known && file && i < jobs->count; i++) {
		const struct rehearse_job *j = &jobs->of[i];
		uint32_t user = j->user % FIRST_USER, id = FIRST_USER + user;

		if (known[user])
			continue;
		known[user] = true;
		if (name_is_new(j->user_name))
			fprintf(file, "%s", j->user_name);
		else
			fprintf(file, "rehearsed%u", user);
		fprintf(file, ":x:%u:%u::/:/bin/false\n", id, id);
	}

	bool failed = !known || !file || ferror(file);

	failed |= file && fclose(file);
	free(known);
	return failed ? sp_error_set(err, "%s: no users are added", path) : 0;
}

int slurm_requests_complete(uint32_t id, struct sp_error *err)
{
#ifdef SLURM_STEP_ID_INITIALIZER
	slurm_step_id_t step = SLURM_STEP_ID_INITIALIZER;

	step.job_id = id;

	int rc = slurm_complete_job(&step, 0);
#else
	int rc = slurm_complete_job(id, 0);
#endif

	return rc && errno != ESLURM_ALREADY_DONE
		       ? sp_error_set(err, "job %u: %s", id,
				      slurm_strerror(errno))
		       : 0;
}

int slurm_requests_reserve(time_t from, double seconds, struct sp_error *err)
{
	resv_desc_msg_t wanted;

	slurm_init_resv_desc_msg(&wanted);
	wanted.name = "maintenance";
	wanted.start_time = from;
	wanted.duration = (uint32_t)(seconds / MINUTE_S);
	wanted.node_list = "ALL";
	wanted.users = "root";
	wanted.flags = RESERVE_FLAG_MAINT;

	/* Its name is for free() before 26.05, and for Slurm's own xfree()
	 * since: it is left, for there is one reservation until the
	 * program ends. */
	if (!slurm_create_reservation(&wanted))
		return sp_error_set(err, "no reservation: %s",
				    slurm_strerror(errno));
	return 0;
}
