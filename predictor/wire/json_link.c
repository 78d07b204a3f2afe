/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_link.c - the state of a link as a message */
#include <string.h>

#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

struct json_object *wire_link_encode(const struct link_measurement *link)
{
	return fields_encode(link_measurement_fields, link);
}

int wire_link_decode(struct json_object *message, struct link_measurement *ret,
		     struct sp_error *err)
{
	struct link_measurement link;

	link_measurement_init(&link);
	if (fields_decode(link_measurement_fields, message, &link, err) < 0)
		return -1;
	if (!*link.from)
		return sp_error_set(err, "from: is empty");
	if (!*link.to)
		return sp_error_set(err, "to: is empty");
	if (!strcmp(link.from, link.to))
		return sp_error_set(err, "to: is the same node as `from`");
	*ret = link;
	return 0;
}
