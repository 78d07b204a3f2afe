/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.h - generic resources (GPUs and the like), as Slurm's texts have them
 *
 * Slurm has several forms for the same: "gpu:a100:2" (--gres), "gres:gpu:2" and
 * "gres/gpu:2" (job descriptions and scontrol, before and since 23.11),
 * "cpu=8,gres/gpu=2,gres/gpu:a100=2" (TRES, as sacct has them, where the count
 * of all types stands beside those of each).  Here they become a list of names,
 * types and counts, sorted, each pair of name and type once.  What is no
 * generic resource, or is not understood, is left out.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define GRES_NAME_SIZE 32
#define GRES_MAX       8

struct gres {
	char name[GRES_NAME_SIZE]; /* "gpu" */
	char type[GRES_NAME_SIZE]; /* "a100"; empty: any */
	uint64_t count;
};

struct gres_list {
	int count;
	struct gres of[GRES_MAX]; /* sorted by name, then type */
};

/* What a job requests, in Slurm's syntax; NULL or empty: nothing. */
struct gres_request {
	const char *per_node;   /* --gres, --gpus-per-node */
	const char *per_job;    /* --gpus */
	const char *per_socket; /* --gpus-per-socket */
	const char *per_task;   /* --gpus-per-task */
};

/* Add all that `text` names, each count `times` times.  More than GRES_MAX
 * kinds are left out. */
void gres_list_add(struct gres_list *list, const char *text, uint64_t times);

/* Print a list as a text, "gpu:a100:8,shard:4"; cut before the first entry for
 * which there is no room. */
void gres_list_print(const struct gres_list *list, char *ret, size_t size);

/* Print what a job requests over all of its nodes, as gres_list_print() writes
 * it.  Equal requests give equal texts, whichever options made them.  A node
 * counts as one socket. */
void gres_request_total(const struct gres_request *request, uint32_t nodes,
			uint32_t tasks, char *ret, size_t size);

/* Find what each of its nodes must have at least if it runs that many tasks;
 * of what is requested over the whole job, one. */
void gres_request_on_node(const struct gres_request *request, uint32_t tasks,
			  struct gres_list *ret);
