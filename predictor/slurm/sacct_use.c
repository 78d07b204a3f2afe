/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_use.c - what a job and its steps used, as sacct has it */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/base/piece.h"
#include "predictor/slurm/sacct_use.h"

#define MIB     (1024.0 * 1024)
#define USE_MAX 1e15 /* 2^64 and the like: nobody knows */

static double known(double use)
{
	return use > 0 && use < USE_MAX ? use : 0;
}

/* --- Fields --------------------------------------------------------------- */

/* "1-02:03:04" or "03:04.567". */
int sacct_use_cpu_time(struct sacct_record *record, const char *text)
{
	char whole[32];

	if (!*text)
		return 0;
	return piece_copy(whole, sizeof(whole), text, strcspn(text, "."))
		       ? duration_parse(whole, &record->run.cpu_s, NULL)
		       : -1;
}

/* Return the number of `name` in a list as "cpu=00:01:00,mem=12K", where one
 * without a unit is as it is; 0: it has none, or nobody knows. */
static double list_number(const char *text, const char *name)
{
	struct slurm_memory number;
	char value[32];

	while (*text && strncmp(text, name, strlen(name)) != 0)
		text += strcspn(text, ",") + (strchr(text, ',') != NULL);
	text += *text ? strlen(name) : 0;
	if (!piece_copy(value, sizeof(value), text, strcspn(text, ",")) ||
	    slurm_memory_parse(value, &number))
		return 0;
	return known(strpbrk(value, "KMGTPE") ? number.mb * MIB
					      : strtod(value, NULL));
}

/* The most of one task in bytes: MaxRSS, or TRESUsageInMax. */
int sacct_use_peak(struct sacct_record *record, const char *text)
{
	record->run.peak_memory_mb =
		list_number(text, strchr(text, '=') ? "mem=" : "") / MIB;
	return 0;
}

/* Percents, above 100 on several GPUs: TRESUsageInTot. */
int sacct_use_gpus(struct sacct_record *record, const char *text)
{
	record->run.gpus_busy = list_number(text, "gres/gpuutil=") / 100;
	return 0;
}

int sacct_use_energy(struct sacct_record *record, const char *text)
{
	record->run.energy_j = known(strtod(text, NULL));
	return 0;
}

/* --- Steps ---------------------------------------------------------------- */

void sacct_use_add(struct run *sum, const struct run *step)
{
	double on_node =
		step->nodes ? ceil(1.0 * step->tasks / step->nodes) : 1;

	if (step->tasks > sum->tasks)
		sum->tasks = step->tasks;
	sum->cpu_s += step->cpu_s;
	sum->peak_memory_mb = fmax(sum->peak_memory_mb,
				   step->peak_memory_mb * fmax(1, on_node));
	sum->gpus_busy = fmax(sum->gpus_busy, step->gpus_busy);
}
