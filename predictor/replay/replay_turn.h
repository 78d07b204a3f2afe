/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_turn.h - how long a message waits for a rank that spins */
#pragma once

#include "predictor/replay/trace_replay.h"

/* The time until a rank that spins, one of n that compete on the node, and has
 * just stopped waiting, gets the CPU for this work, beyond what equal shares
 * take. */
double replay_turn(const struct replay_node *node, int n, double work_s);
