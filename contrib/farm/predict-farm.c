/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predict-farm.c - run command lines on all CPUs of a job
 *
 * An MPI program: rank 0 reads the commands and hands them out, the others run
 * them.  Without an MPI launcher it starts itself by one (mpi_launch.h).
 *
 * The result of a command is its end (struct command_end), the bytes of its
 * output, the output, and the rest is what it printed to stderr.
 */
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contrib/farm/command_run.h"
#include "contrib/farm/mpi_launch.h"
#include "contrib/farm/predict_farm.h"

/* The first bytes that a command prints to each stream are passed on. */
#define OUTPUT_MAX ((size_t)64 << 20)
/* Number of failed commands that the exit status can tell, as GNU parallel's;
 * then errors of our own. */
#define FAILED_MAX 101
#define EXIT_USAGE 255
#define EXIT_LOST  254

static const char usage[] =
	"usage: predict-farm [OPTION]... [FILE]\n"
	"Run the command lines in FILE, or on standard input, on the CPUs of\n"
	"the Slurm job, or of this machine.\n"
	"\n"
	"  -n, --workers=N     commands at a time (the job's tasks, else "
	"CPUs)\n"
	"      --joblog=FILE   log each command when it has ended\n"
	"      --resume        pass over those that the log has\n"
	"      --resume-failed the same, but run those again that failed\n"
	"      --timeout=S     end a command after S seconds\n"
	"      --patience=S    run it elsewhere when a worker has been silent\n"
	"                      for S seconds; longer than any command takes\n"
	"      --dry-run       print the commands instead\n"
	"      --progress      on standard error (where that is a terminal)\n"
	"      --launcher=CMD  instead of \"mpirun\"\n"
	"  -h, --help          this text\n"
	"\n"
	"A line that begins with # is no command.  The exit status is the\n"
	"number of commands that failed, 101 for more than 100; 254 if it\n"
	"could not start or lost all workers, 255 for wrong arguments or "
	"files.\n";

struct farm_options {
	int workers;
	const char *log_path, *launcher, *commands_path;
	bool resume, resume_failed, dry_run, progress;
	double timeout_s, patience_s;
};

struct run {
	struct farm_options options;
	struct command_list list;
	int *number; /* of task i: position in the list */
	int tasks, ended, failed;
	FILE *log;
	double start_s;
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- Options -------------------------------------------------------------- */

enum {
	OPTION_LOG = 256,
	OPTION_RESUME,
	OPTION_FAILED,
	OPTION_TIMEOUT,
	OPTION_PATIENCE,
	OPTION_DRY,
	OPTION_PROGRESS,
	OPTION_LAUNCHER
};

static const struct option long_options[] = {
	{ "workers", required_argument, NULL, 'n' },
	{ "joblog", required_argument, NULL, OPTION_LOG },
	{ "resume", no_argument, NULL, OPTION_RESUME },
	{ "resume-failed", no_argument, NULL, OPTION_FAILED },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "patience", required_argument, NULL, OPTION_PATIENCE },
	{ "dry-run", no_argument, NULL, OPTION_DRY },
	{ "progress", no_argument, NULL, OPTION_PROGRESS },
	{ "launcher", required_argument, NULL, OPTION_LAUNCHER },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static double parse_number(const char *text, double least)
{
	char *end;
	double value = strtod(text, &end);

	if (end != text && !*end && value >= least && value <= 1e9)
		return value;
	fprintf(stderr, "predict-farm: \"%s\" is no number of at least %g\n",
		text, least);
	exit(EXIT_USAGE);
}

static void parse_option(int letter, struct farm_options *o)
{
	switch (letter) {
	case 'n':
		o->workers = (int)parse_number(optarg, 1);
		break;
	case OPTION_LOG:
		o->log_path = optarg;
		break;
	case OPTION_FAILED:
		o->resume_failed = true;
		o->resume = true;
		break;
	case OPTION_RESUME:
		o->resume = true;
		break;
	case OPTION_TIMEOUT:
		o->timeout_s = parse_number(optarg, 0);
		break;
	case OPTION_PATIENCE:
		o->patience_s = parse_number(optarg, 0);
		break;
	case OPTION_DRY:
		o->dry_run = true;
		break;
	case OPTION_PROGRESS:
		o->progress = true;
		break;
	case OPTION_LAUNCHER:
		o->launcher = optarg;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs("Try predict-farm --help.\n", stderr);
		exit(EXIT_USAGE);
	}
}

static struct farm_options parse_options(int argc, char *argv[])
{
	struct farm_options o = { .launcher = "mpirun",
				  .progress = isatty(STDERR_FILENO) };
	int letter;

	while ((letter = getopt_long(argc, argv, "+n:h", long_options, NULL)) >
	       0)
		parse_option(letter, &o);
	if (optind < argc)
		o.commands_path = argv[optind++];
	if (optind < argc || (o.resume && !o.log_path)) {
		fputs(o.resume ? "predict-farm: --resume needs --joblog\n"
			       : "predict-farm: one file is enough\n",
		      stderr);
		exit(EXIT_USAGE);
	}
	return o;
}

/* --- Workers -------------------------------------------------------------- */

/* Append a stream from its start, at most OUTPUT_MAX bytes. */
static uint64_t write_stream(struct predict_farm_result *result, FILE *stream)
{
	char buffer[65536];
	size_t size, written = 0;

	rewind(stream);
	while (written < OUTPUT_MAX &&
	       (size = fread(buffer, 1, sizeof(buffer), stream)) > 0) {
		if (size > OUTPUT_MAX - written)
			size = OUTPUT_MAX - written;
		if (predict_farm_result_write(result, buffer, size))
			break;
		written += size;
	}
	fclose(stream);
	return written;
}

static uint64_t stream_size(FILE *stream)
{
	long size = fseek(stream, 0, SEEK_END) ? -1 : ftell(stream);

	if (size < 0)
		return 0;
	return (size_t)size < OUTPUT_MAX ? (uint64_t)size : OUTPUT_MAX;
}

/* The input is the command's number and its line. */
static void work(void *context, int task, const void *input, size_t input_bytes,
		 struct predict_farm_result *result)
{
	const struct run *run = context;
	struct command_output output;
	struct command_end end;
	uint64_t out_bytes = 0;
	int number;

	(void)task;
	memcpy(&number, input, sizeof(number));

	char *line = strndup((const char *)input + sizeof(number),
			     input_bytes - sizeof(number));
	int rc = line ? command_run(line, number, run->options.timeout_s, &end,
				    &output)
		      : -1;

	free(line);
	if (rc) {
		end.exit_value = 126;
		predict_farm_result_write(result, &end, sizeof(end));
		predict_farm_result_write(result, &out_bytes,
					  sizeof(out_bytes));
		return;
	}
	out_bytes = stream_size(output.out);
	predict_farm_result_write(result, &end, sizeof(end));
	predict_farm_result_write(result, &out_bytes, sizeof(out_bytes));
	write_stream(result, output.out);
	write_stream(result, output.err);
}

/* --- The master ----------------------------------------------------------- */

static size_t pack(void *context, int task, void *buffer, size_t size)
{
	const struct run *run = context;
	int number = run->number[task] + 1;
	const char *line = run->list.line[number - 1];
	size_t length = strlen(line);

	if (sizeof(number) + length <= size) {
		memcpy(buffer, &number, sizeof(number));
		memcpy((char *)buffer + sizeof(number), line, length);
	}
	return sizeof(number) + length;
}

static void show_progress(const struct run *run)
{
	double left_s = (now_s() - run->start_s) / run->ended *
			(run->tasks - run->ended);

	if (!run->options.progress)
		return;
	fprintf(stderr, "\r%d of %d done, %d failed, %.0f s left \033[K",
		run->ended, run->tasks, run->failed, left_s);
	if (run->ended == run->tasks)
		fputc('\n', stderr);
}

static void collect(void *context, int task, const void *result,
		    size_t result_bytes)
{
	struct run *run = context;
	int position = run->number[task];
	const char *output = result;
	struct command_end end = { .exit_value = 126 };
	uint64_t out_bytes = 0;

	run->ended++;
	if (result_bytes >= sizeof(end) + sizeof(out_bytes)) {
		memcpy(&end, output, sizeof(end));
		memcpy(&out_bytes, output + sizeof(end), sizeof(out_bytes));
		output += sizeof(end) + sizeof(out_bytes);
		result_bytes -= sizeof(end) + sizeof(out_bytes);
		if (out_bytes > result_bytes)
			out_bytes = result_bytes;
		fwrite(output, 1, out_bytes, stdout);
		fflush(stdout);
		fwrite(output + out_bytes, 1, result_bytes - out_bytes, stderr);
	}
	run->failed += end.exit_value || end.signal;
	if (run->log &&
	    command_log_write(run->log, position + 1, run->list.line[position],
			      &end, out_bytes)) {
		perror("predict-farm: job log");
		fclose(run->log);
		run->log = NULL;
	}
	show_progress(run);
}

static int list_commands(struct run *run)
{
	const struct farm_options *o = &run->options;
	FILE *from = o->commands_path ? fopen(o->commands_path, "re") : stdin;

	if (!from) {
		fprintf(stderr, "predict-farm: %s: ", o->commands_path);
		perror(NULL);
		return -1;
	}

	int rc = command_list_read(&run->list, from);

	if (from != stdin)
		fclose(from);
	if (rc || (o->resume && command_list_resume(&run->list, o->log_path,
						    o->resume_failed)))
		return -1;
	run->number = calloc((size_t)run->list.count + 1, sizeof(int));
	for (int i = 0; run->number && i < run->list.count; i++)
		if (!run->list.done[i])
			run->number[run->tasks++] = i;
	return run->number ? 0 : -1;
}

/* The exit status. */
static int run_master(struct run *run, struct predict_farm *farm)
{
	struct predict_farm_program program = { .context = run,
						.pack = pack,
						.collect = collect };
	struct predict_farm_report report;

	if (run->options.log_path) {
		run->log = command_log_open(run->options.log_path,
					    run->options.resume);
		if (!run->log)
			return EXIT_USAGE;
	}
	run->start_s = now_s();

	int rc = predict_farm_run(farm, &program, run->tasks);

	predict_farm_report(farm, &report);
	if (rc)
		fprintf(stderr,
			"predict-farm: %d commands were not run: no worker "
			"replies\n",
			run->tasks - run->ended);
	else if (report.again)
		fprintf(stderr,
			"predict-farm: %d commands were run again, since %d "
			"workers were silent\n",
			report.again, report.workers_silent);
	if (run->log)
		fclose(run->log);
	if (rc)
		return EXIT_LOST;
	return run->failed < FAILED_MAX ? run->failed : FAILED_MAX;
}

static int print_commands(const struct farm_options *o)
{
	struct run run = { .options = *o };

	if (list_commands(&run))
		return EXIT_USAGE;
	for (int i = 0; i < run.tasks; i++)
		puts(run.list.line[run.number[i]]);
	free(run.number);
	command_list_clear(&run.list);
	return 0;
}

int main(int argc, char *argv[])
{
	struct run run = { .options = parse_options(argc, argv) };
	/* A command may take long, or hang: one at a time. */
	const struct predict_farm_options farm_options = {
		.patience_s = run.options.patience_s, .chunk_max = 1
	};

	if (run.options.dry_run)
		return print_commands(&run.options);
	if (!mpi_is_launched()) {
		int status = mpi_launch(run.options.launcher,
					run.options.workers, argc, argv);

		return status < 0 ? EXIT_LOST : status;
	}

	struct predict_farm *farm = predict_farm_create_world(&farm_options);
	struct predict_farm_program program = { .context = &run, .work = work };
	int status = 0;

	if (!farm) {
		fputs("predict-farm: it needs two processes at least\n",
		      stderr);
		mpi_leave_status(EXIT_USAGE);
		MPI_Abort(MPI_COMM_WORLD, EXIT_USAGE);
	} else if (predict_farm_rank(farm) == 0) {
		status = list_commands(&run) ? EXIT_USAGE
					     : run_master(&run, farm);
		mpi_leave_status(status);
		predict_farm_stop(farm);
	} else {
		while (predict_farm_run(farm, &program, 0) == 0)
			;
	}
	free(run.number);
	command_list_clear(&run.list);
	predict_farm_destroy_world(farm);
	/* Without a file for it, the launcher has to tell. */
	return mpi_has_status() ? 0 : status;
}
