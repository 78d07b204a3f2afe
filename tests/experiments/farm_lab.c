/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_lab.c - farms by plan: one iteration after the other, in
 * given conditions
 *
 * usage: farm_lab PLAN
 *
 * A line of the plan is an iteration, on the first WORKERS ranks after the
 * master: ID FARM POLICY MODE WORKERS CONDITION TIMES FARM is a row of farms[],
 * with TIMES as many tasks, MODE async or sync: as in the paper, the master
 * then waits until each message is received.  CONDITION is alone; two: a
 * competitor on each of the last two workers' nodes; midway: one on the last
 * worker's node, from the middle of the iteration on.  A competitor is a
 * process of its own that spins.  Each iteration comes after a shorter one from
 * which the library learns, and after a probe of what a process gets on the
 * last worker's node.  The master prints a line for each, as JSON.
 *
 * Tasks burn CPU time, log-normal, the same in each iteration of a farm.  Those
 * of rows take longest in the middle, as the rows of a picture do: neighbours
 * take about as long, and a chunk of the middle is much work.
 */
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contrib/farm/predict_farm.h"

#define LEARN     4 /* divisor of the tasks of a short iteration */
#define BYTES_MAX (1 << 20)
#define SHUFFLE   7919  /* a prime: each row once */
#define COMPUTE   20000 /* steps, about 20 us in all */

struct farm_kind {
	const char *name;
	int tasks;
	double task_s; /* of CPU time */
	double spread; /* standard deviation over mean */
	size_t input_bytes, result_bytes;
	enum { ANY_ORDER, ROWS, SHUFFLED_ROWS } order;
};

static const struct farm_kind farms[] = {
	{ "short-little", 600, .001, .4, 64, 64, ANY_ORDER },
	{ "short-much", 600, .001, .4, 6000, 1500, ANY_ORDER },
	{ "long-little", 120, .006, .4, 64, 64, ANY_ORDER },
	{ "long-much", 120, .006, .4, 30000, 7500, ANY_ORDER },
	{ "rows", 600, .001, .1, 64, 1000, ROWS },
	{ "shuffled", 600, .001, .1, 64, 1000, SHUFFLED_ROWS },
};

static unsigned char bytes[BYTES_MAX];
static bool synchronous;
static int collected;
static int tasks_now; /* of the iteration */

/* The library's sends, as the paper's synchronous ones. */
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
	      MPI_Comm comm, MPI_Request *request)
{
	if (!synchronous)
		return PMPI_Isend(buffer, count, type, to, tag, comm, request);
	*request = MPI_REQUEST_NULL;
	return PMPI_Ssend(buffer, count, type, to, tag, comm);
}

/* --- Tasks ---------------------------------------------------------------- */

static double uniform(uint64_t seed)
{
	seed = (seed + 1) * 0x9e3779b97f4a7c15u;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
	return ((double)((seed ^ seed >> 31) >> 11) + .5) * 0x1p-53;
}

/* Return the work of a row over the mean: 1/4 at the edges, 7/4 in
 * the middle. */
static double row_weight(const struct farm_kind *kind, int task)
{
	int row = kind->order == SHUFFLED_ROWS
			  ? (int)((long)task * SHUFFLE % tasks_now)
			  : task;
	double s = sin(M_PI * (row + .5) / tasks_now);

	return kind->order == ANY_ORDER ? 1 : .25 + 1.5 * s * s;
}

static double task_s(const struct farm_kind *kind, int task)
{
	double s2 = log1p(kind->spread * kind->spread);
	double normal = sqrt(-2 * log(uniform(2 * (uint64_t)task))) *
			cos(2 * M_PI * uniform(2 * (uint64_t)task + 1));

	return kind->task_s * row_weight(kind, task) *
	       exp(sqrt(s2) * normal - s2 / 2);
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Compute, and seldom look at the clock: who asks the kernel all the time seems
 * to wait for something. */
static void compute_until(double until_s)
{
	while (cpu_s() < until_s)
		for (volatile int n = 0; n < COMPUTE; n++)
			;
}

static size_t pack(void *context, int task, void *buffer, size_t size)
{
	const struct farm_kind *kind = context;

	(void)task;
	if (kind->input_bytes <= size)
		memcpy(buffer, bytes, kind->input_bytes);
	return kind->input_bytes;
}

static void work(void *context, int task, const void *input, size_t input_bytes,
		 struct predict_farm_result *result)
{
	const struct farm_kind *kind = context;
	double until = cpu_s() + task_s(kind, task);

	(void)input;
	(void)input_bytes;
	compute_until(until);
	predict_farm_result_write(result, bytes, kind->result_bytes);
}

static void collect(void *context, int task, const void *result,
		    size_t result_bytes)
{
	const struct farm_kind *kind = context;

	(void)task;
	(void)result;
	collected += result_bytes == kind->result_bytes;
}

/* --- Competitors ---------------------------------------------------------- */

static pid_t competitor_start(double after_s)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	nanosleep(&(struct timespec){ (time_t)after_s,
				      (long)(fmod(after_s, 1) * 1e9) },
		  NULL);
	for (volatile unsigned n = 0;; n++)
		;
}

static void competitor_end(pid_t child)
{
	if (child <= 0)
		return;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Return whether this worker has one, and after how many seconds. */
static bool has_competitor(const char *condition, int rank, int workers,
			   double learned_s, double *ret_after_s)
{
	*ret_after_s = 0;
	if (!strcmp(condition, "two"))
		return rank > workers - 2;
	*ret_after_s = learned_s * LEARN / 2;
	return !strcmp(condition, "midway") && rank == workers;
}

/* What a process gets here: CPU time over time, for so much CPU time. */
#define PROBE_S .02

static double measure_share(void)
{
	double start = MPI_Wtime(), until = cpu_s() + PROBE_S;

	while (cpu_s() < until)
		;
	return PROBE_S / (MPI_Wtime() - start);
}

/* Keep to one core, as competitors then do, so that these compete for
 * the same. */
static void pin(int rank)
{
	cpu_set_t allowed, core;
	int wanted, seen = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	wanted = (rank > 0 ? rank - 1 : 0) % CPU_COUNT(&allowed);
	CPU_ZERO(&core);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &allowed) && seen++ == wanted)
			CPU_SET(i, &core);
	sched_setaffinity(0, sizeof(core), &core);
}

/* --- The plan ------------------------------------------------------------- */

struct plan_line {
	char id[32], farm[32], policy[16], mode[16], condition[16];
	int workers, times;
};

static const struct farm_kind *find_farm(const char *name)
{
	for (size_t i = 0; i < sizeof(farms) / sizeof(farms[0]); i++)
		if (!strcmp(farms[i].name, name))
			return &farms[i];
	return NULL;
}

static void print_line(const struct plan_line *line, struct predict_farm *farm,
		       const struct farm_kind *kind, double learned_s,
		       double share)
{
	struct predict_farm_report r;

	predict_farm_report(farm, &r);
	printf("{\"id\": \"%s\", \"farm\": \"%s\", \"policy\": \"%s\", "
	       "\"mode\": \"%s\", \"workers\": %d, \"condition\": \"%s\", "
	       "\"share\": %.5f, \"time_s\": %.6f, \"learned_s\": %.6f, "
	       "\"tasks\": %d, "
	       "\"collected\": %d, \"chunks\": %d, \"mu_s\": %.8f, "
	       "\"sigma_s\": %.8f, \"mo_s\": %.9f, \"k_s\": %.6g, "
	       "\"bytes\": %.0f, \"alpha\": %.4f, \"lm_s\": %.6f, "
	       "\"imbalance\": %.4f}\n",
	       line->id, line->farm, line->policy, line->mode, line->workers,
	       line->condition, share, r.time_s, learned_s,
	       kind->tasks * line->times, collected, r.chunks, r.mu_s,
	       r.sigma_s, r.mo_s, r.k_s, r.bytes, r.alpha, r.lm_s, r.imbalance);
	fflush(stdout);
}

static void run_line(const struct plan_line *line, const struct farm_kind *kind,
		     MPI_Comm comm, int rank)
{
	const struct predict_farm_options options = { .policy = line->policy };
	const struct predict_farm_program program = { .context = (void *)kind,
						      .pack = pack,
						      .work = work,
						      .collect = collect };
	struct predict_farm *farm = predict_farm_create(comm, &options);
	double start, after_s, share;
	int tasks = kind->tasks * line->times;
	pid_t child = 0;

	if (!farm)
		MPI_Abort(MPI_COMM_WORLD, 1);
	synchronous = rank == 0 && !strcmp(line->mode, "sync");
	/* Who is slow is seen in the short one, too, but not what
	 * comes later. */
	if (has_competitor(line->condition, rank, line->workers, 0, &after_s) &&
	    !strcmp(line->condition, "two"))
		child = competitor_start(0);
	/* The last worker's node is shared, if one is. */
	share = measure_share();
	MPI_Bcast(&share, 1, MPI_DOUBLE, line->workers, comm);
	start = MPI_Wtime();
	tasks_now = tasks / LEARN;
	predict_farm_run(farm, &program, tasks_now);

	double learned_s = MPI_Wtime() - start;

	if (!child && has_competitor(line->condition, rank, line->workers,
				     learned_s, &after_s))
		child = competitor_start(after_s);
	collected = 0;
	tasks_now = tasks;
	predict_farm_run(farm, &program, tasks);
	competitor_end(child);
	if (rank == 0)
		print_line(line, farm, kind, learned_s, share);
	synchronous = false;
	predict_farm_destroy(farm);
}

/* Others wait, and leave the CPU to what else is on their nodes. */
static void wait_for_all(void)
{
	MPI_Request request;
	int done = 0;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	while (!done) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (!done)
			nanosleep(&(struct timespec){ .tv_nsec = 2000000 },
				  NULL);
	}
}

int main(int argc, char *argv[])
{
	struct plan_line line;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	pin(rank);

	FILE *plan = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!plan) {
		fprintf(stderr, "usage: farm_lab PLAN\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
		return 2;
	}
	while (fscanf(plan, "%31s %31s %15s %15s %d %15s %d", line.id,
		      line.farm, line.policy, line.mode, &line.workers,
		      line.condition, &line.times) == 7) {
		const struct farm_kind *kind = find_farm(line.farm);
		MPI_Comm comm;

		if (!kind || line.workers < 1 || line.workers >= size ||
		    line.times < 1)
			MPI_Abort(MPI_COMM_WORLD, 2);
		MPI_Comm_split(MPI_COMM_WORLD,
			       rank <= line.workers ? 0 : MPI_UNDEFINED, rank,
			       &comm);
		if (comm != MPI_COMM_NULL) {
			run_line(&line, kind, comm, rank);
			MPI_Comm_free(&comm);
		}
		wait_for_all();
	}
	fclose(plan);
	MPI_Finalize();
	return 0;
}
