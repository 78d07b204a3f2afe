/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure.c - work of one procedure of the program, by its compiler's hooks
 *
 * Every function that is compiled with -finstrument-functions calls the two hooks
 * below, which have empty versions in the C library.  A clock is read for the one
 * procedure only; it takes a few tenths of a microsecond, so that a procedure
 * which is called very often is refused.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "collectors/profilers/mpi/procedure.h"
#include "collectors/profilers/mpi/session.h"

#define NAME_VARIABLE  "PREDICT_TRACE_PROCEDURE"
#define CALLS_A_SECOND 10000 /* of work; more are refused */
#define CALLS_FIRST    20000 /* before that is looked at */

static struct {
	void *address; /* NULL: none */
	int depth;     /* it may call itself */
	uint64_t calls;
	double since_s; /* work at its last entry, or at procedure_take() */
	double sum_s;   /* since procedure_take() */
	bool refused;
} procedure;

void procedure_begin(void)
{
	const char *name = getenv(NAME_VARIABLE);

	procedure.address = name ? dlsym(RTLD_DEFAULT, name) : NULL;
}

__attribute__((visibility("default"))) void
__cyg_profile_func_enter(void *function, void *site);
__attribute__((visibility("default"))) void
__cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site)
{
	(void)site;
	if (function != procedure.address || !session_is_measured())
		return;
	if (procedure.depth++)
		return;
	procedure.since_s = session_work_now_s();
	if (++procedure.calls > CALLS_FIRST &&
	    (double)procedure.calls > CALLS_A_SECOND * procedure.since_s) {
		procedure.refused = true;
		procedure.address = NULL;
	}
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)site;
	if (function != procedure.address || !procedure.depth ||
	    !session_is_measured())
		return;
	if (--procedure.depth == 0)
		procedure.sum_s += session_work_now_s() - procedure.since_s;
}

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

bool procedure_is_refused(void)
{
	return procedure.refused;
}
