/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site.h - the policy in force, followed as slurm.conf changes */
#pragma once

#include "plugin/site/tokens.h"

struct site;

/* `complain` is called for each token that is ignored, once per text of the
 * parameters, with a context of NULL.  NULL: out of memory. */
struct site *site_create(tokens_complaint *complain);
void site_destroy(struct site *site);

/* The policy that `parameters` (slurm.conf's SlurmctldParameters, may be NULL)
 * describes; read anew only if the text is another one than last time, for
 * Slurm does not notify plugins of a change.  May be called by many threads
 * at once. */
void site_policy(struct site *site, const char *parameters, struct policy *ret);
