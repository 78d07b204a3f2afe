/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_command_line.c - what a command executes */
#include <string.h>

#include "predictor/features/script/command/command_line.h"
#include "predictor/features/script/shell/shell_flow.h"
#include "tests/unit/suite.h"

static struct shell shell;
static struct shell_command command;
static struct command_line line;

static void read_line(const char *text)
{
	shell_open(&shell, text, strlen(text), NULL, 0);
	ck_assert(shell_next(&shell, &command));
	command_line_read(&command, &line);
}

START_TEST(test_looks_through)
{
	static const struct {
		const char *text, *executable, *argument;
		enum command_rank rank;
	} cases[] = {
		{ "./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "A=1 B= ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "srun ./app 5", "./app", "5", COMMAND_LAUNCHED },
		{ "srun -n 4 -N2 --mem 5G --gres=gpu:1 -l ./app 5", "./app",
		  "5", COMMAND_LAUNCHED },
		{ "srun --cpu-bind none -- ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "mpirun -np 4 --mca btl tcp,self --bind-to core -x A ./app 5",
		  "./app", "5", COMMAND_LAUNCHED },
		{ "/usr/bin/mpiexec.hydra -genv I_MPI 1 -ppn 2 ./app 5",
		  "./app", "5", COMMAND_LAUNCHED },
		{ "$PREDICT_IN_ORDER mpirun -np 4 ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "${PREDICT_IN_ORDER-} mpirun ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "time ${PREDICT_IN_ORDER:-} mpirun ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "do time -p env -u X A=1 nice -n 5 ./app 5", "./app", "5",
		  COMMAND_PROGRAM },
		{ "if ! timeout -k 5 10m srun ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "taskset -c 0-3 ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "taskset 0x3 ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "exec nohup ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "perf stat -e cycles ./app 5", "./app", "5",
		  COMMAND_PROGRAM },
		{ "perf stat -c ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "perf stat -d ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "py-spy record -d 10 ./app 5", "./app", "5",
		  COMMAND_PROGRAM },
		{ "aprun -b -n 16 ./app 5", "./app", "5", COMMAND_LAUNCHED },
		{ "likwid-mpirun -d -np 4 ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "likwid-pin -i -c 0-3 ./app 5", "./app", "5",
		  COMMAND_PROGRAM },
		{ "dplace -e -c 0-3 ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "ltrace -S ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "exec -c ./app 5", "./app", "5", COMMAND_PROGRAM },
		{ "perf report 5", "perf", "report", COMMAND_PROGRAM },
		{ "apptainer exec --nv -B /x i.sif ./app 5", "./app", "5",
		  COMMAND_PROGRAM },
		{ "apptainer run --nv i.sif 5", "i.sif", "5", COMMAND_PROGRAM },
		{ "mpirun -np 2 apptainer exec i.sif ./app 5", "./app", "5",
		  COMMAND_LAUNCHED },
		{ "sleep 5", "sleep", "5", COMMAND_TOOL },
		{ "srun hostname 5", "hostname", "5", COMMAND_TRIVIAL },
		{ "./sort 5", "./sort", "5", COMMAND_PROGRAM },
		{ "/bin/sleep 5", "/bin/sleep", "5", COMMAND_TOOL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		read_line(cases[i].text);
		ck_assert_msg(line.rank == cases[i].rank, "%s: rank %d",
			      cases[i].text, line.rank);
		ck_assert_str_eq(line.executable, cases[i].executable);
		ck_assert_ptr_null(line.script);
		ck_assert_str_eq(command.words[line.first_argument],
				 cases[i].argument);
	}
}
END_TEST

START_TEST(test_interpreters)
{
	static const struct {
		const char *text, *executable, *script;
		int arguments;
		enum command_rank rank;
	} cases[] = {
		{ "python train.py 1 2", "python", "train.py", 2,
		  COMMAND_PROGRAM },
		{ "/usr/bin/python3.11 -u -W ignore x/train.py 1", "python",
		  "x/train.py", 1, COMMAND_PROGRAM },
		{ "srun python -m pkg.train --lr 1", "python", "pkg.train", 2,
		  COMMAND_LAUNCHED },
		{ "python -c 'code' 5", NULL, NULL, 1, COMMAND_UNKNOWN },
		{ "python - 5", NULL, NULL, 1, COMMAND_UNKNOWN },
		{ "python", NULL, NULL, 0, COMMAND_UNKNOWN },
		{ "python -c", NULL, NULL, 0, COMMAND_UNKNOWN },
		{ "java -Xmx4g -cp a:b Main 7", "java", "Main", 1,
		  COMMAND_PROGRAM },
		{ "java -jar x.jar 7", "java", "x.jar", 1, COMMAND_PROGRAM },
		{ "Rscript --vanilla fit.R 7", "R", "fit.R", 1,
		  COMMAND_PROGRAM },
		{ "R CMD BATCH fit.R", "R", "fit.R", 0, COMMAND_PROGRAM },
		{ "bash -l run.sh 7", "bash", "run.sh", 1, COMMAND_PROGRAM },
		{ "bash", "bash", NULL, 0, COMMAND_TRIVIAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		read_line(cases[i].text);
		ck_assert_msg(line.rank == cases[i].rank, "%s: rank %d",
			      cases[i].text, line.rank);
		ck_assert_pstr_eq(line.executable, cases[i].executable);
		ck_assert_pstr_eq(line.script, cases[i].script);
		ck_assert_int_eq(command.count - line.first_argument,
				 cases[i].arguments);
	}
}
END_TEST

START_TEST(test_no_commands)
{
	static const char *const texts[] = {
		"cd /x",          "module load y",
		"echo 5",         "[ -f x ]",
		"done",           "then",
		"srun",           "srun -n 4",
		"srun -n",        "env A=1",
		"mpirun --mca a", "-f foo ]]",
		"b ]]",           "x/",
		"apptainer exec", "timeout 5",
		"A=1 cd x",       "let x=1",
		". ./env.sh",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		read_line(texts[i]);
		ck_assert_msg(line.rank == COMMAND_NONE, "%s: rank %d",
			      texts[i], line.rank);
	}
}
END_TEST

START_TEST(test_basename)
{
	ck_assert_str_eq(command_basename("a"), "a");
	ck_assert_str_eq(command_basename("/x/y/a"), "a");
	ck_assert_str_eq(command_basename("x/"), "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_looks_through, test_interpreters,
				       test_no_commands, test_basename, NULL };

	return suite_run("command_line", tests);
}
