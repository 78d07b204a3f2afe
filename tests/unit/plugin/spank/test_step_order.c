/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_step_order.c - which steps may have the order of their job's ranks */
#include <stdio.h>
#include <string.h>

#include "plugin/spank/step_order.h"
#include "tests/unit/suite.h"

#define WORDS_MAX 16

static struct hosts_file hosts = {
	.act = true,
	.gain = 1.3,
	.ranks = 6,
	.names = { "n3", "n1", "n7", "n7", "n3", "n1" },
};

/* The environment: pairs of a name and a value, NULL at the end. */
static const char *const *variables;

static char *value(const char *name)
{
	for (int i = 0; variables[i]; i += 2)
		if (!strcmp(variables[i], name))
			return (char *)variables[i + 1];
	return NULL;
}

static const char *const job[] = { "SLURM_JOB_NODELIST",
				   "n[1,3,7]",
				   "SLURM_TASKS_PER_NODE",
				   "2(x3)",
				   "SLURM_NTASKS",
				   "6",
				   "SLURM_NPROCS",
				   "6",
				   "SLURM_NNODES",
				   "3",
				   NULL };

/* Take a line with blanks between its words. */
static bool fits(const char *text)
{
	static char copy[256];
	const char *words[WORDS_MAX + 1];
	int count = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok(copy, " "); word && count < WORDS_MAX;
	     word = strtok(NULL, " "))
		words[count++] = word;
	words[count] = NULL;
	return step_order_fits(&hosts, words, count, value);
}

START_TEST(test_lines)
{
	static const char *const good[] = {
		"srun solver",
		"/usr/bin/srun ./solver -n 3 -N 1 -m cyclic",
		"srun -n6 solver",
		"srun --ntasks=6 solver",
		"srun --mpi=pmix -l -u solver",
		"srun -lun6 solver",
		"srun --mpi pmix -- solver -w n1",
		"srun --export ALL,A=1 -o out --kill-on-bad-exit=1 solver",
		"srun -K1 --predict-param n=5 solver",
		"srun -t 5 solver",
	};
	static const char *const bad[] = {
		"srun",
		"srun -n6",
		"srun -n2 solver",
		"srun -n 6x solver",
		"srun -n +6 solver",
		"srun --ntasks solver",
		"srun --ntask=6 solver",
		"srun -N1 solver",
		"srun -n 6 -N3 solver",
		"srun --nodes 3 solver",
		"srun -N 1-3 solver",
		"srun -m block solver",
		"srun -mcyclic solver",
		"srun --distribution=arbitrary solver",
		"srun -w n1 solver",
		"srun -lw n1 solver",
		"srun --nodelist=n1,n3 solver",
		"srun -x n1 solver",
		"srun -r 1 solver",
		"srun -c2 solver",
		"srun -O solver",
		"srun --exact solver",
		"srun --exclusive solver",
		"srun --overlap solver",
		"srun --ntasks-per-node=2 solver",
		"srun --gpus-per-task=1 solver",
		"srun --jobid=4 solver",
		"srun --het-group=0 solver",
		"srun --multi-prog file",
		"srun solver : other",
		"srun --never-heard-of solver",
		"srun -$ solver",
		/* as mpirun starts its daemons */
		("srun --ntasks-per-node=1 --kill-on-bad-exit --nodes=3 "
		 "--nodelist=n1,n3,n7 --ntasks=3 orted"),
	};

	variables = job;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		ck_assert_msg(fits(good[i]), "%s", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!fits(bad[i]), "%s", bad[i]);
}
END_TEST

/* With one more variable in front. */
static bool fits_with(const char *name, const char *text)
{
	const char *more[16] = { name, text };

	memcpy(more + 2, job, sizeof(job));
	variables = more;
	return fits("srun solver");
}

START_TEST(test_variables)
{
	ck_assert(fits_with("SLURM_JOB_NAME", "x"));
	ck_assert(fits_with("SLURM_NTASKS_PER_NODE", "2"));
	ck_assert(!fits_with("SLURM_DISTRIBUTION", "block"));
	ck_assert(!fits_with("SLURM_USE_MIN_NODES", "1"));
	ck_assert(!fits_with("SLURM_GPUS_PER_TASK", "1"));
	ck_assert(!fits_with("SLURM_PACK_SIZE", "2"));
	ck_assert(!fits_with("SLURM_HOSTFILE", "hosts"));
	ck_assert(!fits_with("SLURM_STEP_ID", "0"));
	ck_assert(fits_with("SLURM_STEP_ID", "-5"));
	ck_assert(fits_with("SLURM_STEP_ID", "4294967291"));
	ck_assert(!fits_with("SLURM_HET_SIZE", "2"));
	ck_assert(!fits_with("SLURM_NTASKS", "3"));
	ck_assert(!fits_with("SLURM_NPROCS", "3"));
	ck_assert(!fits_with("SLURM_NNODES", "2"));
	ck_assert(!fits_with("SLURM_NNODES", ""));

	const char *cpus[16] = { "SLURM_CPUS_PER_TASK", "2" };

	memcpy(cpus + 2, job, sizeof(job));
	variables = cpus;
	ck_assert(fits("srun -c2 solver"));
	ck_assert(fits("srun --cpus-per-task=2 solver"));
	ck_assert(!fits("srun -c 4 solver"));
	ck_assert(!fits("srun -c"));

	static const struct {
		const char *resources;
		bool fits;
	} rows[] = { { "cpu:2", true },       { "cpu=2", true },
		     { "cpu=4", false },      { "cpu=2,gres/gpu=1", false },
		     { "gres:gpu:1", false }, { "", false } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *more[18] = { "SLURM_TRES_PER_TASK",
					 rows[i].resources };

		memcpy(more + 2, cpus, sizeof(cpus));
		variables = more;
		ck_assert_int_eq(fits("srun solver"), rows[i].fits);
	}
	ck_assert(!fits_with("SLURM_TRES_PER_TASK", "cpu=1"));
}
END_TEST

/* The nodes of the job and its tasks there. */
static bool fits_job(const char *nodes, const char *tasks)
{
	const char *const own[] = { "SLURM_JOB_NODELIST", nodes,
				    "SLURM_TASKS_PER_NODE", tasks, NULL };

	variables = own;
	return fits("srun solver");
}

START_TEST(test_nodes)
{
	ck_assert(fits_job("n[1,3,7]", "2(x3)"));
	ck_assert(fits_job("n[1,3,7]", "2,2(x2)"));
	ck_assert(fits_job("n7,n1,n3", "2,2,2"));
	ck_assert(!fits_job("n[1,3]", "2(x2)"));
	ck_assert(!fits_job("n[1,3,7,8]", "2(x4)"));
	ck_assert(!fits_job("n[1,3,8]", "2(x3)"));
	ck_assert(!fits_job("n[1,3,7]", "3,2,1"));
	ck_assert(!fits_job("n[1,3,7]", "4(x3)"));
	ck_assert(!fits_job("n[1,3,7]", "2(x2)"));
	ck_assert(!fits_job("n[1,3,7]", "2(x4)"));
	ck_assert(!fits_job("n[1,3,7]", "2(x0)"));
	ck_assert(!fits_job("n[1,3,7]", "2(x3"));
	ck_assert(!fits_job("n[1,3,7]", "2x3"));
	ck_assert(!fits_job("n[1,3,7]", ""));
	ck_assert(!fits_job("n[1,3", "2(x3)"));

	static const char *const none[] = { NULL };

	variables = none;
	ck_assert(!fits("srun solver"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_lines, test_variables, test_nodes,
				       NULL };

	return suite_run("step_order", tests);
}
