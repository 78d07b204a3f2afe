/* SPDX-License-Identifier: GPL-2.0-or-later */
/* weak_symbols.h - what of MPI may be missing when this library is loaded
 *
 * It is preloaded into programs that have no MPI, too.
 */
#pragma once

#include <mpi.h>

#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_char
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_request_null
#pragma weak ompi_mpi_errors_return
#endif

/* Called before MPI begins. */
#pragma weak PMPI_Get_library_version

/* Of Fortran. */
#pragma weak MPI_F_STATUS_IGNORE
#pragma weak MPI_F_STATUSES_IGNORE
