/* SPDX-License-Identifier: GPL-2.0-or-later */
/* describe.h - the members of the records that are sent and stored
 *
 * One table for each struct, with a row for each member: how it is called and
 * of what kind it is.  predictor/wire/ walks it to write and read JSON,
 * predictor/store/ to write and read rows of PostgreSQL, both in the order of
 * the table.  A member whose place differs between the two has two rows: one
 * is not stored, the other is not sent.
 *
 * A new member of a struct is a row here, a column in sql/ and in the
 * statements of the store, and a line in openapi.json.
 */
#pragma once

#include <stddef.h>

#include "predictor/features/enum_words.h"
#include "predictor/features/parameters.h"

struct codec; /* of predictor/wire/ */

/* Kinds of members; numbers in messages are >= 0.  In the database NAN is NULL,
 * and comes back as NAN. */
enum field_kind {
	FIELD_TEXT,       /* char[size] */
	FIELD_ID,         /* the same: 16 hexadecimal digits, or empty */
	FIELD_BOOL,       /* bool; 0 or 1 in the database */
	FIELD_INT,        /* int */
	FIELD_UINT,       /* uint32_t */
	FIELD_INT8,       /* any integer of 8 bytes */
	FIELD_NUMBER,     /* double, NAN is null */
	FIELD_KNOWN,      /* double; a message never has null */
	FIELD_KNOWN4,     /* the same, stored with 7 digits */
	FIELD_LIMIT,      /* double, NAN is null, HUGE_VAL "unlimited" */
	FIELD_TIME,       /* double, seconds since the epoch; must be known */
	FIELD_OPEN_TIME,  /* the same, or NAN */
	FIELD_ENUM,       /* any enum, by `words` */
	FIELD_RECORD,     /* a struct; its members are columns */
	FIELD_LIST,       /* an array of structs; a member is an array column */
	FIELD_PARAMETERS, /* struct parameters; a list in the database */
	FIELD_KNOTS,      /* quantiles at prediction_knots; likewise */

	/* In messages alone: */
	FIELD_UINT2, /* uint16_t */
	FIELD_LENT,  /* const char * of at most `max` bytes, which the message
		       lends; NULL is left out */
};

struct field {
	const char *name;   /* in messages; NULL ends the table */
	const char *column; /* in the database; NULL: it is not stored */
	bool unsent;        /* it is in no message */
	enum field_kind kind;
	const struct codec *codec; /* of what is not in the list of kinds */
	size_t offset;             /* of the member in the struct */
	size_t size;               /* of the member */

	/* In messages. */
	double max; /* of a number, 0: no bound of its own; of a lent text */
	bool estimated; /* a number printed with few digits */
	bool required;  /* else what the struct holds stays as it is */
	bool typed;     /* by a user: secrets are masked (secret.h) */
	bool sparse;    /* left out where the member is all 0 */

	/* In the database: an empty text, or a time that is not known, is
	 * NULL. */
	bool optional;

	const struct enum_words *words; /* of an enum */

	/* Fields of a record, or of each element of a list. */
	const struct field *nested;
	size_t stride;       /* from one element to the next */
	int most;            /* elements; 0: it is no list */
	size_t count_offset; /* of the int that counts them, -1 if the list is
				not known; 0: all are there */

	unsigned in; /* parts of the record that it belongs to, as bits */
};

/* Parts of a run. */
enum run_part {
	RUN_BRIEF = 1,    /* what models read */
	RUN_PROFILED = 2, /* what is read with a profile */
	RUN_IMPORTED = 4, /* what job logs have */
	RUN_ALL_PARTS = 7
};

extern const struct field run_fields[], run_share_fields[];
extern const struct field conditions_fields[], parameters_fields[];
extern const struct field measurement_fields[], link_measurement_fields[];
extern const struct field prediction_fields[];
extern const struct field profile_node_fields[], profile_peer_fields[];
extern const struct field profile_share_fields[], profile_pair_fields[];
extern const struct field profile_farm_fields[];

/* Set each number, limit and open time to NAN, also in records and lists; what
 * else there is stays. */
void fields_unknown(const struct field fields[], void *into);

/* --- For tables ----------------------------------------------------------- */

/* A member of `struct object`; what follows are more members of its row. */
#define FIELD_ROW(object, member, its_kind, ...)                          \
	{                                                                 \
		.kind = FIELD_##its_kind,                                 \
		.offset = offsetof(struct object, member),                \
		.size = sizeof(((struct object *)0)->member), __VA_ARGS__ \
	}

/* A member of messages alone, called as in the struct. */
#define FIELD_SENT(object, member, its_kind, ...) \
	FIELD_ROW(object, member, its_kind, .name = #member, __VA_ARGS__)

/* A column of that name, in no message. */
#define FIELD_STORED(object, member, its_column, its_kind, ...) \
	FIELD_ROW(object, member, its_kind, .name = #member,    \
		  .column = (its_column), .unsent = true, __VA_ARGS__)

/* The elements of an array, counted by `counter`. */
#define FIELD_ELEMENTS(object, array, counter, its_nested) \
	.nested = (its_nested),                            \
	.stride = sizeof(((struct object *)0)->array[0]),  \
	.most = sizeof(((struct object *)0)->array) /      \
		sizeof(((struct object *)0)->array[0]),    \
	.count_offset = offsetof(struct object, counter)

/* The members of a member `application`. */
#define FIELD_APPLICATION(object, ...)                                   \
	FIELD_ROW(object, application.name, TEXT, .name = "application", \
		  .typed = true, __VA_ARGS__)
#define FIELD_PARAMETERS_AT(object, member, ...)                              \
	FIELD_ROW(object, member, PARAMETERS, .name = "parameters",           \
		  .nested = parameters_fields,                                \
		  .stride = sizeof(struct parameter), .most = PARAMETERS_MAX, \
		  .count_offset = offsetof(struct object, member.count),      \
		  __VA_ARGS__)
#define FIELD_PARAMETER_SET(object, ...) \
	FIELD_PARAMETERS_AT(object, application.parameters, __VA_ARGS__)
#define FIELD_TRAITS(object, ...)                                     \
	FIELD_ROW(object, application.traits, TEXT, .name = "traits", \
		  .typed = true, __VA_ARGS__)

#define FIELD_END            \
	{                    \
		.name = NULL \
	}
