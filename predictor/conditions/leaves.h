/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leaves.h - the leaf switch of each node
 *
 * Leaf switches are numbered from 0 in the order of their names, so that the
 * same topology gives the same numbers in every predictd.
 */
#pragma once

#include "predictor/features/topology.h"
#include "predictor/conditions/links.h"

struct leaves;

/* Copies the names. NULL: out of memory. */
struct leaves *leaves_create(const struct topology *topology);
void leaves_destroy(struct leaves *leaves); /* NULL is allowed */

/* Return LINKS_NO_LEAF if it is not known, as all are where `leaves`
 * is NULL. */
uint32_t leaves_find(const struct leaves *leaves, const char *node);
