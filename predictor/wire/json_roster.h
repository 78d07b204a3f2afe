/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_roster.h - the nodes that take part in probes, as a message
 *
 * As wire.h describes.
 */
#ifndef PREDICTOR_WIRE_JSON_ROSTER_H
#define PREDICTOR_WIRE_JSON_ROSTER_H

#include <json-c/json.h>

#include "predictor/base/error.h"

/* Which nodes probe links among each other; in the reply of GET /v1/probes it
 * stands below "roster". */
#define WIRE_ROSTER_ID_SIZE 33

struct wire_roster {
	char id[WIRE_ROSTER_ID_SIZE]; /* another one when something changed */
	double ask_again_s;
	/* NULL where the asker knows that id; the receiver's to clear. */
	char *nodes;    /* a hostlist */
	char *topology; /* as in topology.conf; empty: flat */
};

struct json_object *wire_roster_encode(const struct wire_roster *roster);
int wire_roster_decode(struct json_object *message, struct wire_roster *ret,
		       struct sp_error *err);
void wire_roster_clear(struct wire_roster *roster);

#endif
