/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu_use.c - what a job used of its GPUs, as sacct has it
 *
 * Of a step with n tasks, one had the most, one the least, and the others no
 * more than the most: that bounds what they used together.  Steps that ran at
 * the same time add up, and the fullest time counts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/gres.h"
#include "predictor/slurm/gpu_use.h"

#define STEPS_MAX 1000
#define VALUE_MAX 1e12 /* beyond, Slurm means "not known" */

/* Sum up a resource in a list of TRES; 0 also where it is not known. */
static double find_tres(const char *tres, const char *name)
{
	struct gres_list list = { .count = 0 };
	double sum = 0;

	gres_list_add(&list, tres, 1);
	for (int i = 0; i < list.count; i++)
		if (strcmp(list.of[i].name, name) == 0)
			sum += (double)list.of[i].count;
	return sum < VALUE_MAX ? sum : 0;
}

struct step {
	double start_s, end_s, busy;
};

/* Read a line: the job's own, or of a step.  Return whether it is one. */
static int read_step(char *line, struct gpu_use *use, struct step *ret)
{
	const char *fields[6];

	for (int i = 0; i < 6; i++)
		fields[i] = strsep(&line, "|");
	if (!fields[5])
		return 0;

	double others = fmax(1, strtod(fields[2], NULL)) - 1;
	double most = find_tres(fields[4], "gpuutil");
	double least = find_tres(fields[5], "gpuutil");
	double bytes = find_tres(fields[4], "gpumem");

	use->gpus = fmax(use->gpus, find_tres(fields[3], "gpu"));
	use->memory_mb = fmax(use->memory_mb, bytes / (1 << 20));
	*ret = (struct step){ strtod(fields[0], NULL), strtod(fields[1], NULL),
			      (others > 0 ? others * most + least : most) /
				      100 };
	return 1;
}

int gpu_use_parse(char *text, struct gpu_use *ret)
{
	struct gpu_use use = { .gpus = 0 };
	struct step steps[STEPS_MAX];
	char *line;
	int count = 0;

	while (count < STEPS_MAX && (line = strsep(&text, "\n")))
		count += read_step(line, &use, &steps[count]);
	for (int i = 0; i < count; i++) {
		double busy = 0, at_s = steps[i].start_s;

		for (int j = 0; j < count; j++)
			if (j == i ||
			    (steps[j].start_s <= at_s && steps[j].end_s > at_s))
				busy += steps[j].busy;
		use.busy = fmax(use.busy, busy);
	}
	/* A bound rests on all steps. */
	if ((text && *text) ||
	    !(use.gpus > 0 && (use.busy > 0 || use.memory_mb > 0)))
		return -1;
	use.busy = fmin(use.busy, use.gpus);
	use.idle = use.gpus - fmax(ceil(use.busy), 1);
	*ret = use;
	return 0;
}
