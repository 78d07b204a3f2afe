/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner_rows.h - what to change of a job so that it starts sooner, in words */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/cli/table.h"
#include "predictor/features/prediction.h"
#include "predictor/scheduler/sooner.h"
#include "predictor/wire/wire.h"

/* Fetch what a job that was predicted so should request, by this quantile of
 * its run time, after the last runs of its user; *ret NULL: nothing. */
int advice_fetch(struct cli *cli, const struct prediction *p, double quantile_s,
		 bool memory_per_cpu, struct json_object **ret,
		 struct sp_error *err);

/* Return a time limit that is enough for nearly all such runs, and no shorter
 * than any of the last of them took; NAN: none that is shorter is known, or too
 * few had the job's size and limit. */
double sooner_limit(struct cli *cli, const struct prediction *p,
		    bool memory_per_cpu);

/* Add to the member `sooner` of a reply what is worth it: that limit, and half
 * of the nodes, of which predictd says so (NULL: nothing); with the options of
 * sbatch, or with the command that changes the job (0: not submitted). */
void sooner_add(struct json_object *reply, uint32_t job_id, double limit_s,
		double wait_s, double gain_s);
void sooner_add_half(struct json_object *reply, uint32_t job_id,
		     struct json_object *half, double wait_s);

/* Add the partition in which such a job would start soonest, of those in which
 * its user had runs lately, if that is worth it and Slurm would take it there.
 * With `exclusive` it has all CPUs of its nodes. */
void sooner_add_partition(struct cli *cli, const struct prediction *p,
			  bool exclusive, struct json_object *reply,
			  uint32_t job_id, double wait_s);

/* Find when a job of that size and limit would start in that partition, were it
 * submitted now, in seconds; NAN: not known. */
double sooner_start(struct cli *cli, const struct prediction *p,
		    bool exclusive);

/* Add rows for the member `sooner`, if there is one. */
void show_sooner(struct table *facts, struct json_object *reply);
