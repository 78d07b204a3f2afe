/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_record.c - partitions, and which jobs they take
 *
 * As slurmctld judges a submission: a name that no partition has and an
 * inactive partition are refused.  What is beyond the limits of a partition,
 * or of its nodes, is refused where EnforcePartLimits says so, else it waits
 * for a change.
 */
#include <math.h>
#include <string.h>

#include "predictor/slurm/partition_record.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_values.h"

SLURM_READ_AS(yes, bool, strcmp(value, "YES") == 0)
SLURM_READ_OR(static, amount_or_all, amount, uint32_t, UINT32_MAX)

#define READ(reader, member) \
	SLURM_MEMBER(reader, struct partition_record, member)

static const struct scontrol_key keys[] = {
	{ "PartitionName", READ(text, name) },
	{ "Default", READ(yes, is_default) },
	{ "TotalNodes", READ(amount, nodes) },
	{ "MaxNodes", READ(amount_or_all, nodes_max) },
	{ "MaxTime", READ(limit, limit_s) },
	{ "State", READ(text, state) },
	{ .name = NULL },
};

int partition_record_parse(const char *line, size_t length,
			   struct partition_record *ret, struct sp_error *err)
{
	*ret = (struct partition_record){ .nodes = UINT32_MAX,
					  .nodes_max = UINT32_MAX,
					  .limit_s = HUGE_VAL };
	if (scontrol_record_read(line, length, keys, ret, err))
		return -1;
	return ret->name[0] ? 0
			    : sp_error_set(err, "scontrol: a line without "
						"PartitionName");
}

/* --- What becomes of a job ------------------------------------------------ */

/* Find the record of a partition, or, if the name is empty, of the default
 * one; -1: there is none. */
static int record_find(const char *text, const char *name, size_t length,
		       struct partition_record *ret)
{
	while (*text) {
		size_t line = strcspn(text, "\n");

		if (!partition_record_parse(text, line, ret, NULL) &&
		    (length ? strlen(ret->name) == length &&
				      !strncmp(ret->name, name, length)
			    : ret->is_default))
			return 0;
		text += line + (text[line] == '\n');
	}
	return -1;
}

double partition_records_limit_s(const char *text, const char *names)
{
	double least_s = HUGE_VAL;

	do {
		size_t length = strcspn(names, ",");
		struct partition_record p;

		if (record_find(text, names, length, &p))
			return 0;
		least_s = fmin(least_s, p.limit_s);
		names += length + (names[length] == ',');
	} while (*names);
	return least_s;
}

int partition_records_default(const char *text, char ret_name[RUN_NAME_SIZE])
{
	struct partition_record p;

	if (record_find(text, "", 0, &p))
		return -1;
	strcpy(ret_name, p.name);
	return 0;
}

static enum submission_verdict judge(const struct partition_record *p,
				     bool enforced,
				     const struct submission *job,
				     struct sp_error *why)
{
	enum submission_verdict beyond =
		enforced ? SUBMISSION_REFUSED : SUBMISSION_WAITS;
	uint32_t nodes = job->size.nodes_min;

	if (nodes > p->nodes) {
		sp_error_set(why, "it needs %u nodes, and partition %s has %u",
			     nodes, p->name, p->nodes);
		return enforced ? SUBMISSION_REFUSED : SUBMISSION_NEVER;
	}
	if (!strcmp(p->state, "INACTIVE") || !strcmp(p->state, "DRAIN")) {
		sp_error_set(why, "partition %s takes no jobs: its state is %s",
			     p->name, p->state);
		return SUBMISSION_REFUSED;
	}
	if (nodes > p->nodes_max) {
		sp_error_set(why,
			     "it needs %u nodes, and partition %s gives a "
			     "job %u at most",
			     nodes, p->name, p->nodes_max);
		return beyond;
	}
	if (job->limit_s > p->limit_s) {
		sp_error_set(why,
			     "its time limit is longer than MaxTime of "
			     "partition %s",
			     p->name);
		return beyond;
	}
	if (!strcmp(p->state, "DOWN")) {
		sp_error_set(why, "partition %s is DOWN", p->name);
		return SUBMISSION_WAITS;
	}
	return SUBMISSION_TAKEN;
}

enum submission_verdict partition_records_judge(const char *text, bool enforced,
						const struct submission *job,
						struct sp_error *why)
{
	const char *names = job->partition ? job->partition : "";
	enum submission_verdict best = SUBMISSION_REFUSED;
	bool first = true;

	do {
		size_t length = strcspn(names, ",");
		struct partition_record p;
		struct sp_error reason;

		if (record_find(text, names, length, &p)) {
			if (!length) /* no default: who knows */
				return SUBMISSION_TAKEN;
			sp_error_set(why, "there is no partition %.*s",
				     (int)length, names);
			return SUBMISSION_REFUSED;
		}

		enum submission_verdict verdict =
			judge(&p, enforced, job, &reason);

		if (first || verdict < best) {
			best = verdict;
			*why = reason;
		}
		first = false;
		names += length + (names[length] == ',');
	} while (*names);
	return best;
}
