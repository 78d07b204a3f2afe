/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.c - the main command of a job script
 *
 * Commands are read in order (shell_flow.h), with code inside of commands,
 * until one was launched by srun or mpirun.  The best so far is kept with its
 * name, its arguments, and the loops, variables and here-documents around it.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/arguments.h"
#include "predictor/features/script/command_tables.h"
#include "predictor/features/script/inline_input.h"
#include "predictor/features/script/masked_name.h"
#include "predictor/features/script/matlab_code.h"
#include "predictor/features/script/script.h"
#include "predictor/features/script/shell_flow.h"
#include "predictor/features/script/shell_variables.h"

/* Bounds the time; scripts that people write have fewer. */
#define COMMANDS_MAX 2000

/* Code within code within the script. */
#define CODE_DEEP 2

struct script_reader {
	int commands;
	shell_variables given;  /* used by commands so far */
	shell_variables passed; /* those that are parameters already */
	shell_arguments uses;   /* by the command that has the code */
	bool launched;          /* the command that has the code was */
	struct parameters input;
	struct script_result *found;
	struct file_arguments *files;
};

/* --- Around the command --------------------------------------------------- */

/* Settings of libraries and runtimes. */
static bool is_infrastructure(const char *name)
{
	static const char *const prefixes[] = {
		"OMP_",      "GOMP_",      "KMP_",   "MKL_",
		"OPENBLAS_", "BLIS_",      "I_MPI_", "OMPI_",
		"PMI",       "PSM",        "UCX_",   "FI_",
		"MV2_",      "MPI",        "NCCL_",  "CUDA_",
		"HIP_",      "ROCR_",      "TF_",    "XLA_",
		"PYTHON",    "WANDB_",     "HF_",    "TOKENIZERS_",
		"MASTER_",   "WORLD_SIZE", "RANK",   "LOCAL_RANK",
		"SLURM",     "SBATCH_",    "SRUN_",  "PREDICT_",
		"JULIA_",    "NUMEXPR_",   "NUMBA_", "VECLIB_",
		"MALLOC_",   "LD_",        "HDF5_",  "ROMIO_",
		"DAPL_",     "GASNET_",    "ACC_",   "NVCOMPILER_",
		"FORT_",     "GFORTRAN_",  "WRFIO_", "HWLOC_",
		"QT_",       "PROJ_",      NULL,
	};

	for (int i = 0; prefixes[i]; i++)
		if (*name == *prefixes[i] &&
		    !strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static void add_parameter(struct parameters *set, const char *name,
			  const char *text)
{
	double value;

	if (text && arguments_number(text, &value) &&
	    !is_infrastructure(name) && !parameters_get(set, name))
		parameters_set(set, name, value, NULL);
}

/* Variables that are not whole arguments of the command. */
static void add_variables(const struct script_reader *reader,
			  const struct shell *shell,
			  const struct shell_command *command,
			  struct parameters *set)
{
	shell_variables given = reader->given | command->variables;
	shell_variables whole = reader->passed | command->whole;

	for (int i = 0; i < shell->variables_count; i++) {
		const struct shell_variable *v = &shell->variables[i];
		shell_variables bit = UINT64_C(1) << i;

		if (!(whole & bit) && (v->exported || given & bit))
			add_parameter(set, v->name, v->value);
	}
}

/* N=5 ./app, env N=5 ./app */
static void add_prefixes(const struct shell_command *command, int end,
			 struct parameters *set)
{
	size_t length;

	for (int i = 0; i < end && i < command->count; i++) {
		char name[PARAMETER_NAME_SIZE];

		if (!shell_is_assignment(command->words[i], &length) ||
		    length >= sizeof(name))
			continue;
		memcpy(name, command->words[i], length);
		name[length] = '\0';
		add_parameter(set, name, command->words[i] + length + 1);
	}
}

static void add_loops(const struct shell *shell, struct parameters *set)
{
	for (int i = 0; i < shell->loops_count && i < SHELL_LOOPS_DEEP; i++) {
		const struct shell_loop *loop = &shell->loops[i];
		char name[SHELL_NAME_SIZE + 8];

		if (loop->count < 0)
			continue;
		snprintf(name, sizeof(name), "loop.%s", loop->name);
		parameters_set(set, name, loop->count, NULL);
	}
}

/* --- The command itself --------------------------------------------------- */

static void append_part(char name[APPLICATION_NAME_SIZE], const char *text,
			const char *suffix)
{
	char part[APPLICATION_NAME_SIZE];
	const char *base = command_basename(text);
	size_t length = strnlen(base, sizeof(part) - 1);

	if (suffix && length > strlen(suffix) &&
	    !strcmp(base + length - strlen(suffix), suffix))
		length -= strlen(suffix);
	memcpy(part, base, length);
	part[length] = '\0';
	if (*name)
		masked_name_append(name, APPLICATION_NAME_SIZE, ":");
	masked_name_append(name, APPLICATION_NAME_SIZE, part);
}

static void set_name(const struct command_line *line, const char *function,
		     char name[APPLICATION_NAME_SIZE])
{
	name[0] = '\0';
	if (!line->executable)
		return;
	append_part(name, line->executable, NULL);
	if (line->script || function)
		append_part(name, function ? function : line->script,
			    line->suffix);
	if (line->subcommand)
		append_part(name, line->subcommand, NULL);
}

/* Arguments that an interpreter gets in one word. */
static void read_quoted(const char *text, struct parameters *set)
{
	struct shell_command command;
	struct shell shell;

	shell_open(&shell, text, strlen(text), NULL, 0);
	if (!shell_read(&shell, &command))
		return;

	const struct arguments arguments = { .words = command.words,
					     .count = command.count,
					     .except = -1 };

	arguments_read(&arguments, set);
}

static void read_words(const struct script_reader *reader,
		       const struct shell_command *command,
		       const struct command_line *line, struct parameters *set)
{
	const struct arguments arguments = {
		.words = command->words + line->first_argument,
		.count = line->end - line->first_argument,
		.except = line->subcommand_at
				  ? line->subcommand_at - line->first_argument
				  : -1,
		.pairs = line->pairs,
		.files = reader->files,
	};

	if (reader->files)
		reader->files->count = 0;
	if (line->quoted)
		read_quoted(line->quoted, set);
	arguments_read(&arguments, set);
	if (reader->files && command->input && command->input != line->script)
		file_arguments_add(reader->files, "stdin", strlen("stdin"),
				   command->input);
}

/* Make the command the best one so far. */
static void set_best_command(const struct script_reader *reader,
			     const struct shell *shell,
			     const struct shell_command *command,
			     const struct command_line *line,
			     const char *function, enum command_rank rank)
{
	struct script_result *found = reader->found;

	found->rank = rank;
	found->uses = command->uses | reader->uses;
	set_name(line, function, found->command.name);
	found->around.count = 0;
	if (!line->code)
		read_words(reader, command, line, &found->command.parameters);
	add_loops(shell, &found->around);
	for (int i = 0; i < reader->input.count; i++)
		parameters_set(&found->around, reader->input.of[i].name,
			       reader->input.of[i].value, NULL);
	add_prefixes(command, line->executable_at, &found->around);
	add_variables(reader, shell, command, &found->around);
}

/* --- Read ----------------------------------------------------------------- */

static void read_shell(struct script_reader *reader, struct shell *shell,
		       int depth);

static void read_inner(struct script_reader *reader, const struct shell *outer,
		       const struct shell_command *command,
		       const struct command_line *line, int depth)
{
	struct script_reader inner = *reader;
	struct shell shell;

	inner.launched |= line->launched;
	inner.uses |= command->uses;
	inner.passed |= command->variables;
	shell_open_inner(&shell, outer, line->code,
			 command->words + line->first_argument,
			 (size_t)(line->end - line->first_argument));
	memcpy(shell.loops, outer->loops, sizeof(shell.loops));
	shell.loops_count = outer->loops_count;
	read_shell(&inner, &shell, depth + 1);
	reader->commands = inner.commands;
}

static enum command_rank effective_rank(const struct script_reader *reader,
					const struct command_line *line)
{
	return reader->launched && line->rank >= COMMAND_UNKNOWN
		       ? COMMAND_LAUNCHED
		       : line->rank;
}

/* `matlab -r CODE`: the program is the function that the code calls. */
static void read_matlab(const struct script_reader *reader,
			const struct shell *shell,
			const struct shell_command *command,
			const struct command_line *line)
{
	char function[MATLAB_NAME_SIZE];
	struct parameters set = { 0 };
	bool launched = reader->launched || line->launched;
	enum command_rank rank = launched ? COMMAND_LAUNCHED : COMMAND_PROGRAM;

	if (reader->found->rank >= rank ||
	    !matlab_code_read(line->code, function, &set))
		return;
	reader->found->command.parameters = set;
	set_best_command(reader, shell, command, line, function, rank);
}

static void read_command(struct script_reader *reader, struct shell *shell,
			 const struct shell_command *command, int depth)
{
	struct command_line line;

	command_line_read(command, &line);
	if (line.executable && shell_call(shell, command, line.executable_at))
		return;
	if (line.code_kind == COMMAND_CODE_SHELL && depth < CODE_DEEP)
		read_inner(reader, shell, command, &line, depth);
	else if (line.code_kind == COMMAND_CODE_MATLAB)
		read_matlab(reader, shell, command, &line);

	enum command_rank rank = effective_rank(reader, &line);

	if (rank > reader->found->rank) {
		reader->found->command.parameters.count = 0;
		set_best_command(reader, shell, command, &line, NULL, rank);
	}
	if (rank != COMMAND_NONE || !strcmp(command->words[0], "cd"))
		reader->given |= command->variables;
}

static void read_here_docs(struct script_reader *reader,
			   const struct shell *shell)
{
	for (int i = 0; i < shell->here_docs_count; i++)
		inline_input_read(shell, &shell->here_docs[i], &reader->input,
				  &reader->passed, &reader->given);
}

static void read_shell(struct script_reader *reader, struct shell *shell,
		       int depth)
{
	struct shell_command command;

	while (reader->found->rank < COMMAND_LAUNCHED &&
	       reader->commands++ < COMMANDS_MAX &&
	       shell_next(shell, &command)) {
		read_here_docs(reader, shell);
		read_command(reader, shell, &command, depth);
	}
}

/* --- Scripts in other languages ------------------------------------------- */

/* The interpreter that "#!" names, if it is known and no shell. */
static const struct interpreter *read_shebang(const char *script, size_t size)
{
	const char *newline = memchr(script, '\n', size);
	size_t length = newline ? (size_t)(newline - script) : size;
	struct shell_command command;
	struct shell shell;
	const void *row;
	int at = 0;

	if (length < 3 || memcmp(script, "#!", 2) || length > 256)
		return NULL;
	shell_open(&shell, script + 2, length - 2, NULL, 0);
	if (!shell_read(&shell, &command))
		return NULL;
	if (!strcmp(command_basename(command.words[0]), "env"))
		for (at = 1; at < command.count; at++)
			if (command.words[at][0] != '-')
				break;
	if (at >= command.count)
		return NULL;

	const char *name = command_basename(command.words[at]);
	size_t stem = strlen(name);

	while (stem && (isdigit((unsigned char)name[stem - 1]) ||
			name[stem - 1] == '.'))
		stem--;
	if (!command_tables_find(name, stem, KIND_INTERPRETER, &row))
		return NULL;

	const struct interpreter *interpreter = row;

	return interpreter->code_kind == COMMAND_CODE_SHELL ? NULL
							    : interpreter;
}

/* The script is the command, and its arguments are the command's. */
static void read_other_language(const struct submission *job,
				const struct interpreter *interpreter,
				struct script_result *ret,
				struct file_arguments *ret_files)
{
	const char *name = job->arguments_count ? job->arguments[0] : job->name;
	const struct arguments arguments = {
		.words = job->arguments + 1,
		.count = (int)job->arguments_count - 1,
		.except = -1,
		.files = ret_files,
	};
	const struct command_line line = {
		.executable = interpreter->called ? interpreter->called
						  : interpreter->name,
		.script = name && *name ? name : NULL,
		.suffix = interpreter->suffix,
	};

	ret->rank = COMMAND_PROGRAM;
	ret->uses = ~(shell_arguments)0;
	set_name(&line, NULL, ret->command.name);
	arguments_read(&arguments, &ret->command.parameters);
}

void script_read(const struct submission *job, size_t size,
		 struct script_result *ret, struct file_arguments *ret_files)
{
	const struct interpreter *interpreter = read_shebang(job->script, size);
	struct script_reader reader = { .found = ret, .files = ret_files };
	struct shell shell;

	memset(ret, 0, sizeof(*ret));
	if (ret_files)
		ret_files->count = 0;
	if (interpreter) {
		read_other_language(job, interpreter, ret, ret_files);
		return;
	}
	shell_open(&shell, job->script, size, job->arguments,
		   job->arguments_count);
	read_shell(&reader, &shell, 0);
}

void script_read_command(const struct submission *job,
			 struct script_result *ret,
			 struct file_arguments *ret_files)
{
	struct script_reader reader = { .found = ret, .files = ret_files };
	struct shell_command command = { .count = 0 };
	struct shell shell;

	memset(ret, 0, sizeof(*ret));
	if (ret_files)
		ret_files->count = 0;
	if (!job->arguments_count)
		return;
	shell_open(&shell, "", 0, NULL, 0);
	for (size_t i = 0; i < job->arguments_count; i++)
		command.words[command.count++] = job->arguments[i];
	read_command(&reader, &shell, &command, 0);
}
