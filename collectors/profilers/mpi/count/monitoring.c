/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monitoring.c - messages of one process, as MPI itself counts them
 *
 * Open MPI's monitoring component leaves a file for each rank when MPI has
 * ended, whose lines "E FROM TO BYTES bytes COUNT msgs sent N,N,..." sum up the
 * messages to one other rank, and those with an I what collective operations
 * sent there; the last numbers count messages of 0 bytes, 1, 2 to 3, 4 to 7,
 * and so on.  (Its variables in MPI's tool interface are gone once MPI has
 * begun, in Open MPI 4.1.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "collectors/profilers/mpi/count/monitoring.h"
#include "collectors/profilers/mpi/count/node_names.h"
#include "collectors/profilers/mpi/trace/online_path.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define PATH_SIZE 1024

/* --- Switched on ---------------------------------------------------------- */

/* Return whether the MPI that runs has the component, and it works: in Open
 * MPI 6.0.0rc2 each program in which it is on crashes in MPI_Init. */
static bool monitoring_works(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length, major;

	return PMPI_Get_library_version &&
	       PMPI_Get_library_version(version, &length) == MPI_SUCCESS &&
	       sscanf(version, "Open MPI v%d", &major) == 1 && major < 6;
}

/* Before main(): the component must be switched on before MPI begins, and be
 * among the components that may be used. */
__attribute__((constructor)) static void monitoring_enable(void)
{
	const char *folder = getenv(MONITORING_FOLDER);
	const char *layers = getenv("OMPI_MCA_pml");
	char text[PATH_SIZE];

	if (!folder || !monitoring_works())
		return;
	snprintf(text, sizeof(text), "%s/monitoring", folder);
	setenv("OMPI_MCA_pml_monitoring_enable", "2", 0);
	setenv("OMPI_MCA_pml_monitoring_enable_output", "3", 0);
	setenv("OMPI_MCA_pml_monitoring_filename", text, 0);
	if (!layers || !*layers || *layers == '^' ||
	    strstr(layers, "monitoring"))
		return;
	snprintf(text, sizeof(text), "%s,monitoring", layers);
	setenv("OMPI_MCA_pml", text, 1);
}

/* --- Its file ------------------------------------------------------------- */

/* The number of long messages, of counts by size. */
static uint64_t sum_long_messages(const char *counts)
{
	uint64_t sum = 0;
	char *end;

	for (uint64_t from = 0; from <= UINT64_MAX / 2;
	     from = from ? 2 * from : 1, counts = end + 1) {
		uint64_t count = strtoull(counts, &end, 10);

		if (end == counts)
			break;
		sum += from >= MONITORING_LONG_BYTES ? count : 0;
		if (*end != ',')
			break;
	}
	return sum;
}

/* Take off the messages of online_path.h. */
static void subtract_online(int size, struct monitoring_counts of[])
{
	for (int i = 0; i < size; i++) {
		uint64_t sent = online_sent(i);

		if (of[i].direct_messages < sent ||
		    of[i].direct_bytes < ONLINE_BYTES * sent)
			continue;
		of[i].messages -= sent;
		of[i].bytes -= ONLINE_BYTES * sent;
		of[i].direct_messages -= sent;
		of[i].direct_bytes -= ONLINE_BYTES * sent;
	}
}

/* The names of nodes went in a message to each other rank; those of many ranks
 * count as the program's. */
static void subtract_names(int rank, int size, struct monitoring_counts of[])
{
	if (size > NODE_NAMES_BY_ONE)
		return;
	for (int i = 0; i < size; i++)
		if (i != rank && of[i].direct_messages > 0) {
			of[i].messages--;
			of[i].bytes -= NODE_NAME_SIZE;
			of[i].direct_messages--;
			of[i].direct_bytes -= NODE_NAME_SIZE;
		}
}

/* True: the file has messages. */
static bool read_lines(FILE *file, int size, struct monitoring_counts of[])
{
	char line[1024];
	bool found = false;

	while (fgets(line, sizeof(line), file)) {
		unsigned long long bytes, messages;
		int from, to, sizes = 0;
		char kind;

		found |= strncmp(line, "# POINT TO POINT", 16) == 0;
		if (sscanf(line, "%c %d %d %llu bytes %llu msgs sent %n", &kind,
			   &from, &to, &bytes, &messages, &sizes) != 5 ||
		    (kind != 'E' && kind != 'I') || to < 0 || to >= size)
			continue;
		if (kind == 'E') {
			of[to].direct_messages += messages;
			of[to].direct_bytes += bytes;
		}
		of[to].messages += messages;
		of[to].bytes += bytes;
		of[to].long_messages += sum_long_messages(line + sizes);
	}
	return found;
}

bool monitoring_read(const char *folder, int rank, int size,
		     struct monitoring_counts ret[])
{
	struct monitoring_counts *of = calloc((size_t)size, sizeof(*of));
	char path[PATH_SIZE];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/monitoring.%d.prof", folder, rank);
	file = of ? fopen(path, "re") : NULL;
	if (file) {
		found = read_lines(file, size, of);
		fclose(file);
		unlink(path);
	}
	if (found) {
		subtract_names(rank, size, of);
		subtract_online(size, of);
		memcpy(ret, of, (size_t)size * sizeof(*of));
	}
	free(of);
	return found;
}
