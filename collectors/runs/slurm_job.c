/* slurm_job.c - a job as `scontrol --oneliner show job ID` tells it */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/runs/events.h"
#include "collectors/runs/slurm_job.h"
#include "predictor/base/duration.h"

#define VALUE_SIZE 1024
#define TIME_MAX_S 1e11

static int set_name(const char *value, char *to, size_t size)
{
	/* scontrol's word for nothing. */
	if (strcmp(value, "(null)") == 0 || strcmp(value, "N/A") == 0)
		value = "";

	size_t length = strnlen(value, size - 1);

	memcpy(to, value, length);
	to[length] = '\0';
	return 0;
}

static int set_count(const char *value, uint32_t *to)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	/* "2-4": of a job that waits. */
	if (!isdigit((unsigned char)*value) || (*end && *end != '-') ||
	    number > UINT32_MAX)
		return -1;
	*to = (uint32_t)number;
	return 0;
}

static int set_time(const char *value, double *to)
{
	char *end;
	double time_s = strtod(value, &end);

	*to = isdigit((unsigned char)*value) && !*end && time_s > 0 &&
			      time_s < TIME_MAX_S
		      ? time_s
		      : NAN;
	return 0;
}

static int set_job(struct slurm_job *job, const char *value)
{
	return set_count(value, &job->run.job_id);
}

static int set_array_job(struct slurm_job *job, const char *value)
{
	return set_count(value, &job->run.array_job_id);
}

static int set_array_task(struct slurm_job *job, const char *value)
{
	/* "4-9" or "N/A" of those that wait. */
	if (set_count(value, &job->run.array_task_id))
		job->run.array_task_id = 0;
	return 0;
}

static int set_job_name(struct slurm_job *job, const char *value)
{
	return set_name(value, job->run.job_name, sizeof(job->run.job_name));
}

/* "name(1000)"; an unknown user is "1000(1000)" or so. */
static int set_user(struct slurm_job *job, const char *value)
{
	const char *paren = strrchr(value, '(');
	char name[VALUE_SIZE];
	char digits[16] = "";
	size_t length = paren ? strspn(paren + 1, "0123456789") : 0;

	if (!length || length >= sizeof(digits) ||
	    strcmp(paren + 1 + length, ")") != 0)
		return -1;
	memcpy(digits, paren + 1, length);
	memcpy(name, value, (size_t)(paren - value));
	name[paren - value] = '\0';
	set_name(name, job->run.user, sizeof(job->run.user));
	return set_count(digits, &job->run.user_id);
}

static int set_account(struct slurm_job *job, const char *value)
{
	return set_name(value, job->run.account, sizeof(job->run.account));
}

static int set_partition(struct slurm_job *job, const char *value)
{
	return set_name(value, job->run.partition, sizeof(job->run.partition));
}

static int set_state(struct slurm_job *job, const char *value)
{
	static const struct {
		const char *word;
		enum slurm_phase phase;
	} words[] = {
		{ "PENDING", SLURM_WAITING },
		{ "REQUEUED", SLURM_WAITING },
		{ "REQUEUE_FED", SLURM_WAITING },
		{ "REQUEUE_HOLD", SLURM_WAITING },
		{ "SPECIAL_EXIT", SLURM_WAITING },
		{ "RESV_DEL_HOLD", SLURM_WAITING },
		{ "CONFIGURING", SLURM_RUNNING },
		{ "RUNNING", SLURM_RUNNING },
		{ "RESIZING", SLURM_RUNNING },
		{ "SIGNALING", SLURM_RUNNING },
		{ "STOPPED", SLURM_RUNNING },
		{ "SUSPENDED", SLURM_RUNNING },
		{ "COMPLETING", SLURM_ENDING },
		{ "STAGE_OUT", SLURM_ENDING },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].word, value) == 0) {
			job->phase = words[i].phase;
			job->run.state = RUN_RUNNING;
			return 0;
		}
	job->phase = SLURM_ENDED;
	return run_state_parse(value, &job->run.state);
}

static int set_restarts(struct slurm_job *job, const char *value)
{
	uint32_t count;

	if (set_count(value, &count) || count > 1000000)
		return -1;
	job->restarts = (int)count;
	return 0;
}

static int set_exit(struct slurm_job *job, const char *value)
{
	return exit_parse(value, &job->run.exit_code, &job->run.exit_signal);
}

static int set_limit(struct slurm_job *job, const char *value)
{
	/* "Partition_Limit" of a job that waits. */
	if (duration_parse(value, &job->run.limit_s, NULL))
		job->run.limit_s = NAN;
	return 0;
}

static int set_submitted(struct slurm_job *job, const char *value)
{
	return set_time(value, &job->run.submitted_at_s);
}

static int set_started(struct slurm_job *job, const char *value)
{
	return set_time(value, &job->run.started_at_s);
}

static int set_ended(struct slurm_job *job, const char *value)
{
	return set_time(value, &job->run.ended_at_s);
}

static int set_node_list(struct slurm_job *job, const char *value)
{
	/* A list that is cut would name nodes that are not there. */
	if (strlen(value) < sizeof(job->run.node_list))
		set_name(value, job->run.node_list, sizeof(job->run.node_list));
	return 0;
}

static int set_nodes(struct slurm_job *job, const char *value)
{
	return set_count(value, &job->run.nodes);
}

static int set_cpus(struct slurm_job *job, const char *value)
{
	return set_count(value, &job->run.cpus);
}

static int set_tasks(struct slurm_job *job, const char *value)
{
	return set_count(value, &job->run.tasks);
}

/* "100M", "1.50G", "0". */
static double memory_mb(const char *value)
{
	static const char units[] = "KMGTP";
	char *end;
	double number = strtod(value, &end);
	const char *unit = *end ? strchr(units, *end) : units + 1;

	if (!isdigit((unsigned char)*value) || !unit || (*end && end[1]) ||
	    number > 1e12)
		return 0;
	return number * pow(1024, (double)(unit - units) - 1);
}

/* The counts come before these in scontrol's order. */
static int set_memory_cpu(struct slurm_job *job, const char *value)
{
	job->run.memory_mb = memory_mb(value) * job->run.cpus;
	return 0;
}

static int set_memory_node(struct slurm_job *job, const char *value)
{
	job->run.memory_mb = memory_mb(value) * job->run.nodes;
	return 0;
}

static int is_hex16(const char *text)
{
	return strspn(text, "0123456789abcdef") == PREDICTION_ID_SIZE - 1;
}

static int set_admin_comment(struct slurm_job *job, const char *value)
{
	static const char key[] = "predict=";
	const char *at = value;

	/* Among what other tools wrote; the last one counts. */
	while ((at = strstr(at, key))) {
		at += strlen(key);
		if (is_hex16(at))
			snprintf(job->run.prediction_id,
				 sizeof(job->run.prediction_id), "%.16s", at);
	}
	return 0;
}

enum rule { REQUIRED, OPTIONAL, FREE };

static const struct key {
	const char *name;
	int (*set)(struct slurm_job *job, const char *value);
	enum rule rule;   /* FREE: optional, and left out where ambiguous */
	const char *next; /* the key behind a value with blanks */
} keys[] = {
	{ "JobId", set_job, REQUIRED, NULL },
	{ "ArrayJobId", set_array_job, OPTIONAL, NULL },
	{ "ArrayTaskId", set_array_task, OPTIONAL, NULL },
	{ "JobName", set_job_name, REQUIRED, " UserId=" },
	{ "UserId", set_user, REQUIRED, NULL },
	{ "Account", set_account, OPTIONAL, NULL },
	{ "JobState", set_state, REQUIRED, NULL },
	{ "Restarts", set_restarts, OPTIONAL, NULL },
	{ "ExitCode", set_exit, REQUIRED, NULL },
	{ "TimeLimit", set_limit, REQUIRED, NULL },
	{ "SubmitTime", set_submitted, REQUIRED, NULL },
	{ "StartTime", set_started, REQUIRED, NULL },
	{ "EndTime", set_ended, REQUIRED, NULL },
	{ "Partition", set_partition, REQUIRED, NULL },
	{ "NodeList", set_node_list, OPTIONAL, NULL },
	{ "NumNodes", set_nodes, REQUIRED, NULL },
	{ "NumCPUs", set_cpus, REQUIRED, NULL },
	{ "NumTasks", set_tasks, OPTIONAL, NULL },
	{ "MinMemoryCPU", set_memory_cpu, OPTIONAL, NULL },
	{ "MinMemoryNode", set_memory_node, OPTIONAL, NULL },
	{ "AdminComment", set_admin_comment, FREE, "\n" },
};

/* Where the value of `name` begins in `line`, and how often the key stands
 * there. */
static const char *find_key(const char *line, const char *name, int *ret_count)
{
	size_t length = strlen(name);
	const char *found = NULL;
	const char *at = line;

	*ret_count = 0;
	while ((at = strstr(at, name))) {
		if ((at == line || at[-1] == ' ') && at[length] == '=') {
			if (!found)
				found = at + length + 1;
			++*ret_count;
		}
		at += length;
	}
	return found;
}

static size_t value_length(const struct key *key, const char *value)
{
	const char *end = key->next ? strstr(value, key->next) : NULL;
	size_t length = strcspn(value, key->next ? "\n" : " \n");

	return end && (size_t)(end - value) < length ? (size_t)(end - value)
						     : length;
}

static int read_key(const struct key *key, const char *line,
		    struct slurm_job *job, struct sp_error *err)
{
	char value[VALUE_SIZE];
	int count;
	const char *at = find_key(line, key->name, &count);

	if (count > 1 && key->rule == FREE)
		return 0;
	if (count > 1)
		return sp_error_set(err,
				    "%s stands there %d times: a text of "
				    "the user imitates it",
				    key->name, count);
	if (count == 0)
		return key->rule != REQUIRED
			       ? 0
			       : sp_error_set(err, "%s is missing", key->name);

	size_t length = value_length(key, at);

	/* Only texts are ever as long; a cut one serves. */
	if (length >= sizeof(value))
		length = sizeof(value) - 1;
	memcpy(value, at, length);
	value[length] = '\0';
	if (key->set(job, value))
		return sp_error_set(err, "%s=%.60s: not understood", key->name,
				    value);
	return 0;
}

/* A copy of the one line of the job, which the caller frees. */
static char *find_line(const char *text, size_t size, uint32_t job_id,
		       struct sp_error *err)
{
	char start[32];
	size_t start_length =
		(size_t)snprintf(start, sizeof(start), "JobId=%u ", job_id);
	const char *end = text + size;
	char *found = NULL;

	for (const char *line = text; line < end;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t length = (size_t)((stop ? stop : end) - line);

		if (length > start_length &&
		    memcmp(line, start, start_length) == 0) {
			if (found) {
				free(found);
				sp_error_set(err, "job %u: several lines",
					     job_id);
				return NULL;
			}
			found = strndup(line, length);
		}
		line += length + 1;
	}
	if (!found)
		sp_error_set(err, "job %u: no line of it", job_id);
	return found;
}

int slurm_job_parse(const char *text, size_t size, uint32_t job_id,
		    struct slurm_job *ret, struct sp_error *err)
{
	struct slurm_job job = { .run = { .limit_s = NAN } };
	char *line = find_line(text, size, job_id, err);
	int rc = -1;

	if (!line)
		return -1;
	conditions_init(&job.run.before);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct sp_error why;

		if (read_key(&keys[i], line, &job, &why)) {
			sp_error_set(err, "job %u: %.200s", job_id, why.text);
			goto out;
		}
	}
	if (job.phase != SLURM_ENDED)
		job.run.ended_at_s = NAN;
	*ret = job;
	rc = 0;
out:
	free(line);
	return rc;
}

int slurm_cluster_parse(const char *text, size_t size,
			char ret_name[RUN_NAME_SIZE], struct sp_error *err)
{
	char *copy = strndup(text, size);
	const char *at = copy ? strstr(copy, "\nClusterName ") : NULL;
	char name[RUN_NAME_SIZE];
	int rc = 0;

	if (at && sscanf(at, " ClusterName = %63s", name) == 1)
		strcpy(ret_name, name);
	else
		rc = sp_error_set(err, "scontrol names no ClusterName");
	free(copy);
	return rc;
}
