/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - starts and ends of jobs on this node, from the SPANK plugin
 *
 * Files in SPOOL/events, whose names sort by time:
 *	event=start | end	job=ID	user=UID	time=SECONDS
 *	cluster= node= partition= nodes=HOSTLIST restarts=N exit=CODE:SIGNAL
 *	profile=mpi | packets | no	parameters=a=1 b=2	prediction=ID
 *	arguments=SCRIPT ARGUMENT...
 *	end=1
 * one field a line; those of the second row only where Slurm set them.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"

#define JOB_EVENT_PROFILE_SIZE    16
#define JOB_EVENT_PARAMETERS_SIZE 2048
#define JOB_EVENT_ARGUMENTS_SIZE  1024

enum job_event_kind { JOB_STARTED, JOB_ENDED };

/* What the submission said, for an application that is found late. */
struct job_event_submission {
	char parameters[JOB_EVENT_PARAMETERS_SIZE]; /* empty: not set */
	char arguments[JOB_EVENT_ARGUMENTS_SIZE];   /* likewise */
};

struct job_event {
	enum job_event_kind kind;
	uint32_t job_id, user_id;
	double time_s;
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	char nodes[RUN_NODES_SIZE]; /* empty: not set, or too long */
	int restarts;               /* -1: not set */
	int exit_code;              /* -1: not set */
	int exit_signal;
	char profile[JOB_EVENT_PROFILE_SIZE]; /* empty: not set */
	struct job_event_submission submission;
	char prediction_id[PREDICTION_ID_SIZE]; /* likewise */
};

/* Changes `text`. */
int job_event_parse(char *text, size_t size, struct job_event *ret,
		    struct sp_error *err);

/* Read the files in the folder, oldest first, and pass each event to `take`.
 * Where that returned 0 the file is removed; else it and all newer ones stay
 * for the next call.  A file that can't be read as an event is
 * moved to `refused_fd`. */
int events_take(int events_fd, int refused_fd,
		int (*take)(void *context, const struct job_event *event,
			    struct sp_error *err),
		void *context, struct sp_error *err);
