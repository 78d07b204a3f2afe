/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_predict.c - iterations of farms, simulated
 *
 * Each line of stdin is one:
 *	POLICY sync|async M mu sigma V alpha lm mo k n SPEED...
 * A worker's SPEED is "1", or "1,0.2:0.5": 1, and 0.5 from 0.2 seconds on.
 * Prints the time of each in seconds: the mean over some draws of the tasks.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/farm/simulate.h"

#define DRAWS     16
#define TASKS_MAX 100000

static struct worker_speed_step steps[FARM_WORKERS_MAX][2];
static struct worker_speed speeds[FARM_WORKERS_MAX];
static double draw[TASKS_MAX + 1];

static int read_speed(int worker)
{
	struct worker_speed_step *s = steps[worker];
	double first = 1, later = 1, later_s = 0;
	char text[64];
	int got;

	if (scanf("%63s", text) != 1)
		return -1;
	got = sscanf(text, "%lf,%lf:%lf", &first, &later_s, &later);
	s[0] = (struct worker_speed_step){ .speed = first };
	s[1] = (struct worker_speed_step){ .from = later_s, .speed = later };
	speeds[worker] = (struct worker_speed){ got == 3 ? 2 : 1, s };
	return got == 1 || got == 3 ? 0 : -1;
}

static const struct farm_policy *find_policy(const char *name)
{
	for (int i = 0; farm_policies[i]; i++)
		if (!strcmp(farm_policies[i]->name, name))
			return farm_policies[i];
	return NULL;
}

static double mean_time(struct farm_iteration *iteration)
{
	double sum = 0;

	for (int i = 0; i < DRAWS; i++) {
		farm_draw_work(iteration->farm, (uint64_t)i + 1, draw);
		iteration->work = draw;
		sum += farm_simulate(iteration, NULL);
	}
	return sum / DRAWS;
}

int main(void)
{
	char policy[16], mode[16];
	struct message_costs costs = { .count = 1 };
	struct farm f = { .M = 0 };
	int n;

	while (scanf("%15s %15s %d %lf %lf %lf %lf %lf %lf %lf %d", policy,
		     mode, &f.M, &f.mu, &f.sigma, &f.V, &f.alpha, &f.lm,
		     &costs.classes[0].mo, &costs.classes[0].k, &n) == 11) {
		struct farm_iteration iteration = {
			.farm = &f,
			.costs = &costs,
			.policy = find_policy(policy),
			.speeds = speeds,
		};

		f.synchronous = !strcmp(mode, "sync");
		costs.classes[0].bytes_max = HUGE_VAL;
		if (!iteration.policy || f.M < 1 || f.M > TASKS_MAX || n < 1 ||
		    n > FARM_WORKERS_MAX)
			return 1;
		for (int i = 0; i < n; i++)
			if (read_speed(i))
				return 1;
		iteration.rules = (struct handout_rules){
			.M = f.M,
			.n = n,
			.mu = f.mu,
			.sigma = f.sigma,
			.chunk_min = handout_chunk_min(&f, &costs, n),
		};
		printf("%.9f\n", mean_time(&iteration));
	}
	return feof(stdin) ? 0 : 1;
}
