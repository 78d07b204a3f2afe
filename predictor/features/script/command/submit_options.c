/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_options.c - the options of sbatch, srun and salloc
 *
 * Names, letters and values of all releases of Slurm from 22.05 to 26.05, as
 * submit_options.py prints them; `make check` compares them with the help and
 * the behaviour of the commands of the machine.  The lists are taken apart when
 * the program is loaded.
 */
#include <assert.h>
#include <string.h>

#include "predictor/features/script/command/submit_options.h"

#define SUBMIT_ANY (SUBMIT_SBATCH | SUBMIT_SRUN | SUBMIT_SALLOC)

/* Options with blanks between them, each "name" or "name=letter". */
static const struct {
	enum submit_value value;
	int programs;
	const char *options;
} lists[] = {
	{ SUBMIT_VALUE_NONE, SUBMIT_ANY,
	  "consolidate-segments contiguous help=h hold=H overcommit=O "
	  "oversubscribe=s reboot spread-segments stepmgr usage version=V" },
	{ SUBMIT_VALUE_NONE, SUBMIT_ANY | SUBMIT_DECIDES,
	  "spread-job use-min-nodes" },
	{ SUBMIT_VALUE_NONE, SUBMIT_ANY | SUBMIT_STAYS, "quiet=Q verbose=v" },
	{ SUBMIT_VALUE_NONE, SUBMIT_SALLOC, "bell no-bell no-shell" },
	{ SUBMIT_VALUE_NONE, SUBMIT_SBATCH,
	  "external ignore-pbs no-requeue wait=W" },
	{ SUBMIT_VALUE_NONE, SUBMIT_SBATCH | SUBMIT_SRUN,
	  "parsable test-only" },
	{ SUBMIT_VALUE_NONE, SUBMIT_SRUN,
	  "async debugger-test interactive multi-prog no-allocate=Z "
	  "preserve-env=E whole" },
	{ SUBMIT_VALUE_NONE, SUBMIT_SRUN | SUBMIT_DECIDES, "exact" },
	{ SUBMIT_VALUE_NONE, SUBMIT_SRUN | SUBMIT_STAYS,
	  "disable-status=X label=l quit-on-interrupt unbuffered=u "
	  "wait-for-children" },
	{ SUBMIT_VALUE_ONE, SUBMIT_ANY,
	  "account=A autocomplete bb bbf begin=b cluster cluster-constraint "
	  "clusters=M constraint=C container container-id container-type "
	  "context core-spec=S cores-per-socket cpus-per-gpu cpus-per-task=c "
	  "deadline delay-boot dependency=d exclude=x extra extra-node-info=B "
	  "gid gpu-bind gpu-freq gres gres-flags licenses=L mail-type "
	  "mail-user mcs-label mem mem-per-cpu mem-per-gpu mem-update mincpus "
	  "network nodefile=F nodelist=w nodes=N ntasks=n ntasks-per-core "
	  "ntasks-per-node ntasks-per-socket partition=p power prefer "
	  "priority qos=q reservation resources segment sockets-per-node "
	  "switches tasks-per-node thread-spec threads-per-core time-min tmp "
	  "tres-bind tres-per-task uid wckey" },
	{ SUBMIT_VALUE_ONE, SUBMIT_ANY | SUBMIT_DECIDES,
	  "distribution=m gpus=G gpus-per-node gpus-per-socket gpus-per-task "
	  "hint ntasks-per-gpu ntasks-per-tres" },
	{ SUBMIT_VALUE_ONE, SUBMIT_ANY | SUBMIT_STAYS,
	  "acctg-freq chdir=D comment cpu-freq job-name=J mem-bind profile "
	  "signal time=t" },
	{ SUBMIT_VALUE_ONE, SUBMIT_SBATCH,
	  "array=a batch export-file kill-on-invalid-dep wrap" },
	{ SUBMIT_VALUE_ONE, SUBMIT_SBATCH | SUBMIT_SALLOC, "wait-all-nodes" },
	{ SUBMIT_VALUE_ONE, SUBMIT_SBATCH | SUBMIT_SRUN | SUBMIT_STAYS,
	  "error=e export input=i open-mode output=o" },
	{ SUBMIT_VALUE_ONE, SUBMIT_SRUN,
	  "accel-bind het-group ignore-signals jobid msg-timeout pack-group "
	  "relative=r slurmd-debug threads=T treewidth" },
	{ SUBMIT_VALUE_ONE, SUBMIT_SRUN | SUBMIT_STAYS,
	  "bcast-exclude cpu-bind cpu_bind epilog mpi prolog task-epilog "
	  "task-prolog wait=W" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_ANY,
	  "nice no-kill=k oom-kill-step resv-ports" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_ANY | SUBMIT_DECIDES, "exclusive" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SALLOC, "kill-command=K" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SBATCH, "requeue" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SBATCH | SUBMIT_SALLOC, "get-user-env" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SBATCH | SUBMIT_SRUN | SUBMIT_STAYS,
	  "propagate" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SRUN, "external-launcher overlap pty" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SRUN | SUBMIT_SALLOC, "immediate=I x11" },
	{ SUBMIT_VALUE_MAYBE, SUBMIT_SRUN | SUBMIT_STAYS,
	  "bcast compress kill-on-bad-exit=K send-libs" },
	/* of plugins: ours, and pyxis */
	{ SUBMIT_VALUE_ONE, SUBMIT_ANY | SUBMIT_STAYS,
	  "predict predict-files predict-nodes predict-param predict-profile" },
	{ SUBMIT_VALUE_ONE, SUBMIT_ANY,
	  "container-env container-image container-mounts container-name "
	  "container-save container-workdir" },
};

struct submit_option submit_options[SUBMIT_OPTIONS_MAX + 1];

/* Once, before any thread reads. */
__attribute__((constructor)) static void options_fill(void)
{
	static char names[4096];
	struct submit_option *o = submit_options;
	char *at = names;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		size_t size = strlen(lists[i].options) + 1;

		assert(at + size <= names + sizeof(names));
		at = memcpy(at, lists[i].options, size);
		for (char *name, *end = at; (name = strsep(&end, " ")); o++) {
			size_t length = strcspn(name, "=");

			assert(o < submit_options + SUBMIT_OPTIONS_MAX);
			*o = (struct submit_option){
				name, name[length] ? name[length + 1] : 0,
				lists[i].value, lists[i].programs
			};
			name[length] = '\0';
		}
		at += size;
	}
}

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
