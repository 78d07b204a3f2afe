/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host_room.c - how many nodes like this one its machine can serve */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/sensors/cpu_times.h"
#include "collectors/sensors/host_room.h"
#include "predictor/base/hash_mix.h"
#include "predictor/base/small_file.h"

#define MEMORY_S 2.0 /* of the means */
/* From this part of its CPUs on, a machine has none to give. */
#define FULL       0.9
#define NODES_MOST 1e4

/* Return a number of the first line of FOLDER/NAME; NAN: there is none. */
static double number_read(const char *folder, const char *name,
			  const char *format)
{
	char line[128];
	double value;

	small_file_line(folder, name, line, sizeof(line));
	return sscanf(line, format, &value) == 1 ? value : NAN;
}

/* The machine since its boot, and the group: 32 bits, which a double holds. */
static double id_of(const char *group)
{
	char text[CONTROL_GROUP_PATH_SIZE + 64];
	uint64_t hash = 0;

	if (small_file_line("/proc/sys/kernel/random", "boot_id", text, 64))
		return 0;
	strcat(text, group);
	for (const char *at = text; *at; at++)
		hash = hash_mix(hash ^ (unsigned char)*at) + 1;
	return (double)(hash >> 32);
}

void host_room_open(struct host_room *room, const struct cpu_group *group)
{
	*room = (struct host_room){ .at_s = NAN };
	if (!*group->path ||
	    cpu_group_top("", room->weight_of, room->usage_of) ||
	    strlen(room->weight_of) >= strlen(group->path))
		return;
	room->id = id_of(room->weight_of);
	room->nodes = NODES_MOST;
}

/* Return the weight of a group, in processes of the usual weight. */
static double weight_read(const char *folder)
{
	double weight = number_read(folder, "cpu.weight", "%lf") / 100;

	if (!(weight > 0))
		weight = number_read(folder, "cpu.shares", "%lf") / 1024;
	return weight > 0 ? weight : 1;
}

double host_room_left(double cpus, double weight, double runnable)
{
	return fmax(cpus - runnable, cpus * weight / (weight + runnable));
}

static void mean_move(double *mean, double value, double gain)
{
	*mean += gain * (value - *mean);
}

void host_room_read(struct host_room *room, const struct cpu_group *group,
		    double now_s, double machine_busy_s)
{
	double elapsed_s = now_s - room->at_s, gain = 1;
	double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
	double runnable = number_read("/proc", "loadavg", "%*f %*f %*f %lf");
	double inside_s;

	if (!(room->id > 0))
		return;
	inside_s = cpu_times_group_s(room->usage_of);
	if (elapsed_s > 0) {
		gain = 1 - exp(-elapsed_s / MEMORY_S);
		mean_move(&room->busy,
			  (machine_busy_s - room->machine_busy_s) / elapsed_s,
			  gain);
		mean_move(&room->inside,
			  (inside_s - room->group_busy_s) / elapsed_s, gain);
	}
	mean_move(&room->runnable, fmax(runnable - 1, 0), gain); /* but us */
	room->at_s = now_s;
	room->machine_busy_s = machine_busy_s;
	room->group_busy_s = inside_s;

	double outside = fmax(room->busy - room->inside, 0);
	double full = (room->busy / cpus - FULL) / (1 - FULL);
	double waiting = fmax(room->runnable - room->inside - outside, 0);
	double left =
		host_room_left(cpus, weight_read(room->weight_of),
			       outside + fmin(fmax(full, 0), 1) * waiting);

	if (left > 0)
		room->nodes = fmin(left / group->quota, NODES_MOST);
}
