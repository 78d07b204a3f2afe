/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quoted_fields.h - fields in double quotes, as spreadsheets write them */
#pragma once

/* For what is read, since the delimiter may be in a text. */
#define QUOTED_FIELDS_SEPARATOR "\x1f"

/* Return what stands between two fields in quotes that `header` begins with;
 * 0: it is no such header. */
char quoted_fields_delimiter(const char *header);

/* Take the quotes of whole fields away ("" is one in the text), in place;
 * delimiters between fields become `to`. */
void quoted_fields_read(char *line, char delimiter, char to);
