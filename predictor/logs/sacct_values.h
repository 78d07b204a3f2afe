/* sacct_values.h - single values as sacct prints them
 *
 * Private to predictor/logs/.  Those that return int give 0, or -1: it is
 * nothing of that kind.
 */
#ifndef PREDICTOR_LOGS_SACCT_VALUES_H
#define PREDICTOR_LOGS_SACCT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/features/run.h"

/* "2026-01-31T12:00:00" in local time, with "Z" or "+01:00" behind it in that
 * zone; a number of seconds since the epoch; or no time yet ("Unknown",
 * "None", ""), which gives NAN. */
int sacct_time(const char *text, double *ret_s);

/* "[D-]HH:MM:SS", "UNLIMITED" (HUGE_VAL), or nothing that is known
 * ("Partition_Limit", ""), which gives NAN. */
int sacct_limit(const char *text, double *ret_s);
int sacct_limit_minutes(const char *text, double *ret_s); /* TimelimitRaw */

/* "16G" for the job, "4000Mc" for each CPU, "16Gn" for each node; 0: as much
 * as there is, not given, or beyond all reason. */
struct sacct_memory {
	double mb;
	char per; /* 'c', 'n', or 0: of the job */
};

int sacct_memory(const char *text, struct sacct_memory *ret);

/* "123", "123_4" of an array (in other tools' forms of it "123[4]"), "123+1" of a heterogeneous job, "123_[5-9]" of
 * tasks that wait, and any of these with ".batch" and the like of a step. */
struct sacct_id {
	uint32_t job;
	bool array, heterogeneous, step, waiting;
	uint32_t task, component;
};

int sacct_id(const char *text, struct sacct_id *ret);

/* "CANCELLED by 1000" is CANCELLED.  1: a state of a job that has not ended,
 * or has not run. */
int sacct_state(const char *text, enum run_state *ret);

/* "1:0": code and signal; "" is 0:0. */
int sacct_exit(const char *text, int *ret_code, int *ret_signal);

/* Digits alone; "" is 0. */
int sacct_count(const char *text, uint32_t *ret);

#endif
