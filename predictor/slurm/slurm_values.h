/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_values.h - single values as sacct and scontrol print them
 *
 * Functions returning int give 0, or -1: it is nothing of that kind, and
 * nothing has changed.
 */
#pragma once

#include "predictor/features/run.h"

/* "2026-01-31T12:00:00" (also with a blank for the T) in local time, with "Z"
 * or "+01:00" behind it in that zone; a number of seconds since the epoch; or
 * no time yet ("Unknown", "None", ""), which gives NAN. */
int slurm_time_parse(const char *text, double *ret_s);

/* "[D-]HH:MM:SS", "UNLIMITED" (HUGE_VAL), or no limit that is known
 * ("Partition_Limit", ""), which gives NAN. */
int slurm_limit_parse(const char *text, double *ret_s);
int slurm_limit_minutes_parse(const char *text,
			      double *ret_s); /* TimelimitRaw */

/* "16G" or "16GB" for the job, "4000Mc" for each CPU, "16Gn" for each node; 0:
 * as much as there is, not given, or beyond all reason. */
struct slurm_memory {
	double mb;
	char per; /* 'c', 'n', or 0: of the job */
};

int slurm_memory_parse(const char *text, struct slurm_memory *ret);

/* "123", "123_4" of an array ("123[4]" in the output of some other tools),
 * "123+1" of a heterogeneous job, "123_[5-9]" of tasks that wait, and any of
 * these with ".batch" and the like of a step. */
struct slurm_job_id {
	uint32_t job;
	bool array, heterogeneous, step, waiting;
	uint32_t task, component;
};

int slurm_job_id_parse(const char *text, struct slurm_job_id *ret);

enum slurm_phase {
	SLURM_WAITING, /* (again) in the queue */
	SLURM_RUNNING,
	SLURM_ENDING, /* COMPLETING: its end state does not show yet */
	SLURM_ENDED,
};

/* "CANCELLED by 1000" is CANCELLED.  The state is RUN_RUNNING unless the phase
 * is SLURM_ENDED. */
int slurm_state_parse(const char *text, enum slurm_phase *ret_phase,
		      enum run_state *ret_state);

/* "1:0": code and signal, each at most 255. */
int slurm_exit_parse(const char *text, int *ret_code, int *ret_signal);

/* Digits alone; "" is 0. */
int slurm_count_parse(const char *text, uint32_t *ret);

/* A count as the other commands print it: also "2K" and "1.50K", of 1024. */
int slurm_amount_parse(const char *text, uint32_t *ret);

/* Parse a user's number as squeue prints it, which is as an int. */
int slurm_user_id_parse(const char *text, uint32_t *ret);

/* Copy a copy of `value` without "(null)" and "N/A", which stand for nothing,
 * cut to size-1 bytes. */
void slurm_text_copy(const char *value, char *ret, size_t size);

/* Find the licenses of TRES as sacct prints them, "cpu=8,license/matlab=2", as
 * --licenses has them: "matlab:2".  Cut before the first for which there is no
 * room; not changed where there is none. */
void slurm_tres_licenses(const char *tres, char *ret, size_t size);

/* Find the id of "predict=0123456789abcdef" in an AdminComment, among what
 * other tools wrote there; of several the last one, which is the newest. */
bool slurm_comment_prediction(const char *comment,
			      char ret_id[PREDICTION_ID_SIZE]);

/* Return whether it has PREDICTION_MISSED. */
bool slurm_comment_missed(const char *comment);
