/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_wrappers.c - commands that execute others
 *
 * Options are those of Open MPI 4.1, MPICH's Hydra, GNU coreutils, and others
 * seen in job scripts, without their dashes; launchers and tools of one kind
 * share a row.  If an option with its value in the next word is missing here,
 * that value is taken for the command: add it.
 */

#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/command/submit_options.h"

#define APPTAINER_VALUES                                                   \
	" B bind env env-file H home pwd W workdir overlay network app S " \
	"scratch mount fusemount cwd "

const struct wrapper wrappers[] = {
	{ "srun yhrun", .parallel = true, .program = SUBMIT_SRUN,
	  .until = ":" },
	{ "mpirun orterun prun prterun", .parallel = true, .until = ":",
	  .pairs = " mca gmca pmca env genv ",
	  .values = " n np c N npernode npersocket H host hosts hostfile "
		    "machinefile f x wdir wd path map-by bind-to rank-by "
		    "prefix output-filename am tune cpu-set ppn perhost "
		    "launcher bootstrap iface rmk envlist genvlist configfile "
		    "stdin timeout rf rankfile slot-list max-restarts "
		    "report-uri arch umask " },
	{ "aprun", .parallel = true,
	  .values = " n N d S j cc L m e r cp p sn sl " },
	{ "likwid-mpirun", .parallel = true,
	  .values = " n np g pin nperdomain mpi omp " },
	{ "ccc_mprun horovodrun ibrun jsrun lrun mpprun poe runjob",
	  .parallel = true,
	  .values = " n N d m e r p c E f o nrs rs_per_host a tasks_per_rs "
		    "cpu_per_rs g gpu_per_rs b bind launch_distribution l "
		    "latency_priority np stdio_mode stdio_stdout k "
		    "stdio_stderr memory_per_rs M smpiargs U use_resource T "
		    "nranks pass mpi procs nodes hfile num-proc H hosts "
		    "hostfile " },
	{ "flux", .subcommand = " run submit alloc ", .parallel = true,
	  .values = " n ntasks N nodes c cores-per-task g gpus-per-task t "
		    "time-limit q queue o setopt S setattr env job-name input "
		    "output error requires cwd tasks-per-node cores "
		    "gpus-per-node B bank " },
	{ "flux", .subcommand = " start ", .values = " s o S B " },
	{ "charmrun", .parallel = true, .plus = true,
	  .values = " nodelist p n np ppn remote-shell runscript timeout " },
	{ "torchrun torch.distributed.run torch.distributed.launch",
	  .parallel = true, .runs = "python",
	  .values = " nproc_per_node nproc-per-node nnodes node_rank node-rank "
		    "rdzv_id rdzv-id rdzv_backend rdzv-backend rdzv_endpoint "
		    "rdzv-endpoint rdzv_conf rdzv-conf master_addr master-addr "
		    "master_port master-port max_restarts max-restarts log_dir "
		    "log-dir " },
	{ "deepspeed", .parallel = true, .runs = "python",
	  .values = " num_gpus num_nodes master_port master_addr hostfile H "
		    "include i exclude e launcher launcher_args " },
	{ "accelerate", .subcommand = " launch ", .parallel = true,
	  .runs = "python",
	  .values = " config_file num_processes num_machines machine_rank "
		    "main_process_ip main_process_port mixed_precision "
		    "num_cpu_threads_per_process " },
	{ "mpi4py scalene cProfile kernprof viztracer", .runs = "python",
	  .values = " o s " },
	{ "coverage mprof", .subcommand = " run ", .runs = "python" },
	{ "gpaw abaqus", .subcommand = " python ", .runs = "python",
	  .values = " T " },

	{ .name = "command builtin unbuffer wine wine64 dumb-init tini"
		  " cuda-memcheck scalasca nix-portable scorep remora nohup"
		  " setsid hwloc-bind prlimit valgrind catchsegv task_affinity"
		  " tacc_affinity" },
	{ "time", .values = " f format o output " },
	{ "env exec", .values = " u unset C chdir a " },
	{ "nice ionice", .values = " n adjustment c class classdata " },
	{ "eval", .code = true },
	{ "flock", .code = true, .words = 1, .values = " w timeout E " },
	{ "xargs", .values = " n P I L d a E s max-args max-procs replace"
			     " delimiter arg-file " },
	{ "parallel", .code = true, .until = ":::",
	  .values = " j jobs a arg-file joblog colsep C n N delay timeout"
		    " retries results memfree load tmpdir sshlogin S wd"
		    " workdir max-args P " },
	{ "nix-shell", .code = true, .after = " --run --command " },
	{ "nix", .subcommand = " develop shell ", .after = " -c --command " },
	{ "go", .subcommand = " run " },
	{ "gdb", .values = " ex x " },
	{ "find", .after = " -exec -execdir ", .until = ";" },
	{ "likwid-pin", .values = " c s " },
	{ "ncu likwid-perfctr map ddt aps rocprof tau_exec vtune"
	  " compute-sanitizer",
	  .values = " o output n np r c C i d t e event T collect result-dir"
		    " knob k tool export set section s S g kernel-name"
		    " target-processes launch-skip launch-count replay-mode"
		    " metrics clock-control cache-control nvtx-include log-file"
		    " kernel-id " },
	{ "hpcrun", .values = " e o event output " },
	{ "dmtcp_launch", .values = " i interval h coord-host p coord-port"
				    " ckptdir t tmpdir port-file " },
	{ "stdbuf", .values = " i o e input output error " },
	{ "omplace dplace", .values = " nt c s x " },
	{ "timeout taskset chrt", .number = true,
	  .values = " k kill-after s signal c cpu-list p pid " },
	{ "numactl", .values = " N m C i p cpunodebind membind physcpubind"
			       " interleave preferred " },
	{ "sudo", .values = " u g h p C user group " },
	{ "strace", .values = " e o p s u E a O S " },
	{ "ltrace", .values = " e o p s u " },
	{ "xvfb-run", .values = " n s e f p w " },
	{ "perf", .subcommand = " stat record ",
	  .values = " e event o output r repeat x I C F freq call-graph " },
	{ "py-spy", .subcommand = " record ",
	  .values = " o output d duration r rate f format " },
	{ "nsys omniperf", .subcommand = " profile launch ",
	  .values = " o output t trace s sample n p " },
	{ "conda mamba micromamba", .subcommand = " run ",
	  .values = " n name p prefix cwd r " },
	{ "uv", .subcommand = " run ",
	  .values = " with python p project directory " },
	{ "poetry pixi pipenv", .subcommand = " run ", .values = " e " },
	/* The image is no part of the command; of `run` it may be all. */
	{ "apptainer singularity", .subcommand = " exec ", .words = 1,
	  .values = APPTAINER_VALUES },
	{ "apptainer singularity", .subcommand = " run ", .image = true,
	  .values = APPTAINER_VALUES },
	{ "docker podman podman-hpc udocker nerdctl nvidia-docker sarus",
	  .subcommand = " run exec ", .words = 1, .image = true,
	  .values =
		  " v volume w workdir e env env-file gpus shm-size name u user"
		  " network net mount entrypoint m memory cpus cpuset-cpus"
		  " ulimit device ipc p publish runtime h hostname platform l"
		  " label security-opt tmpfs pull " },
	{ "enroot", .subcommand = " start ", .words = 1,
	  .values = " c conf e env m mount rc " },
	{ "shifter", .values = " i image V volume w workdir e env m module " },
	{ "ch-run", .words = 1,
	  .values = " b bind c cd j join-ct set-env u g " },
	{ .name = NULL },
};
