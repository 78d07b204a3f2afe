/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_workload.c - jobs of many users, for benchmarks of the engine */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/engine_workload.h"

#define USERS    5000
#define PROGRAMS 4

static const char *const scripts[PROGRAMS] = {
	"module load gcc openmpi\ncd $SLURM_SUBMIT_DIR\n"
	"srun ./solver%u -n %d --steps=100 input.dat\n",
	"source ~/env/bin/activate\nexport OMP_NUM_THREADS=8\n"
	"python3 analyse%u.py --size %d data/set.h5\n",
	"for i in a b c; do\n\tmpirun -np 16 /opt/md%u/bin/mdrun -nsteps %d "
	"-s $i.tpr\ndone\n",
	"#SBATCH --mail-type=END\nexport TMPDIR=/scratch/$USER\n"
	"./fit%u --points=%d > out.$SLURM_JOB_ID\n",
};

void job_make(struct random *r, struct job *job)
{
	double rank = random_unit(r);

	job->user = (uint32_t)(USERS * rank * rank);
	job->program = (uint32_t)random_below(r, PROGRAMS);

	bool measured = job->user % 5 == 0;
	int sizes = measured ? 12 : 1;

	job->n = 1000 * (1 + (int)random_below(r, (uint64_t)sizes));
	job->load = measured ? (double)random_below(r, 3) : 0;
	job->runtime_s = (20 + 37 * (job->user % 97)) *
			 (measured ? job->n / 4000.0 * (1 + job->load) : 1) *
			 exp(0.5 * (random_unit(r) - 0.5));

	int used = snprintf(job->script, sizeof(job->script),
			    "#!/bin/bash\n#SBATCH -N 2\n#SBATCH -t 120\n");

	snprintf(job->script + used, sizeof(job->script) - (size_t)used,
		 scripts[job->program], job->user, job->n);
	submission_init(&job->submission);
	job->submission.cluster = measured ? "shared" : "batch";
	job->submission.user_id = 10000 + job->user;
	job->submission.account = "physics";
	job->submission.partition = "main";
	job->submission.name = "job";
	job->submission.script = job->script;
	job->submission.size.nodes_min = 2;
	job->submission.size.tasks = 16;
	job->submission.limit_s = 7200;
}

void run_make(const struct job *job, uint32_t number, double ended_at_s,
	      struct run *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->job_id = number + 1;
	ret->user_id = job->submission.user_id;
	ret->nodes = 2;
	ret->tasks = ret->cpus = 16;
	ret->limit_s = 7200;
	ret->state = number % 10 ? RUN_COMPLETED : RUN_FAILED;
	ret->ended_at_s = floor(ended_at_s);
	ret->started_at_s = ret->ended_at_s - ceil(job->runtime_s);
	ret->submitted_at_s = ret->started_at_s - number % 600;
	strcpy(ret->cluster, job->submission.cluster);
	strcpy(ret->account, "physics");
	strcpy(ret->partition, "main");
	strcpy(ret->job_name, "job");
	strcpy(ret->node_list, "n[1-2]");
	conditions_init(&ret->before);
	if (job->submission.user_id % 5 == 0) {
		ret->before.nodes_known = 2;
		ret->before.cpu_load = ret->before.cpu_load_max = job->load;
		ret->before.cpu_available = ret->before.cpu_available_min =
			1 / (1 + job->load);
	}
}
