/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_measure.h - how the work of a procedure that the user named
 * was measured */
#pragma once

#include <stdint.h>

#define PROCEDURE_MEASURED_NAME_SIZE 256
#define PROCEDURE_WHY_SIZE           256

enum procedure_measured_by {
	MEASURED_NOT,        /* why says what prevented it */
	MEASURED_BY_HOOKS,   /* of the compiler, in the program */
	MEASURED_BY_UPROBES, /* of the kernel, in traces of earlier versions */
	MEASURED_ABSENT,     /* the rank's program has no such function */
};

struct procedure_measure {
	char name[PROCEDURE_MEASURED_NAME_SIZE]; /* empty: none was named */
	enum procedure_measured_by by;
	uint64_t calls;
	/* Why its work is not known, as a sentence; empty: it is. */
	char why[PROCEDURE_WHY_SIZE];
};
