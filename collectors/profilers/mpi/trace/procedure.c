/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure.c - work of one procedure of the program
 *
 * Every function that is compiled with -finstrument-functions calls the two
 * hooks below, which have empty versions in the C library.  A clock is read for
 * the one procedure only; it takes a few tenths of a microsecond, so that a
 * procedure which is called very often is refused.
 */
#include <stdio.h>
#include <stdlib.h>

#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/symbols.h"
#include "collectors/profilers/mpi/trace/procedure.h"
#include "predictor/base/unused.h"

#define NAME_VARIABLE  "PREDICT_TRACE_PROCEDURE"
#define CALLS_A_SECOND 10000 /* of work; more are refused */
#define CALLS_FIRST    20000 /* before that is looked at */

static struct {
	void *address;  /* of what hooks measure; NULL: none */
	int depth;      /* it may call itself */
	double since_s; /* work at its last entry, or at procedure_take() */
	double sum_s;   /* since procedure_take() */
	struct procedure_measure measure;
} procedure;

static void refuse(const char *why)
{
	snprintf(procedure.measure.why, sizeof(procedure.measure.why), "%s",
		 why);
}

static void place_measure(const struct symbol_place *place)
{
	if (!place->hooked) {
		refuse("its file was not compiled with "
		       "-finstrument-functions");
		return;
	}
	procedure.measure.by = MEASURED_BY_HOOKS;
	procedure.address = (void *)place->address;
}

void procedure_begin(void)
{
	const char *name = getenv(NAME_VARIABLE);
	static struct symbol_place place;

	if (!name || !*name)
		return;
	snprintf(procedure.measure.name, sizeof(procedure.measure.name), "%s",
		 name);
	switch (symbols_find(name, &place)) {
	case SYMBOL_FOUND:
		place_measure(&place);
		break;
	case SYMBOL_ABSENT:
		procedure.measure.by = MEASURED_ABSENT;
		break;
	case SYMBOL_SEVERAL:
		refuse("several functions have that name");
		break;
	case SYMBOL_HIDDEN:
		refuse("the program's file has no symbol table (strip)");
		break;
	}
}

/* --- Hooks ---------------------------------------------------------------- */

__attribute__((visibility("default"))) void
__cyg_profile_func_enter(void *function, void *site);
__attribute__((visibility("default"))) void
__cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site UNUSED)
{
	if (function != procedure.address || !current_call_is_measured())
		return;
	if (procedure.depth++)
		return;
	procedure.since_s = current_call_work_now_s();
	if (++procedure.measure.calls > CALLS_FIRST &&
	    (double)procedure.measure.calls >
		    CALLS_A_SECOND * procedure.since_s) {
		refuse("it is called more than 10,000 times a second");
		procedure.address = NULL;
	}
}

void __cyg_profile_func_exit(void *function, void *site UNUSED)
{
	if (function != procedure.address || !procedure.depth ||
	    !current_call_is_measured())
		return;
	if (--procedure.depth == 0)
		procedure.sum_s +=
			current_call_work_now_s() - procedure.since_s;
}

/* --- The measure ---------------------------------------------------------- */

double procedure_take(double work_s)
{
	double taken_s;

	if (procedure.depth && work_s > procedure.since_s) {
		procedure.sum_s += work_s - procedure.since_s;
		procedure.since_s = work_s;
	}
	taken_s = procedure.sum_s;
	procedure.sum_s = 0;
	return taken_s;
}

bool procedure_is_unknown(void)
{
	return *procedure.measure.why;
}

void procedure_end(struct procedure_measure *ret)
{
	procedure.address = NULL;
	*ret = procedure.measure;
}
