/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - what the tasks of a job used on this node */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/runs/steps.h"
#include "predictor/base/durable.h"

#define STEPS_BYTES_MAX (2 << 20)
#define STEPDS_MAX      1024 /* of one job; those beyond are not added */
#define CPU_MAX_S       1e12
#define MEMORY_MAX_KB   1e15

/* Slurm's id of the step that is the batch script. */
#define SCRIPT_STEP_ID 0xfffffffbu

struct line {
	double time_s;
	unsigned step_id;
	int stepd_pid, wait_status;
	double cpu_s, peak_kb;
	double cached_kb; /* NAN: not known */
};

static int parse_line(const char *text, struct line *ret)
{
	int length = 0, more = 0;

	if (sscanf(text, "%lf %u %d %d %lf %lf%n", &ret->time_s, &ret->step_id,
		   &ret->stepd_pid, &ret->wait_status, &ret->cpu_s,
		   &ret->peak_kb, &length) != 6)
		return -1;
	ret->cached_kb = NAN;
	if (text[length] == ' ' &&
	    (sscanf(text + length, " %lf%n", &ret->cached_kb, &more) != 1 ||
	     !(ret->cached_kb >= 0)))
		return -1;
	length += more;
	if (text[length] != '\n' && text[length] != '\0')
		return -1;
	if (!isfinite(ret->time_s) || ret->cached_kb > MEMORY_MAX_KB ||
	    !(ret->cpu_s >= 0) || ret->cpu_s > CPU_MAX_S ||
	    !(ret->peak_kb >= 0) || ret->peak_kb > MEMORY_MAX_KB)
		return -1;
	return 0;
}

struct stepds {
	int count;
	struct line last[STEPDS_MAX];
};

static void add_line(struct stepds *stepds, const struct line *line)
{
	int at = 0;

	while (at < stepds->count &&
	       (stepds->last[at].stepd_pid != line->stepd_pid ||
		stepds->last[at].step_id != line->step_id))
		at++;
	if (at == STEPDS_MAX)
		return;
	if (at == stepds->count)
		stepds->count++;
	stepds->last[at] = *line;
}

void steps_sum(const char *text, double from_s, double to_s,
	       struct run_share *share, double *ret_script_ended_s)
{
	struct stepds *stepds = calloc(1, sizeof(*stepds));
	struct line line;

	share->cpu_s = share->task_memory_mb = share->cached_memory_mb = NAN;
	share->exit_code = share->exit_signal = 0;
	share->tasks = 0;
	*ret_script_ended_s = NAN;
	if (!stepds)
		return;
	for (; *text; text = strchr(text, '\n') + 1) {
		if (!strchr(text, '\n'))
			break; /* torn */
		if (parse_line(text, &line) || line.time_s < from_s ||
		    line.time_s > to_s)
			continue;
		add_line(stepds, &line);
		share->tasks++;
		if (line.step_id == SCRIPT_STEP_ID)
			*ret_script_ended_s = line.time_s;
		if (WIFEXITED(line.wait_status) &&
		    WEXITSTATUS(line.wait_status) > share->exit_code)
			share->exit_code = WEXITSTATUS(line.wait_status);
		if (WIFSIGNALED(line.wait_status) &&
		    WTERMSIG(line.wait_status) > share->exit_signal)
			share->exit_signal = WTERMSIG(line.wait_status);
	}
	for (int i = 0; i < stepds->count; i++) {
		share->cpu_s = (i ? share->cpu_s : 0) + stepds->last[i].cpu_s;
		share->task_memory_mb = fmax(share->task_memory_mb,
					     stepds->last[i].peak_kb / 1024);
		share->cached_memory_mb =
			fmax(share->cached_memory_mb,
			     stepds->last[i].cached_kb / 1024);
	}
	free(stepds);
}

static void format_name(uint32_t job_id, double ended_at_s, char ret[64])
{
	snprintf(ret, 64, "%u-%.6f", job_id, ended_at_s);
}

void steps_read(int steps_fd, uint32_t job_id, double from_s, double ended_at_s,
		struct run_share *share, double *ret_script_ended_s)
{
	char name[64];
	char *text = NULL;
	double to_s = HUGE_VAL;
	size_t size;

	format_name(job_id, ended_at_s, name);
	if (faccessat(steps_fd, name, F_OK, AT_SYMLINK_NOFOLLOW)) {
		/* The plugin of an earlier version does not rename it; the
		 * job may have been started again. */
		snprintf(name, sizeof(name), "%u", job_id);
		to_s = ended_at_s;
	}
	if (durable_read(steps_fd, name, STEPS_BYTES_MAX, &text, &size, NULL))
		text = NULL;
	steps_sum(text ? text : "", from_s, to_s, share, ret_script_ended_s);
	free(text);
}

void steps_remove(int steps_fd, uint32_t job_id, double ended_at_s)
{
	char name[64];

	format_name(job_id, ended_at_s, name);
	unlinkat(steps_fd, name, 0);
}
