/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_config.h - what `scontrol show config` says of use here */
#pragma once

#include "predictor/features/run.h"

#define SLURM_CONFIG_URL_SIZE    256
#define SLURM_CONFIG_SOCKET_SIZE 108 /* of a Unix socket's path */

#define SLURM_CONFIG_GOAL_SIZE 32

struct slurm_config {
	char cluster[RUN_NAME_SIZE];     /* empty: not named */
	char url[SLURM_CONFIG_URL_SIZE]; /* predict_url; empty: none */
	char controller[RUN_NAME_SIZE];  /* address or name of the first
					   SlurmctldHost; empty: not named */
	char munge_socket[SLURM_CONFIG_SOCKET_SIZE]; /* empty: MUNGE's own */
	double quantile; /* predict_quantile, or the default */
	char nodes_goal[SLURM_CONFIG_GOAL_SIZE]; /* predict_nodes_goal or its
		default, where predict_nodes=act; else empty */
	bool limits_enforced; /* EnforcePartLimits: what is beyond the limits of
				 a partition is refused */
	bool least_loaded;    /* CR_LLN: jobs get the least loaded nodes */
	/* By PrivateData: users may see the jobs of others; they may not see
	 * the state of nodes. */
	bool jobs_public, nodes_hidden;
	bool memory_unadvised; /* predict_memory=off */
	bool accrue_limits;    /* Slurm may withhold age from waiting jobs */
	bool user_top;         /* `scontrol top` is the users' */
	/* bf_job_part_count_reserve: how many waiting jobs of a partition have
	 * a planned start; 0: all. */
	uint32_t reservations;
	/* With predict_plan=on, in all partitions: a job is overtaken only by
	 * those submitted less than this after it, as far as their order by
	 * length decides.  NAN: not so. */
	double overtaken_s;
	double plan_reserve; /* predict_plan_reserve; 0: not set */
};

/* Read it from the text that scontrol prints, terminated.  What is missing,
 * makes no sense or is too long keeps its default. */
void slurm_config_parse(const char *text, struct slurm_config *ret);

/* Return whether a list, up to the end of its line, has the word.  NULL is an
 * empty list. */
bool slurm_config_lists(const char *list, char separator, const char *word);
