/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_predict.h - what predictd would have said when a job was submitted
 *
 * The whole log is replayed through the ensemble that predictd uses, as
 * `spredict backtest` does: a run is known from when it ended in the log.
 */
#pragma once

#include "predictor/backtest/rehearse/rehearse_jobs.h"

/* Set predicted_s of the jobs, which are of this log, to the median; NAN where
 * the plugin with its default tokens would not order by it
 * (policy_no_order). */
int rehearse_predict(const char *format, const char *path,
		     struct rehearse_jobs *jobs, struct sp_error *err);
