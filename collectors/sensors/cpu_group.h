/* cpu_group.h - the CPU control group that we run in, and its quota
 *
 * A virtual node, or a container, is a control group that may use no more than
 * so much CPU time; then that group is the node, for the CPU sensor.
 */
#ifndef COLLECTORS_SENSORS_CPU_GROUP_H
#define COLLECTORS_SENSORS_CPU_GROUP_H

#define CPU_GROUP_PATH_SIZE 1024

struct cpu_group {
	char path[CPU_GROUP_PATH_SIZE]; /* of its folder; empty: no quota */
	double capacity; /* CPUs that can be used: its quota, or those online */
};

/* The innermost group above us with a quota, v1 or v2. */
void cpu_group_find(struct cpu_group *ret);

/* "40000 100000" of v2's cpu.max; 0: no limit, or not understood. */
double cpu_group_parse_max(const char *text);

#endif
