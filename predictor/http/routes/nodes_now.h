/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_now.h - nodes and links as the engine knows them, for a replay */
#pragma once

#include "predictor/whatif/whatif_conditions.h"

/* `context`: a struct engine.  Fails for a node that was not measured. */
whatif_conditions_fn nodes_now;
