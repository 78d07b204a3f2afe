/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_wait.c - wait for a message, and leave the CPU to others
 *
 * MPI libraries spin while they wait.  On a shared node that takes the CPU from
 * the very tasks that are waited for.
 */
#include <time.h>

#include "contrib/farm/farm_run.h"

/* Messages that come within this time are taken at once. */
#define SPIN_S 50e-6
/* Then it sleeps, for a twentieth of the time that it has waited, at most: */
#define SLEEP_MAX_S 1e-3

static void sleep_for(double seconds)
{
	const struct timespec time = { .tv_nsec = (long)(seconds * 1e9) };

	nanosleep(&time, NULL);
}

bool farm_wait(MPI_Comm comm, double until_s, MPI_Message *ret_message,
	       MPI_Status *ret_status)
{
	double start = MPI_Wtime();

	for (;;) {
		int found;

		MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found,
			    ret_message, ret_status);
		if (found)
			return true;

		double now = MPI_Wtime(), waited = now - start;

		if (until_s > 0 && now >= until_s)
			return false;
		if (waited > SPIN_S)
			sleep_for(waited / 20 < SLEEP_MAX_S ? waited / 20
							    : SLEEP_MAX_S);
	}
}

/* MPI wants it to be received, in as many bytes as there are: cut, it is an
 * error that the caller knows already. */
static void discard(MPI_Comm comm, MPI_Message *message)
{
	MPI_Errhandler handler;
	char nothing;

	MPI_Comm_get_errhandler(comm, &handler);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	MPI_Mrecv(&nothing, 0, MPI_BYTE, message, MPI_STATUS_IGNORE);
	MPI_Comm_set_errhandler(comm, handler);
	MPI_Errhandler_free(&handler);
}

int farm_receive(MPI_Comm comm, MPI_Message *message, const MPI_Status *status,
		 struct message *ret)
{
	int bytes;

	MPI_Get_count(status, MPI_BYTE, &bytes);
	ret->size = 0;
	ret->failed = false;

	unsigned char *to = message_reserve(ret, (size_t)bytes);

	if (!to) {
		discard(comm, message);
		return -1;
	}
	MPI_Mrecv(to, bytes, MPI_BYTE, message, MPI_STATUS_IGNORE);
	ret->size = (size_t)bytes;
	return 0;
}
