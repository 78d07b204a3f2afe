/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step_order.c - whether a step may have the order of ranks known for its job
 *
 * Plan: no variable that srun reads gives the user's own wish; each option of
 * the line is one that has nothing to do with where tasks go
 * (submit_options.h), or says the same as the job; and the nodes of the order
 * are those of the job, each as often as it has tasks.  With a number of nodes
 * (-N) in its line srun of 24.11 refuses an order, and that of 22.05 takes it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/step_order.h"
#include "predictor/features/script/command/submit_line.h"

/* Return true if a variable gives the step another order, other nodes, or
 * CPUs that the order knows nothing of: that of an option of srun, or of a
 * job of parts. */
static bool is_decided(char *(*value)(const char *name))
{
	char variable[64] = "SLURM_";

	for (const struct submit_option *o = submit_options; o->name; o++) {
		size_t length = strlen("SLURM_");

		if (!(o->programs & SUBMIT_DECIDES))
			continue;
		for (const char *c = o->name; *c; c++)
			variable[length++] =
				*c == '-' ? '_' : (char)toupper(*c);
		variable[length] = '\0';
		if (value(variable))
			return true;
	}
	return value("SLURM_HOSTFILE") || value("SLURM_HET_SIZE") ||
	       value("SLURM_PACK_SIZE");
}

static bool is_number(const char *text, size_t number)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;

	unsigned long value = strtoul(text, &end, 10);

	return !*end && value == number;
}

/* --- The line of srun ----------------------------------------------------- */

struct step_line {
	const struct hosts_file *hosts;
	const char *cpus; /* of each of the job's tasks; NULL: not given */
	bool other;       /* an option may give another order */
};

static void check_option(void *into, const struct submit_option *option,
			 bool exact, const char *value)
{
	struct step_line *line = into;
	bool fits = option && exact;

	if (fits && !strcmp(option->name, "ntasks"))
		fits = is_number(value, (size_t)line->hosts->ranks);
	else if (fits && !strcmp(option->name, "cpus-per-task"))
		fits = value && line->cpus && !strcmp(value, line->cpus);
	else if (fits)
		fits = option->programs & SUBMIT_STAYS;
	line->other |= !fits;
}

/* All options up to the command, which there is, and no second one. */
static bool line_fits(struct step_line *line, const char *const words[],
		      int count)
{
	int first = submit_line_walk(SUBMIT_SRUN, words, count, 1, check_option,
				     line);

	for (int i = first; i < count; i++)
		if (!strcmp(words[i], ":"))
			return false;
	return first < count && !line->other;
}

/* --- The job -------------------------------------------------------------- */

static size_t count_on(const struct hosts_file *hosts, const char *name)
{
	size_t count = 0;

	for (int r = 0; r < hosts->ranks; r++)
		count += !strcmp(hosts->names[r], name);
	return count;
}

/* "2(x3),1": 2, 2, 2, 1.  False: it is not that. */
static bool counts_next(const char **text, unsigned long *left,
			unsigned long *ret_count)
{
	char *end;

	if (!*left) {
		if (**text < '1' || **text > '9')
			return false;
		*left = 1;
		*ret_count = strtoul(*text, &end, 10);
		if (!strncmp(end, "(x", 2)) {
			*left = strtoul(end + 2, &end, 10);
			if (*end++ != ')' || !*left)
				return false;
		}
		if (*end && *end++ != ',')
			return false;
		*text = end;
	}
	(*left)--;
	return true;
}

/* Return whether each of the job's nodes has as many ranks as tasks, and no
 * other any. */
static bool nodes_fit(const struct hosts_file *hosts,
		      const struct hostlist *list, const char *tasks)
{
	unsigned long left = 0, count = 0;
	size_t sum = 0;

	if (list->count > (size_t)hosts->ranks)
		return false;
	for (size_t n = 0; n < list->count; n++) {
		if (!counts_next(&tasks, &left, &count) ||
		    count_on(hosts, list->names[n]) != count)
			return false;
		sum += count;
	}
	return !left && !*tasks && sum == (size_t)hosts->ranks;
}

/* A number that srun takes as its option. */
static bool variable_fits(char *(*value)(const char *name), const char *name,
			  size_t number)
{
	const char *text = value(name);

	return !text || is_number(text, number);
}

/* Return whether this is not within a step; in 26.05 the script of a batch job
 * is one, too. */
static bool is_outside_steps(char *(*value)(const char *name))
{
	const char *step = value("SLURM_STEP_ID");

	return !step || !strcmp(step, "-5") || !strcmp(step, "4294967291");
}

/* What Slurm has of CPUs only: "cpu:2", later "cpu=2". */
static bool resources_fit(char *(*value)(const char *name))
{
	const char *resources = value("SLURM_TRES_PER_TASK");
	const char *cpus = value("SLURM_CPUS_PER_TASK");

	return !resources || (cpus &&
			      (!strncmp(resources, "cpu:", 4) ||
			       !strncmp(resources, "cpu=", 4)) &&
			      !strcmp(resources + 4, cpus));
}

bool step_order_fits(const struct hosts_file *hosts, const char *const words[],
		     int count, char *(*value)(const char *name))
{
	const char *nodes = value("SLURM_JOB_NODELIST");
	const char *tasks = value("SLURM_TASKS_PER_NODE");
	struct step_line line = { .hosts = hosts,
				  .cpus = value("SLURM_CPUS_PER_TASK") };
	struct hostlist list;

	if (is_decided(value) || !is_outside_steps(value) || !nodes || !tasks ||
	    hostlist_expand(nodes, &list, NULL))
		return false;

	bool fits =
		nodes_fit(hosts, &list, tasks) && resources_fit(value) &&
		variable_fits(value, "SLURM_NTASKS", (size_t)hosts->ranks) &&
		variable_fits(value, "SLURM_NPROCS", (size_t)hosts->ranks) &&
		variable_fits(value, "SLURM_NNODES", list.count) &&
		line_fits(&line, words, count);

	hostlist_clear(&list);
	return fits;
}
