/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tools.c - subcommands that are programs of their own */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predictor/cli/tools.h"

#define TOOLS    "slurm-predict-tools"
#define REHEARSE "slurm-predict-rehearse"
#define CLIENT   "slurm-predict-client"

const struct tool tools[] = {
	{ "whatif", CLI_USERS, TOOLS,
	  "show the run time of a traced job if it ran elsewhere" },
	{ "critical", CLI_USERS, TOOLS,
	  "show where the time of a traced job is" },
	{ "procedures", CLI_USERS, TOOLS,
	  "show the time of a traced job if a procedure ran elsewhere" },
	{ "web", CLI_USERS, CLIENT,
	  "show the queue, nodes and your runs in your browser" },
	{ "mcp", CLI_USERS, CLIENT,
	  "serve predictions to a program by the Model Context Protocol" },
	{ "import", CLI_ADMINS, TOOLS,
	  "import past jobs from sacct or from a file into the history" },
	{ "export", CLI_ADMINS, TOOLS, "write the history as a job log" },
	{ "backtest", CLI_ADMINS, TOOLS,
	  "measure how accurate predictions of past jobs would have been" },
	{ "rehearse", CLI_ADMINS, REHEARSE,
	  "replay a job log in a real slurmctld" },
	{ .name = NULL },
};

const struct tool *tool_find(const char *name)
{
	for (const struct tool *t = tools; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

/* Programs lie beside spredict's own folder, in the source's build/ too, or
 * else where this was built for. */
static void find_program(const char *name, char ret[PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	for (int up = 0; length > 0 && up < 2; up++) {
		self[length] = '\0';
		char *slash = strrchr(self, '/');

		length = slash ? slash - self : 0;
	}
	if (length > 0) {
		self[length] = '\0';
		if (snprintf(ret, PATH_MAX,
			     "%s/libexec/slurm-predict/spredict-%s", self,
			     name) < PATH_MAX &&
		    access(ret, X_OK) == 0)
			return;
	}
	snprintf(ret, PATH_MAX, "%s/spredict-%s", SP_LIBEXECDIR, name);
}

/* A name that no file could have would lead out of the folder. */
static bool is_name(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")];
}

void tool_run(int argc, char **argv, int at, bool *ret_unknown,
	      struct sp_error *err)
{
	const char *name = argv[at];
	const struct tool *tool = tool_find(name);
	char program[PATH_MAX];

	*ret_unknown = !tool;
	sp_error_set(err, "no subcommand %s", name);
	if (!is_name(name))
		return;
	find_program(name, program);
	memmove(argv + at, argv + at + 1, (argc - at) * sizeof(*argv));
	if (strcmp(argv[at - 1], "--") == 0)
		memmove(argv + at - 1, argv + at, (argc - at) * sizeof(*argv));
	argv[0] = program;
	execv(program, argv);
	if (errno != ENOENT)
		sp_error_set(err, "%s: %s", program, strerror(errno));
	else if (tool)
		sp_error_set(err, "spredict %s is in package %s: no %s",
			     tool->name, tool->package, program);
}
