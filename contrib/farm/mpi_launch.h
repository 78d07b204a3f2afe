/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mpi_launch.h - a program that starts itself as an MPI program */
#pragma once

#include <stdbool.h>

bool mpi_is_launched(void);

/* Start this program again by `launcher`, which is called as mpirun, with the
 * same arguments: `workers` workers (0: the tasks of the Slurm job, else the
 * CPUs of this machine), and one process more, the master, which sleeps nearly
 * always. SIGTERM and SIGINT are passed on.
 *
 * Return the status that rank 0 left, or -1 if it left none: it was not started
 * or did not get to its end.  The launcher's own status counts no commands. */
int mpi_launch(const char *launcher, int workers, int argc, char *argv[]);

/* Launchers make a long story of an exit status that is not 0.  So rank 0,
 * which is on the host of mpi_launch(), leaves it in a file, and exits with 0.
 * False: mpi_launch() did not start this, and the launcher has to report it. */
bool mpi_has_status(void);
void mpi_leave_status(int status);
