/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.h - the runs that models learn from, in memory
 *
 * All runs but those that the system ended; each has its outcome, since only
 * one that completed shows how long the application takes.  It is in a group:
 * runs of one application with the same names of parameters on the same numbers
 * of nodes, tasks and CPUs, so that a filter reads one short array.
 * Applications and users belong to a cluster: the same program runs differently
 * elsewhere.  A run of an unknown application is kept with its user only.
 *
 * A run takes 64 bytes and 8 for each parameter; traits are stored once for all
 * runs with the same, while there are any.  At least the newest
 * HISTORY_GROUP_RUNS of a group are kept, the newest few of a user, and the
 * newest of each application.  Positions stay valid (those of runs only keep
 * their order), pointers only until the next history_add().  INDEX_NONE is
 * "none".
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/base/index.h"
#include "predictor/features/subject.h"
#include "predictor/models/trait_keys.h"

/* Slurm's times are whole seconds: a run of 0 s took less than one. */
#define HISTORY_RUNTIME_MIN_S 0.5

#define HISTORY_GROUP_RUNS 1024
#define HISTORY_USER_RUNS  4

struct history_run {
	double runtime_s; /* > 0 */
	double ended_at_s;
	uint32_t job_id;
	uint32_t user; /* position in users */
	float limit_s; /* NAN: none known, HUGE_VALF: unlimited */
	/* Before the start, on its nodes; NAN: not known. */
	float cpu_load, cpu_load_max, cpu_available, cpu_available_min;
	float bandwidth_bps, latency_s;
	enum outcome_end end; /* never OUTCOME_OTHER */
	uint32_t traits;      /* position in traits; INDEX_NONE: it has none */
};

/* Sorted names of parameters, shared by all runs with the same. */
struct history_names {
	int count;
	char (*of)[PARAMETER_NAME_SIZE];
};

/* The values of a parameter, ever. */
struct history_range {
	double least, most;
};

/* Traits of runs.  Those that no run has any more are replaced. */
struct history_traits {
	uint32_t runs;
	uint32_t next; /* without runs: the next such one, INDEX_NONE: last */
	int count;
	struct trait_key *of;
};

struct history_group {
	uint32_t application; /* position in applications */
	uint32_t names;       /* position in names */
	uint32_t nodes, tasks, cpus;
	uint32_t next; /* group of the same application, INDEX_NONE: last */
	uint32_t count, capacity;
	struct history_run *runs;     /* in the order of history_add() */
	double *values;               /* count rows, a column for each name */
	struct history_range *ranges; /* of each column; NULL: no run yet */
};

struct history_application {
	uint32_t cluster; /* position in clusters */
	char *name;
	uint32_t groups; /* the first, the rest by `next` */
	uint32_t runs;   /* ever */
	double last_ended_at_s, last_runtime_s;
};

/* A user with an application. */
struct history_pair {
	uint32_t user, application;
	uint32_t next;      /* of the same user, INDEX_NONE: last */
	uint32_t runs;      /* ever */
	uint32_t completed; /* of these */
	float last_runtime_s;
	uint32_t last_job_id;
	double last_ended_at_s;
};

/* What is kept of a user's runs. */
struct history_brief {
	double runtime_s, ended_at_s;
	uint32_t job_id;
};

struct history_user {
	uint32_t cluster, user_id;
	uint32_t pairs; /* the first */
	uint32_t runs;  /* ever */
	uint32_t count; /* of the newest */
	struct history_brief
		newest[HISTORY_USER_RUNS]; /* by end, newest first */
};

struct history {
	uint64_t runs; /* ever */
	uint32_t clusters_count, clusters_capacity;
	uint32_t applications_count, applications_capacity;
	uint32_t users_count, users_capacity;
	uint32_t names_count, names_capacity;
	uint32_t groups_count, groups_capacity;
	uint32_t traits_count, traits_capacity, traits_unused;
	uint32_t pairs_count, pairs_capacity;
	char **clusters;
	struct history_application *applications;
	struct history_user *users;
	struct history_names *names;
	struct history_group *groups;
	struct history_traits *traits;
	struct history_pair *pairs;
	struct index clusters_index, applications_index, users_index,
		names_index, groups_index, pairs_index, traits_index;
};

struct history *history_create(void); /* NULL: out of memory */
void history_destroy(struct history *h);

/* Return whether history_add() takes a run with this outcome. */
bool history_accepts(const struct outcome *outcome);

/* Add a run.  Fails if history_accepts() does not, or if it ends before it
 * starts.  The caller sees to it that no run is added twice. */
int history_add(struct history *h, const struct past_job *job,
		struct sp_error *err);

/* Positions; INDEX_NONE if no run has it. */
uint32_t history_application(const struct history *h, const char *cluster,
			     const char *name);
uint32_t history_user(const struct history *h, const char *cluster,
		      uint32_t user_id);
uint32_t history_names(const struct history *h, const struct parameters *p);
uint32_t history_group(const struct history *h, uint32_t application,
		       uint32_t names, uint32_t nodes, uint32_t tasks,
		       uint32_t cpus);
uint32_t history_pair(const struct history *h, uint32_t user,
		      uint32_t application);

/* Return a trait of a run, by the run's position in traits.  NULL: it has none
 * of that name. */
const struct trait_key *history_trait(const struct history *h, uint32_t traits,
				      uint32_t name);

/* Return the n-th newest run of a user, 0 the newest; NULL: not kept. */
const struct history_brief *history_user_run(const struct history *h,
					     uint32_t user, uint32_t n);
