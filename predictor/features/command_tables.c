/* command_tables.c - commands that a job script may hold around its own
 *
 * Options are those of Slurm 22.05, Open MPI 4.1, MPICH's Hydra, GNU
 * coreutils, and what else is seen in job scripts.  An option that is missing
 * here and has its value in the next word makes that value look like the
 * command: add it.
 */
#include <string.h>

#include "predictor/features/command_tables.h"

#define SRUN_VALUES                                                         \
	" -n --ntasks -N --nodes -c --cpus-per-task -t --time -p"           \
	" --partition -A --account -J --job-name -o --output -e --error"    \
	" -i --input -w --nodelist -x --exclude -C --constraint -m"         \
	" --distribution -D --chdir -L --licenses -d --dependency -q --qos" \
	" -B --extra-node-info -r --relative -W --wait -T --threads"        \
	" --mem --mem-per-cpu --mem-per-gpu --mem-bind --cpu-bind --mpi"    \
	" --gres --gpus -G --gpus-per-node --gpus-per-task --gpu-bind"      \
	" --ntasks-per-node --ntasks-per-core --ntasks-per-socket"          \
	" --ntasks-per-gpu --cpus-per-gpu --cores-per-socket"               \
	" --sockets-per-node --threads-per-core --export --het-group"       \
	" --hint --jobid --network --open-mode --profile --prolog --epilog" \
	" --task-prolog --task-epilog --reservation --signal --tmp --uid"   \
	" --gid --priority --cluster-constraint -M --clusters --comment"    \
	" --acctg-freq --cpu-freq --deadline --container "

#define MPIRUN_VALUES                                                   \
	" -n -np --np -c --c -N -npernode --npernode -npersocket"       \
	" --npersocket -H -host --host -hosts --hosts -hostfile"        \
	" --hostfile -machinefile --machinefile -f -x -wdir --wdir -wd" \
	" -path --path --map-by -map-by --bind-to -bind-to --rank-by"   \
	" -rank-by --prefix -prefix -output-filename --output-filename" \
	" -am -tune --tune -cpu-set --cpu-set -ppn -perhost -launcher"  \
	" --launcher -bootstrap -iface -rmk -envlist -genvlist"         \
	" -configfile -stdin --stdin -timeout --timeout -rf --rankfile" \
	" -rankfile -slot-list --slot-list -max-restarts -report-uri"   \
	" -arch -umask "

#define MPIRUN_PAIRS " -mca --mca -gmca --gmca -env -genv -pmca --pmca "

#define PYTHON_VALUES " -W -X --check-hash-based-pycs "

const char submit_values[] =
	SRUN_VALUES "-a --array -b --begin -S --core-spec --batch --bb --bbf"
		    " --export-file --mail-type --mail-user --wckey --switches"
		    " --thread-spec --time-min --delay-boot --gpu-freq --power"
		    " -F --nodefile --wrap ";

const struct wrapper wrappers[] = {
	{ .name = "srun", .parallel = true, .values = SRUN_VALUES },
	{ .name = "mpirun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec.hydra",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .pairs = MPIRUN_PAIRS },
	{ .name = "orterun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .pairs = MPIRUN_PAIRS },
	{ .name = "prun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .pairs = MPIRUN_PAIRS },
	{ .name = "prterun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .pairs = MPIRUN_PAIRS },
	{ .name = "ibrun", .parallel = true, .values = " -n -o " },
	{ .name = "torchrun",
	  .parallel = true,
	  .values = " --nproc_per_node --nproc-per-node --nnodes --node_rank"
		    " --node-rank --rdzv_id --rdzv-id --rdzv_backend"
		    " --rdzv-backend --rdzv_endpoint --rdzv-endpoint"
		    " --master_addr --master-addr --master_port"
		    " --master-port --max_restarts --max-restarts " },

	{ .name = "time", .values = " -f --format -o --output " },
	{ .name = "env", .values = " -u --unset -C --chdir " },
	{ .name = "nice", .values = " -n --adjustment " },
	{ .name = "ionice", .values = " -c --class -n --classdata " },
	{ .name = "chrt", .number = true },
	{ .name = "exec", .values = " -a " },
	{ .name = "command" },
	{ .name = "builtin" },
	{ .name = "eval" },
	{ .name = "nohup" },
	{ .name = "setsid" },
	{ .name = "stdbuf", .values = " -i -o -e --input --output --error " },
	{ .name = "timeout",
	  .number = true,
	  .values = " -k --kill-after -s --signal " },
	{ .name = "taskset",
	  .number = true,
	  .values = " -c --cpu-list -p --pid " },
	{ .name = "numactl",
	  .values = " -N -m -C -i -p --cpunodebind --membind --physcpubind"
		    " --interleave --preferred " },
	{ .name = "hwloc-bind" },
	{ .name = "sudo", .values = " -u -g -h -p -C --user --group " },
	{ .name = "strace", .values = " -e -o -p -s -u -E -a -O -S " },
	{ .name = "xvfb-run", .values = " -n -s -e -f -p -w " },
	{ .name = "valgrind" },
	{ .name = "catchsegv" },
	{ .name = "perf",
	  .subcommand = "stat",
	  .values = " -e --event -o --output -r --repeat -x -I -C " },
	{ .name = "perf",
	  .subcommand = "record",
	  .values = " -e --event -o --output -F --freq -c --call-graph -C " },
	{ .name = "nsys",
	  .subcommand = "profile",
	  .values = " -o --output -t --trace -s --sample " },
	{ .name = "conda",
	  .subcommand = "run",
	  .values = " -n --name -p --prefix --cwd " },
	{ .name = "mamba",
	  .subcommand = "run",
	  .values = " -n --name -p --prefix --cwd " },
	{ .name = "uv",
	  .subcommand = "run",
	  .values = " --with --python -p --project --directory " },
	{ .name = "poetry", .subcommand = "run" },
	{ .name = "pixi", .subcommand = "run", .values = " -e " },
	{ .name = "accelerate",
	  .subcommand = "launch",
	  .values = " --config_file --num_processes --num_machines"
		    " --machine_rank --main_process_ip --main_process_port"
		    " --mixed_precision " },
	/* The image is no part of the command; of `run` it is the command. */
	{ .name = "apptainer",
	  .subcommand = "exec",
	  .words = 1,
	  .values = " -B --bind --env --env-file -H --home --pwd -W --workdir"
		    " --overlay --network --app -S --scratch " },
	{ .name = "apptainer",
	  .subcommand = "run",
	  .values = " -B --bind --env --env-file -H --home --pwd -W --workdir"
		    " --overlay --network --app -S --scratch " },
	{ .name = "singularity",
	  .subcommand = "exec",
	  .words = 1,
	  .values = " -B --bind --env --env-file -H --home --pwd -W --workdir"
		    " --overlay --network --app -S --scratch " },
	{ .name = "singularity",
	  .subcommand = "run",
	  .values = " -B --bind --env --env-file -H --home --pwd -W --workdir"
		    " --overlay --network --app -S --scratch " },
	{ .name = NULL },
};

const struct interpreter interpreters[] = {
	{ .name = "python",
	  .values = PYTHON_VALUES,
	  .code = " -c - ",
	  .scripts = " -m " },
	{ .name = "pypy",
	  .values = PYTHON_VALUES,
	  .code = " -c - ",
	  .scripts = " -m " },
	{ .name = "bash",
	  .values = " -O -o --rcfile --init-file ",
	  .code = " -c -s -lc -ec -xc " },
	{ .name = "sh", .values = " -o ", .code = " -c -s -lc -ec -xc " },
	{ .name = "zsh", .values = " -o ", .code = " -c -s " },
	{ .name = "Rscript", .code = " -e " },
	{ .name = "R",
	  .values = " -g -d ",
	  .code = " -e ",
	  .scripts = " -f BATCH " },
	{ .name = "julia",
	  .values = " -t --threads -p --procs -J --sysimage -L --load ",
	  .code = " -e -E --eval " },
	{ .name = "perl", .values = " -I ", .code = " -e -E -ne -pe " },
	{ .name = "ruby", .values = " -I -r ", .code = " -e " },
	{ .name = "octave", .values = " --path -p ", .code = " --eval " },
	{ .name = "node", .values = " -r --require ", .code = " -e -p " },
	{ .name = "java",
	  .values = " -cp -classpath --class-path -p --module-path"
		    " --add-modules --add-opens ",
	  .scripts = " -jar -m --module " },
	{ .name = NULL },
};

const char keywords_before[] = " if then elif else while until do ! { coproc ";

const char no_commands[] =
	" cd export unset set module ml source . echo printf ulimit umask shopt"
	" trap alias unalias declare typeset local readonly read return exit"
	" break continue shift test [ [[ ]] : true false wait pwd pushd popd"
	" dirs hash type let getopts for case select function in done fi esac }"
	" mapfile readarray jobs disown bg fg times logout enable help "
	"history ";

const char tools[] =
	" hostname date sleep cp mv rm mkdir rmdir ls cat touch ln tar gzip"
	" gunzip zip unzip bzip2 xz zstd rsync scp sftp ssh find grep egrep"
	" fgrep sed awk gawk sort uniq head tail tee wc cut tr xargs chmod"
	" chown chgrp df du free nproc lscpu lsb_release nvidia-smi scontrol"
	" squeue sbatch scancel sacct sinfo sstat sbcast sgather spredict"
	" whoami id uname uptime which whereis conda mamba spack pip pip3 git"
	" make cmake wget curl dirname basename realpath readlink seq mktemp"
	" diff cmp sync kill pkill ps top clear tput stat file md5sum sha256sum"
	" mount umount env time nice exec nohup srun mpirun mpiexec ompi_info"
	" yes expr bc less more dd split paste join numfmt lfs quota getconf ";

bool command_tables_list(const char *list, const char *word)
{
	size_t length = strlen(word);

	if (!list || !length || strchr(word, ' '))
		return false;
	for (const char *at = list; (at = strstr(at, word)); at++)
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}
