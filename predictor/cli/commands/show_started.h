/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_started.h - a job that has started: its progress or outcome, in words */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/wire/wire.h"

/* Print a reply to /v1/jobs/ID: the run, its prediction and the reasons. */
int show_started(const struct cli *cli, struct json_object *reply,
		 struct sp_error *err);
