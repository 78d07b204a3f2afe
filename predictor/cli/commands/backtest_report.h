/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest_report.h - the result of a backtest, as tables or JSON */
#pragma once

#include "predictor/backtest/backtest.h"
#include "predictor/backtest/groups.h"
#include "predictor/backtest/whatif.h"

/* Rows of a backtest, in the order in which they are shown. */
struct report_rows {
	size_t of[1 + PREDICTION_MODELS_MAX];
	size_t count;
};

/* One row of the what-if simulation, and its result. */
struct report_plan {
	const struct whatif_row *row;
	struct whatif_measures measures;
};

/* The caller owns everything in it. */
struct backtest_report {
	const char *source; /* "KTH.swf" */
	const struct backtest *backtest;
	struct report_rows rows;         /* of all jobs */
	struct report_rows group_rows;   /* of each group */
	const struct grouping *grouping; /* NULL: none */
	struct groups groups;
	struct report_plan *plans; /* ends without a row; NULL: none */
	uint32_t cpus;             /* of the simulated machine */
	struct whatif_odd odd;
};

/* To the standard output.  Fails when memory ran out. */
int report_tables(const struct backtest_report *report, struct sp_error *err);
int report_json(const struct backtest_report *report, struct sp_error *err);
