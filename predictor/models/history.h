/* history.h - the finished runs that models learn from, in memory
 *
 * Only representative runs.  Each lies in a group: the runs of one application
 * with the same names of parameters on the same numbers of nodes, tasks and
 * CPUs, so that a filter reads one short array.  Applications and users belong
 * to a cluster: the same program runs differently elsewhere.
 *
 * A run takes about 80 bytes and 8 for each parameter.  Grows as long as runs
 * are added; positions stay valid for ever, pointers only until the next
 * history_add().  INDEX_NONE stands for "none".
 */
#ifndef PREDICTOR_MODELS_HISTORY_H
#define PREDICTOR_MODELS_HISTORY_H

#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/base/index.h"
#include "predictor/features/run.h"

/* Slurm's times are whole seconds: a run of 0 s took something below one. */
#define HISTORY_RUNTIME_MIN_S 0.5

struct history_run {
	double runtime_s; /* > 0 */
	double ended_at_s;
	uint32_t job_id;
	uint32_t user; /* position in users */
	float limit_s; /* NAN: none known, HUGE_VALF: unlimited */
	/* Before the start, on its nodes; NAN: not known. */
	float cpu_load;
	float cpu_load_max;
	float cpu_available;
	float cpu_available_min;
	float bandwidth_bps;
	float latency_s;
};

/* Names of parameters, sorted; shared by all runs that have the same. */
struct history_names {
	int count;
	char (*of)[PARAMETER_NAME_SIZE];
};

struct history_group {
	uint32_t application; /* position in applications */
	uint32_t names;       /* position in names */
	uint32_t nodes, tasks, cpus;
	uint32_t next; /* group of the same application, INDEX_NONE: last */
	uint32_t count, capacity;
	struct history_run *runs; /* in the order in which they came */
	double *values;           /* count rows, as wide as names are many */
};

struct history_application {
	uint32_t cluster; /* position in clusters */
	char *name;
	uint32_t groups; /* the first, the rest by `next` */
	uint32_t runs;
	double last_ended_at_s;
};

/* Where a run is. */
struct history_place {
	uint32_t group;
	uint32_t run;
};

struct history_user {
	uint32_t cluster;
	uint32_t user_id;
	uint32_t count, capacity;
	struct history_place *runs; /* by end, newest last */
};

struct history {
	uint64_t runs;
	uint32_t clusters_count, clusters_capacity;
	uint32_t applications_count, applications_capacity;
	uint32_t users_count, users_capacity;
	uint32_t names_count, names_capacity;
	uint32_t groups_count, groups_capacity;
	char **clusters;
	struct history_application *applications;
	struct history_user *users;
	struct history_names *names;
	struct history_group *groups;
	struct index clusters_index, applications_index, users_index,
		names_index, groups_index;
};

struct history *history_create(void); /* NULL: out of memory */
void history_destroy(struct history *h);

/* Add a run with its application, parameters and conditions filled in.  Fails
 * on one that is not representative, or ends before it starts; the same run
 * twice is the caller's concern. */
int history_add(struct history *h, const struct run *run, struct sp_error *err);

/* Positions; INDEX_NONE if no run has it. */
uint32_t history_application(const struct history *h, const char *cluster,
			     const char *name);
uint32_t history_user(const struct history *h, const char *cluster,
		      uint32_t user_id);
uint32_t history_names(const struct history *h, const struct parameters *p);
uint32_t history_group(const struct history *h, uint32_t application,
		       uint32_t names, uint32_t nodes, uint32_t tasks,
		       uint32_t cpus);

/* The n-th newest run of a user, 0 the newest; NULL: there are not so many. */
const struct history_run *history_user_run(const struct history *h,
					   uint32_t user, uint32_t n);

#endif
