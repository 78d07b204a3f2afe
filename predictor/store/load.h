/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - reading the history into memory */
#pragma once

#include "predictor/engine/store.h"
#include "predictor/store/connection.h"

/* What has been passed to the sink. */
struct load_position {
	int64_t change;  /* the last change of a run */
	int64_t import;  /* the last import, numbered as changes are */
	int64_t profile; /* the last change of a profiled run; 0: none yet */
};

enum load_pass {
	LOAD_ALL = 1,
	LOAD_NEWEST = 2, /* of the runs the newest STORE_RUNS_FIRST */
	LOAD_AGAIN = 4,  /* only runs: the sink has the rest, and newer, but
			    what other predictds predicted for runs that
			    have changed since */
};

/* All of the history that is at most `days` old (0: all), from one snapshot,
 * to the sink: predictions, the measurements of the last hours, runs in the
 * order of their ends, running ones.
 * After a failure the sink has seen a part, and *ret is unchanged.  Our own
 * predictions have that origin. */
int load_history(struct connection *connection, const struct store_sink *sink,
		 int64_t origin, int days, enum load_pass pass,
		 struct load_position *ret, struct sp_error *err);

/* Runs changed after position->change, in the order of changes, each after its
 * predictions if these are not of `origin`; advances *position,
 * also when it fails half-way. */
int load_changes(struct connection *connection, const struct store_sink *sink,
		 int64_t origin, struct load_position *position,
		 struct sp_error *err);

/* Profiles of runs that were stored or changed since, and are complete; the
 * first time all. */
int load_profiles(struct connection *connection, const struct store_sink *sink,
		  struct load_position *position, struct sp_error *err);

/* Whether an import was finished since. */
int load_imported(struct connection *connection,
		  const struct load_position *position, bool *ret,
		  struct sp_error *err);
