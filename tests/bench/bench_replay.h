/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_replay.h - what the files of bench-replay share */
#pragma once

#include "predictor/trace/matched_trace.h"

_Noreturn void fail(const struct sp_error *err);
struct matched_trace *match_or_exit(const struct trace *trace);

/* bench_replay_programs.c */
void measure_programs(void);
