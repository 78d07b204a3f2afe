/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_wrappers.c - commands that execute others
 *
 * Options are those of Slurm 22.05, Open MPI 4.1, MPICH's Hydra, GNU coreutils,
 * and others seen in job scripts.  If an option with its value in the next word
 * is missing here, that value is taken for the command: add it.
 */
#include <stddef.h>

#include "predictor/features/script/command_tables.h"

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
	" --acctg-freq --cpu-freq --deadline --container"                   \
	" --container-image --container-mounts --container-workdir"         \
	" --container-name --tres-per-task --prefer --mcs-label --bcast"    \
	" --gres-flags "

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

#define TORCH_VALUES                                                     \
	" --nproc_per_node --nproc-per-node --nnodes --node_rank"        \
	" --node-rank --rdzv_id --rdzv-id --rdzv_backend --rdzv-backend" \
	" --rdzv_endpoint --rdzv-endpoint --rdzv_conf --rdzv-conf"       \
	" --master_addr --master-addr --master_port --master-port"       \
	" --max_restarts --max-restarts --log_dir --log-dir "

#define APPTAINER_VALUES                                               \
	" -B --bind --env --env-file -H --home --pwd -W --workdir"     \
	" --overlay --network --app -S --scratch --mount --fusemount " \
	"--cwd "

#define DOCKER_VALUES                                                     \
	" -v --volume -w --workdir -e --env --env-file --gpus --shm-size" \
	" --name -u --user --network --net --mount --entrypoint -m"       \
	" --memory --cpus --cpuset-cpus --ulimit --device --ipc -p"       \
	" --publish --runtime -h --hostname --platform -l --label "       \
	"--security-opt --tmpfs --pull "

#define FLUX_VALUES                                                      \
	" -n --ntasks -N --nodes -c --cores-per-task -g --gpus-per-task" \
	" -t --time-limit -q --queue -o --setopt -S --setattr --env"     \
	" --job-name --input --output --error --requires --cwd"          \
	" --tasks-per-node --cores --gpus-per-node -B --bank "

const struct wrapper wrappers[] = {
	{ .name = "srun",
	  .parallel = true,
	  .values = SRUN_VALUES,
	  .until = ":" },
	{ .name = "mpirun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec.hydra",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "orterun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "prun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "prterun",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec.openmpi",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpirun.openmpi",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpirun.mpich",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpirun_rsh",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec_mpt",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpprun",
	  .parallel = true,
	  .values = " -n --nranks --pass --mpi " },
	{ .name = "mpiexec.slurm", .parallel = true, .values = " -n -np " },
	{ .name = "mpirun-intel",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "mpiexec.mpich",
	  .parallel = true,
	  .values = MPIRUN_VALUES,
	  .until = ":",
	  .pairs = MPIRUN_PAIRS },
	{ .name = "poe", .parallel = true, .values = " -procs -nodes -hfile " },
	{ .name = "runjob", .parallel = true, .values = " -n -p --np " },
	{ .name = "yhrun", .parallel = true, .values = SRUN_VALUES },
	{ .name = "omplace", .values = " -nt -c " },
	{ .name = "dplace", .values = " -c -s -x " },
	{ .name = "task_affinity" },
	{ .name = "tacc_affinity" },
	{ .name = "flux",
	  .subcommand = "run",
	  .parallel = true,
	  .values = FLUX_VALUES },
	{ .name = "flux",
	  .subcommand = "submit",
	  .parallel = true,
	  .values = FLUX_VALUES },
	{ .name = "flux",
	  .subcommand = "alloc",
	  .parallel = true,
	  .values = FLUX_VALUES },
	{ .name = "flux", .subcommand = "start", .values = " -s -o -S -B " },
	{ .name = "ccc_mprun", .parallel = true, .values = " -n -N -c -E -f " },
	{ .name = "aprun",
	  .parallel = true,
	  .values = " -n -N -d -S -j -cc -L -m -e -r -cp -p -sn -sl " },
	{ .name = "jsrun",
	  .parallel = true,
	  .values = " -n --nrs -r --rs_per_host -a --tasks_per_rs -c"
		    " --cpu_per_rs -g --gpu_per_rs -b --bind -d"
		    " --launch_distribution -l --latency_priority -p --np -E"
		    " -e --stdio_mode -o --stdio_stdout -k --stdio_stderr -m"
		    " --memory_per_rs -M --smpiargs -U --use_resource " },
	{ .name = "lrun",
	  .parallel = true,
	  .values = " -n -N -T -g -c -M --smpiargs " },
	{ .name = "likwid-mpirun",
	  .parallel = true,
	  .values = " -n -np -g -pin -nperdomain -mpi -omp " },
	{ .name = "charmrun",
	  .parallel = true,
	  .plus = true,
	  .values = " ++nodelist ++p ++n ++np ++ppn +p ++remote-shell"
		    " ++runscript ++timeout " },
	{ .name = "horovodrun",
	  .parallel = true,
	  .values = " -np --num-proc -H --hosts -hostfile --hostfile " },
	{ .name = "ibrun", .parallel = true, .values = " -n -o " },
	{ .name = "torchrun",
	  .parallel = true,
	  .values = TORCH_VALUES,
	  .runs = "python" },
	{ .name = "torch.distributed.run",
	  .parallel = true,
	  .values = TORCH_VALUES,
	  .runs = "python" },
	{ .name = "torch.distributed.launch",
	  .parallel = true,
	  .values = TORCH_VALUES,
	  .runs = "python" },
	{ .name = "deepspeed",
	  .parallel = true,
	  .values = " --num_gpus --num_nodes --master_port --master_addr"
		    " --hostfile -H --include -i --exclude -e --launcher"
		    " --launcher_args ",
	  .runs = "python" },
	{ .name = "mpi4py", .runs = "python" },
	{ .name = "cProfile", .values = " -o -s ", .runs = "python" },
	{ .name = "kernprof", .values = " -o ", .runs = "python" },
	{ .name = "coverage", .subcommand = "run", .runs = "python" },

	{ .name = "time", .values = " -f --format -o --output " },
	{ .name = "env", .values = " -u --unset -C --chdir " },
	{ .name = "nice", .values = " -n --adjustment " },
	{ .name = "ionice", .values = " -c --class -n --classdata " },
	{ .name = "chrt", .number = true },
	{ .name = "exec", .values = " -a " },
	{ .name = "command" },
	{ .name = "builtin" },
	{ .name = "eval", .code = true },
	{ .name = "xargs",
	  .values = " -n -P -I -L -d -a -E -s --max-args --max-procs --replace"
		    " --delimiter --arg-file " },
	{ .name = "parallel",
	  .code = true,
	  .values = " -j --jobs -a --arg-file --joblog --colsep -C -n -N"
		    " --delay --timeout --retries --results --memfree --load"
		    " --tmpdir --sshlogin -S --wd --workdir --max-args -P ",
	  .until = ":::" },
	{ .name = "flock",
	  .code = true,
	  .words = 1,
	  .values = " -w --timeout -E --conflict-exit-code " },
	{ .name = "unbuffer" },
	{ .name = "wine" },
	{ .name = "wine64" },
	{ .name = "dumb-init" },
	{ .name = "tini" },
	{ .name = "gdb", .values = " -ex -x " },
	{ .name = "cuda-memcheck" },
	{ .name = "compute-sanitizer", .values = " --tool " },
	{ .name = "ncu", .values = " -o --export --set --section -k -c -s " },
	{ .name = "vtune", .values = " -collect -c -result-dir -r -knob -k " },
	{ .name = "likwid-perfctr", .values = " -C -c -g -o -t -S " },
	{ .name = "likwid-pin", .values = " -c -s " },
	{ .name = "scalasca" },
	{ .name = "scorep" },
	{ .name = "hpcrun", .values = " -e -o --event --output " },
	{ .name = "tau_exec", .values = " -T " },
	{ .name = "map", .values = " -o --output -n --np " },
	{ .name = "ddt", .values = " -o --output -n --np " },
	{ .name = "remora" },
	{ .name = "aps", .values = " -r -c " },
	{ .name = "rocprof", .values = " -o -i -d -t " },
	{ .name = "omniperf", .subcommand = "profile", .values = " -n -p " },
	{ .name = "dmtcp_launch",
	  .values = " -i --interval -h --coord-host -p --coord-port --ckptdir"
		    " -t --tmpdir --port-file " },
	{ .name = "hyperfine", .code = true, .values = " -w -r -m -M -s " },
	{ .name = "scalene", .runs = "python" },
	{ .name = "viztracer", .values = " -o ", .runs = "python" },
	{ .name = "mprof", .subcommand = "run", .runs = "python" },
	{ .name = "py-spy",
	  .subcommand = "record",
	  .values = " -o --output -d --duration -r --rate -f --format " },
	{ .name = "gpaw",
	  .subcommand = "python",
	  .values = " -T ",
	  .runs = "python" },
	{ .name = "abaqus", .subcommand = "python", .runs = "python" },
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
	{ .name = "prlimit" },
	{ .name = "setarch", .words = 1 },
	{ .name = "ltrace", .values = " -e -o -p -s -u " },
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
	{ .name = "nsys",
	  .subcommand = "launch",
	  .values = " -t --trace -s --sample " },
	{ .name = "micromamba",
	  .subcommand = "run",
	  .values = " -n --name -p --prefix --cwd -r " },
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
		    " --mixed_precision --num_cpu_threads_per_process ",
	  .parallel = true,
	  .runs = "python" },
	/* The image is no part of the command; of `run` it may be all. */
	{ .name = "apptainer",
	  .subcommand = "exec",
	  .words = 1,
	  .values = APPTAINER_VALUES },
	{ .name = "apptainer",
	  .subcommand = "run",
	  .image = true,
	  .values = APPTAINER_VALUES },
	{ .name = "singularity",
	  .subcommand = "exec",
	  .words = 1,
	  .values = APPTAINER_VALUES },
	{ .name = "singularity",
	  .subcommand = "run",
	  .image = true,
	  .values = APPTAINER_VALUES },
	{ .name = "docker",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = DOCKER_VALUES },
	{ .name = "docker",
	  .subcommand = "exec",
	  .words = 1,
	  .values = DOCKER_VALUES },
	{ .name = "podman",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = DOCKER_VALUES },
	{ .name = "podman",
	  .subcommand = "exec",
	  .words = 1,
	  .values = DOCKER_VALUES },
	{ .name = "podman-hpc",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = DOCKER_VALUES },
	{ .name = "enroot",
	  .subcommand = "start",
	  .words = 1,
	  .values = " -c --conf -e --env -m --mount --rc " },
	{ .name = "udocker",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = DOCKER_VALUES },
	{ .name = "sarus",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = " --mount -w --workdir -e --env " },
	{ .name = "nerdctl",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = DOCKER_VALUES },
	{ .name = "nvidia-docker",
	  .subcommand = "run",
	  .words = 1,
	  .image = true,
	  .values = DOCKER_VALUES },
	{ .name = "pipenv", .subcommand = "run" },
	{ .name = "shifter",
	  .values = " -i --image -V --volume -w --workdir -e --env -m"
		    " --module " },
	{ .name = "ch-run",
	  .words = 1,
	  .values = " -b --bind -c --cd -j --join-ct --set-env -u -g " },
	{ .name = NULL },
};
