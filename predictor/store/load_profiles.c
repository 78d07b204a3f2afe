/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_profiles.c - profiles of runs, joined from the shares of their nodes
 *
 * The nodes' shares arrive one by one, before or after the end of the run.
 * With each change of the run or of a share of it all its shares are read; the
 * profile goes to the sink once they are complete.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/log.h"
#include "predictor/engine/engine.h"
#include "predictor/store/load.h"

/* Where in a row its parts begin. */
enum { CHANGE_COLUMN, RUN_ID_COLUMN, RUN_COLUMN };

struct profile_group {
	struct run run;
	size_t count;
	struct profile_share shares[PROFILE_NODES_MAX];
	struct profile profile;
};

static void read_row(const PGresult *result, int row,
		     struct profile_group *group)
{
	struct values values;
	int run_width = rows_count_fields(&profiled_run_columns);

	values_of_result(result, row, &values);
	if (group->count == 0) {
		memset(&group->run, 0, sizeof(group->run));
		group->run.id = column_read_int8(values.of[RUN_ID_COLUMN]);
		rows_read(&profiled_run_columns, &values, RUN_COLUMN,
			  &group->run);
		application_mask(&group->run.application);
	}
	if (group->count == PROFILE_NODES_MAX)
		return;

	struct profile_share *share = &group->shares[group->count++];

	profile_share_init(share);
	rows_read(&profile_share_columns, &values, RUN_COLUMN + run_width,
		  share);
}

static void give(const struct store_sink *sink, struct profile_group *group)
{
	struct sp_error why;

	if (engine_make_profile(&group->run, group->shares, group->count,
				&group->profile, &why))
		log_debug("profile of job %u: %s", group->run.job_id, why.text);
	else
		sink->profile(sink->context, &group->run, &group->profile);
	group->count = 0;
}

static void give_all(const struct store_sink *sink, const PGresult *result,
		     struct profile_group *group, int64_t *change)
{
	int64_t last_id = 0;

	for (int row = 0; row < PQntuples(result); row++) {
		int64_t id = column_read_int8(
			PQgetvalue(result, row, RUN_ID_COLUMN));
		int64_t number = column_read_int8(
			PQgetvalue(result, row, CHANGE_COLUMN));

		if (number > *change)
			*change = number;
		if (group->count && id != last_id)
			give(sink, group);
		read_row(result, row, group);
		last_id = id;
	}
	if (group->count)
		give(sink, group);
}

int load_profiles(struct connection *connection, const struct store_sink *sink,
		  struct load_position *position, struct sp_error *err)
{
	int column = RUN_COLUMN, rc = -1;
	PGresult *result;
	struct profile_group *group;

	if (!sink->profile)
		return 0;
	if (connection_run(connection, &statement_profiles_since, NULL,
			   &position->profile, &result, err) < 0)
		return -1;
	group = calloc(1, sizeof(*group));
	if (!group)
		sp_error_set(err, "out of memory for profiles");
	else if (rows_expect(&profiled_run_columns, result, &column, err) ==
			 0 &&
		 rows_expect(&profile_share_columns, result, &column, err) == 0)
		rc = 0;
	if (rc == 0)
		give_all(sink, result, group, &position->profile);
	free(group);
	PQclear(result);
	return rc;
}
