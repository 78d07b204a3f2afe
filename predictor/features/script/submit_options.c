/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_options.c - the options of sbatch, srun and salloc
 *
 * Names, letters and values are those of Slurm 22.05 to 25.05 (src/common/
 * slurm_opt.c); `make check` compares them with the help and the behaviour of
 * the commands of the machine.
 */
#include <string.h>

#include "predictor/features/script/submit_options.h"

#define SUBMIT_RUN (SUBMIT_SRUN | SUBMIT_SALLOC)
#define SUBMIT_ANY (SUBMIT_SBATCH | SUBMIT_RUN)

const struct submit_option submit_options[] = {
	{ "account", 'A', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "acctg-freq", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "array", 'a', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "batch", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "bb", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "bbf", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "begin", 'b', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "chdir", 'D', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "cluster", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "cluster-constraint", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "clusters", 'M', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "comment", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "constraint", 'C', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-id", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "context", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "contiguous", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "core-spec", 'S', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "cores-per-socket", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "cpu-freq", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "cpus-per-gpu", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "cpus-per-task", 'c', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "deadline", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "delay-boot", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "dependency", 'd', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "distribution", 'm', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "error", 'e', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "exclude", 'x', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "exclusive", 0, SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "export", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "export-file", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "extra", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "extra-node-info", 'B', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "get-user-env", 0, SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "gid", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gpu-bind", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gpu-freq", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gpus", 'G', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gpus-per-node", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gpus-per-socket", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gpus-per-task", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gres", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "gres-flags", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "help", 'h', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "hint", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "hold", 'H', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "ignore-pbs", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "input", 'i', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "job-name", 'J', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "kill-on-invalid-dep", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "licenses", 'L', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mail-type", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mail-user", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mcs-label", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mem", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mem-bind", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mem-per-cpu", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mem-per-gpu", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "mincpus", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "network", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "nice", 0, SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "no-kill", 'k', SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "no-requeue", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "nodefile", 'F', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "nodelist", 'w', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "nodes", 'N', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "ntasks", 'n', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "ntasks-per-core", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "ntasks-per-gpu", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "ntasks-per-node", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "ntasks-per-socket", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "ntasks-per-tres", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "oom-kill-step", 0, SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "open-mode", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "output", 'o', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "overcommit", 'O', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "oversubscribe", 's', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "parsable", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "partition", 'p', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "power", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "prefer", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "priority", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "profile", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "propagate", 0, SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "qos", 'q', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "quiet", 'Q', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "reboot", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "requeue", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "reservation", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "resv-ports", 0, SUBMIT_VALUE_MAYBE, SUBMIT_ANY },
	{ "segment", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "signal", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "sockets-per-node", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "spread-job", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "stepmgr", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "switches", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "tasks-per-node", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "test-only", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "thread-spec", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "threads-per-core", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "time", 't', SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "time-min", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "tmp", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "tres-bind", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "tres-per-task", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "uid", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "usage", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "use-min-nodes", 0, SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "verbose", 'v', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "version", 'V', SUBMIT_VALUE_NONE, SUBMIT_ANY },
	{ "wait-all-nodes", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "wckey", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	/* of plugins: ours, and pyxis */
	{ "predict", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "predict-files", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "predict-param", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "predict-profile", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-env", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-image", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-mounts", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-name", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-save", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	{ "container-workdir", 0, SUBMIT_VALUE_ONE, SUBMIT_ANY },
	/* not the same in all three */
	{ "wait", 'W', SUBMIT_VALUE_NONE, SUBMIT_SBATCH },
	{ "wrap", 0, SUBMIT_VALUE_ONE, SUBMIT_SBATCH },
	{ "accel-bind", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "bcast", 0, SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "bcast-exclude", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "bell", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "compress", 0, SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "cpu-bind", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "disable-status", 'X', SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "epilog", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "exact", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "het-group", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "immediate", 'I', SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "interactive", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "jobid", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "kill-command", 0, SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "kill-on-bad-exit", 'K', SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "label", 'l', SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "mpi", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "msg-timeout", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "multi-prog", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "no-allocate", 'Z', SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "no-bell", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "no-shell", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "overlap", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "preserve-env", 'E', SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "prolog", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "pty", 0, SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "quit-on-interrupt", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "relative", 'r', SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "send-libs", 0, SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ "slurmd-debug", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "task-epilog", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "task-prolog", 0, SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "threads", 'T', SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "unbuffered", 'u', SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "wait", 'W', SUBMIT_VALUE_ONE, SUBMIT_RUN },
	{ "whole", 0, SUBMIT_VALUE_NONE, SUBMIT_RUN },
	{ "x11", 0, SUBMIT_VALUE_MAYBE, SUBMIT_RUN },
	{ NULL, 0, SUBMIT_VALUE_NONE, 0 },
};

const struct submit_option *submit_option_find(int program, const char *name,
					       size_t length)
{
	const struct submit_option *found = NULL;

	for (const struct submit_option *o = submit_options; o->name; o++) {
		if (!(o->programs & program) || strncmp(o->name, name, length))
			continue;
		if (!o->name[length])
			return o;
		/* A beginning that fits several is none; but older releases
		 * have fewer, and it matters only whether a value follows. */
		if (found && found->value != o->value)
			return NULL;
		found = found ? found : o;
	}
	return found;
}

const struct submit_option *submit_option_letter(int program, char letter)
{
	for (const struct submit_option *o = submit_options; o->name; o++)
		if (o->programs & program && o->letter == letter)
			return o;
	return NULL;
}
