/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_intern.h - internals shared by history.c and history_add.c
 *
 * Each of the first finds an entry or adds it; INDEX_NONE: out of memory.
 */
#pragma once

#include "predictor/models/history.h"

uint32_t history_intern_cluster(struct history *h, const char *name);
uint32_t history_intern_application(struct history *h, uint32_t cluster,
				    const char *name);
uint32_t history_intern_user(struct history *h, uint32_t cluster,
			     uint32_t user_id);
uint32_t history_intern_names(struct history *h, const struct parameters *p);
uint32_t history_intern_pair(struct history *h, uint32_t user,
			     uint32_t application);
uint32_t history_intern_group(struct history *h, uint32_t application,
			      uint32_t names, const struct subject *s);

/* For one more run; INDEX_NONE also for no traits.  A run that is dropped must
 * release its traits. */
uint32_t history_intern_traits(struct history *h,
			       const struct trait_keys *keys);
void history_release_traits(struct history *h, uint32_t traits);
