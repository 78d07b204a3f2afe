/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_run.c - run a command line, and keep what it prints */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contrib/farm/command_run.h"
#include "predictor/base/descriptors.h"

/* From SIGTERM to SIGKILL. */
#define TERM_S 5.0

extern char **environ;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Variables by which an MPI library knows its launcher. */
static bool is_of_launcher(const char *variable)
{
	static const char *const prefixes[] = { "OMPI_",  "PMIX_", "PMI_",
						"PMI2_",  "PRTE_", "ORTE_",
						"HYDRA_", NULL };

	/* Settings of the user's own. */
	if (strncmp(variable, "OMPI_MCA_", 9) == 0 &&
	    strncmp(variable, "OMPI_MCA_orte_", 14) != 0 &&
	    strncmp(variable, "OMPI_MCA_ess", 12) != 0)
		return false;
	if (strncmp(variable, "OMPI_ALLOW_", 11) == 0)
		return false;
	for (int i = 0; prefixes[i]; i++)
		if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static void clean_environment(int number)
{
	char text[16];
	int kept = 0;

	for (int i = 0; environ[i]; i++)
		if (!is_of_launcher(environ[i]))
			environ[kept++] = environ[i];
	environ[kept] = NULL;
	snprintf(text, sizeof(text), "%d", number);
	setenv("PREDICT_FARM_TASK", text, 1);
}

static void run_child(const char *command, int number,
		      const struct command_output *output)
{
	sigset_t none;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	dup2(nothing, 0);
	dup2(fileno(output->out), 1);
	dup2(fileno(output->err), 2);
	descriptors_keep_only(NULL, 0, NULL);
	clean_environment(number);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Polls, since MPI libraries do not like signal handlers. */
static void wait_child(pid_t child, double timeout_s, int *ret_status)
{
	double start = now_s(), sleep_s = 1e-4, kill_s = timeout_s;
	int signal = SIGTERM;

	while (waitpid(child, ret_status, WNOHANG) == 0) {
		const struct timespec t = { .tv_nsec = (long)(sleep_s * 1e9) };

		if (timeout_s > 0 && now_s() - start > kill_s) {
			kill(-child, signal);
			signal = SIGKILL;
			kill_s += TERM_S;
		}
		nanosleep(&t, NULL);
		/* A hundredth of its time, at most 20 ms. */
		sleep_s = (now_s() - start) / 100;
		sleep_s = sleep_s < 1e-4   ? 1e-4
			  : sleep_s > 0.02 ? 0.02
					   : sleep_s;
	}
}

int command_run(const char *command, int number, double timeout_s,
		struct command_end *ret_end, struct command_output *ret_output)
{
	struct command_output output = { tmpfile(), tmpfile() };
	int status = 0;

	*ret_end = (struct command_end){ .started_at_s = now_s() };
	gethostname(ret_end->host, sizeof(ret_end->host) - 1);

	pid_t child = output.out && output.err ? fork() : -1;

	if (child < 0) {
		int error = errno;

		if (output.out)
			fclose(output.out);
		if (output.err)
			fclose(output.err);
		errno = error;
		return -1;
	}
	if (child == 0)
		run_child(command, number, &output);
	setpgid(child, child);
	wait_child(child, timeout_s, &status);
	ret_end->runtime_s = now_s() - ret_end->started_at_s;
	ret_end->exit_value = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	ret_end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	*ret_output = output;
	return 0;
}
