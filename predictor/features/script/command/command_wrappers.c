/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_wrappers.c - commands that execute others
 *
 * Options are those of Open MPI 4.1, MPICH's Hydra, GNU coreutils,
 * and others seen in job scripts.  If an option with its value in the next word
 * is missing here, that value is taken for the command: add it.
 */
#include <stddef.h>

#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/command/submit_options.h"

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
	{ "srun", .parallel = true, .program = SUBMIT_SRUN, .until = ":" },
	{ "mpirun orterun prun prterun", .parallel = true,
	  .values = MPIRUN_VALUES, .until = ":", .pairs = MPIRUN_PAIRS },
	{ "mpprun poe runjob", .parallel = true,
	  .values = " -n --nranks --pass --mpi -procs -nodes -hfile -p"
		    " --np " },
	{ "yhrun", .parallel = true, .program = SUBMIT_SRUN },
	{ "omplace dplace", .values = " -nt -c -s -x " },
	{ "flux", .subcommand = " run submit alloc ", .parallel = true,
	  .values = FLUX_VALUES },
	{ "flux", .subcommand = " start ", .values = " -s -o -S -B " },
	{ "ccc_mprun ibrun", .parallel = true,
	  .values = " -n -N -c -E -f -o " },
	{ "aprun", .parallel = true,
	  .values = " -n -N -d -S -j -cc -L -m -e -r -cp -p -sn -sl " },
	{ "jsrun lrun", .parallel = true,
	  .values = " -n --nrs -r --rs_per_host -a --tasks_per_rs -c"
		    " --cpu_per_rs -g --gpu_per_rs -b --bind -d"
		    " --launch_distribution -l --latency_priority -p --np -E -e"
		    " --stdio_mode -o --stdio_stdout -k --stdio_stderr -m"
		    " --memory_per_rs -M --smpiargs -U --use_resource -N"
		    " -T " },
	{ "likwid-mpirun", .parallel = true,
	  .values = " -n -np -g -pin -nperdomain -mpi -omp " },
	{ "charmrun", .parallel = true, .plus = true,
	  .values = " ++nodelist ++p ++n ++np ++ppn +p ++remote-shell"
		    " ++runscript ++timeout " },
	{ "horovodrun", .parallel = true,
	  .values = " -np --num-proc -H --hosts -hostfile --hostfile " },
	{ "torchrun torch.distributed.run torch.distributed.launch",
	  .parallel = true, .values = TORCH_VALUES, .runs = "python" },
	{ "deepspeed", .parallel = true,
	  .values = " --num_gpus --num_nodes --master_port --master_addr"
		    " --hostfile -H --include -i --exclude -e --launcher"
		    " --launcher_args ",
	  .runs = "python" },
	{ "mpi4py scalene cProfile kernprof viztracer", .values = " -o -s ",
	  .runs = "python" },
	{ "coverage mprof", .subcommand = " run ", .runs = "python" },

	{ .name = "command builtin unbuffer wine wine64 dumb-init tini"
		  " cuda-memcheck scalasca nix-portable scorep remora nohup "
		  "setsid"
		  " hwloc-bind prlimit valgrind catchsegv task_affinity"
		  " tacc_affinity" },
	{ "time", .values = " -f --format -o --output " },
	{ "env exec", .values = " -u --unset -C --chdir -a " },
	{ "nice ionice", .values = " -n --adjustment -c --class --classdata " },
	{ "eval", .code = true },
	{ "xargs",
	  .values = " -n -P -I -L -d -a -E -s --max-args --max-procs --replace"
		    " --delimiter --arg-file " },
	{ "parallel", .code = true,
	  .values = " -j --jobs -a --arg-file --joblog --colsep -C -n -N"
		    " --delay --timeout --retries --results --memfree --load"
		    " --tmpdir --sshlogin -S --wd --workdir --max-args -P ",
	  .until = ":::" },
	{ "nix-shell", .code = true, .after = " --run --command " },
	{ "nix", .subcommand = " develop shell ", .after = " -c --command " },
	{ "go", .subcommand = " run " },
	{ "flock", .code = true, .words = 1,
	  .values = " -w --timeout -E --conflict-exit-code " },
	{ "gdb", .values = " -ex -x " },
	{ "find", .after = " -exec -execdir ", .until = ";" },
	{ "ncu",
	  .values = " -o --export --set --section -k -c -s --kernel-name"
		    " --target-processes --launch-skip --launch-count"
		    " --replay-mode --metrics --clock-control --cache-control"
		    " --nvtx-include --log-file --kernel-id " },
	{ "likwid-perfctr", .values = " -C -c -g -o -t -S " },
	{ "likwid-pin", .values = " -c -s " },
	{ "hpcrun", .values = " -e -o --event --output " },
	{ "map ddt aps rocprof tau_exec vtune compute-sanitizer",
	  .values = " -o --output -n --np -r -c -i -d -t -e --event -T -collect"
		    " -result-dir -knob -k --tool " },
	{ "dmtcp_launch",
	  .values = " -i --interval -h --coord-host -p --coord-port --ckptdir"
		    " -t --tmpdir --port-file " },
	{ "hyperfine", .code = true, .values = " -w -r -m -M -s " },
	{ "py-spy", .subcommand = " record ",
	  .values = " -o --output -d --duration -r --rate -f --format " },
	{ "gpaw abaqus", .subcommand = " python ", .values = " -T ",
	  .runs = "python" },
	{ "stdbuf", .values = " -i -o -e --input --output --error " },
	{ "timeout", .number = true,
	  .values = " -k --kill-after -s --signal " },
	{ "taskset chrt", .number = true,
	  .values = " -c --cpu-list -p --pid " },
	{ "numactl",
	  .values = " -N -m -C -i -p --cpunodebind --membind --physcpubind"
		    " --interleave --preferred " },
	{ "setarch", .words = 1 },
	{ "sudo", .values = " -u -g -h -p -C --user --group " },
	{ "strace", .values = " -e -o -p -s -u -E -a -O -S " },
	{ "ltrace", .values = " -e -o -p -s -u " },
	{ "xvfb-run", .values = " -n -s -e -f -p -w " },
	{ "perf", .subcommand = " stat record ",
	  .values = " -e --event -o --output -r --repeat -x -I -C -F"
		    " --freq --call-graph " },
	{ "nsys omniperf", .subcommand = " profile launch ",
	  .values = " -o --output -t --trace -s --sample -n -p " },
	{ "conda mamba micromamba", .subcommand = " run ",
	  .values = " -n --name -p --prefix --cwd -r " },
	{ "uv", .subcommand = " run ",
	  .values = " --with --python -p --project --directory " },
	{ "poetry pixi pipenv", .subcommand = " run ", .values = " -e " },
	{ "accelerate", .subcommand = " launch ",
	  .values = " --config_file --num_processes --num_machines"
		    " --machine_rank --main_process_ip --main_process_port"
		    " --mixed_precision --num_cpu_threads_per_process ",
	  .parallel = true, .runs = "python" },
	/* The image is no part of the command; of `run` it may be all. */
	{ "apptainer singularity", .subcommand = " exec ", .words = 1,
	  .values = APPTAINER_VALUES },
	{ "apptainer singularity", .subcommand = " run ", .image = true,
	  .values = APPTAINER_VALUES },
	{ "docker podman podman-hpc udocker nerdctl nvidia-docker",
	  .subcommand = " run ", .words = 1, .image = true,
	  .values = DOCKER_VALUES },
	{ "docker podman podman-hpc udocker nerdctl nvidia-docker",
	  .subcommand = " exec ", .words = 1, .values = DOCKER_VALUES },
	{ "enroot", .subcommand = " start ", .words = 1,
	  .values = " -c --conf -e --env -m --mount --rc " },
	{ "sarus", .subcommand = " run ", .words = 1, .image = true,
	  .values = " --mount -w --workdir -e --env " },
	{ "shifter", .values =
			     " -i --image -V --volume -w --workdir -e --env -m"
			     " --module " },
	{ "ch-run", .words = 1,
	  .values = " -b --bind -c --cd -j --join-ct --set-env -u -g " },
	{ .name = NULL },
};
