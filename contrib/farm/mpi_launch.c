/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mpi_launch.c - a program that starts itself as an MPI program */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contrib/farm/mpi_launch.h"

#define STATUS_VARIABLE "PREDICT_FARM_STATUS"

bool mpi_is_launched(void)
{
	return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") ||
	       getenv("PMIX_RANK") || getenv("PMI_RANK");
}

bool mpi_has_status(void)
{
	return getenv(STATUS_VARIABLE) != NULL;
}

void mpi_leave_status(int status)
{
	const char *path = getenv(STATUS_VARIABLE);
	FILE *file = path ? fopen(path, "we") : NULL;

	if (!file)
		return;
	fprintf(file, "%d\n", status);
	fclose(file);
}

static int default_workers(void)
{
	const char *tasks = getenv("SLURM_NTASKS");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (tasks && atoi(tasks) > 0)
		return atoi(tasks);
	return cpus > 0 ? (int)cpus : 1;
}

static volatile sig_atomic_t launched;

static void pass_signal(int signal)
{
	if (launched > 0)
		kill((pid_t)launched, signal);
}

static int wait_launched(pid_t child, const char *status_path)
{
	const struct sigaction pass = { .sa_handler = pass_signal };
	int own;

	launched = child;
	sigaction(SIGTERM, &pass, NULL);
	sigaction(SIGINT, &pass, NULL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;

	FILE *file = fopen(status_path, "re");
	bool left = file && fscanf(file, "%d", &own) == 1;

	if (file)
		fclose(file);
	return left ? own : -1;
}

static void run_launcher(const char *launcher, int workers, int argc,
			 char *argv[])
{
	char **arguments = calloc((size_t)argc + 8, sizeof(*arguments));
	char count[16], path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int n = 0;

	if (arguments && length > 0) {
		path[length] = '\0';
		snprintf(count, sizeof(count), "%d", workers + 1);
		arguments[n++] = (char *)launcher;
		arguments[n++] = "-np";
		arguments[n++] = count;
		/* Nodes in turn: filled one after the other by Open MPI 5. */
		arguments[n++] = "--map-by";
		arguments[n++] = "node:OVERSUBSCRIBE";
		arguments[n++] = path;
		for (int i = 1; i < argc; i++)
			arguments[n++] = argv[i];
		execvp(launcher, arguments);
	}
	fprintf(stderr, "%s: cannot start %s: ", argv[0], launcher);
	perror(NULL);
	_exit(1);
}

int mpi_launch(const char *launcher, int workers, int argc, char *argv[])
{
	char status_path[] = "/tmp/predict-farm.XXXXXX";
	int file = mkstemp(status_path), status = -1;

	if (file < 0) {
		perror(status_path);
		return -1;
	}
	close(file);
	setenv(STATUS_VARIABLE, status_path, 1);

	pid_t child = fork();

	if (child == 0)
		run_launcher(launcher, workers ? workers : default_workers(),
			     argc, argv);
	if (child > 0)
		status = wait_launched(child, status_path);
	else
		perror(argv[0]);
	unlink(status_path);
	return status;
}
