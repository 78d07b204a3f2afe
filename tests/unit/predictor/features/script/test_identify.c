/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_application.c - which application a submission runs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/identify.h"
#include "predictor/features/script/script.h"
#include "predictor/features/application.h"
#include "tests/unit/suite.h"

static struct submission job;
static struct application found;

static void setup(const char *script)
{
	submission_init(&job);
	job.name = "job_77";
	job.script = script;
	job.arguments[0] = "job.sh";
	job.arguments_count = 1;
}

static void add_argument(const char *text)
{
	job.arguments[job.arguments_count++] = text;
}

static void add_setting(const char *name, const char *value)
{
	job.settings[job.settings_count++] = (struct setting){ name, value };
}

/* "name n=1 ..." */
static const char *identify(void)
{
	static char text[2048];
	size_t used;

	application_identify(&job, &found);
	used = (size_t)snprintf(text, sizeof(text), "%s", found.name);
	for (int i = 0; i < found.parameters.count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " %s=%.15g",
					 found.parameters.of[i].name,
					 found.parameters.of[i].value);
	return text;
}

START_TEST(test_scripts)
{
	static const struct {
		const char *script, *application;
	} cases[] = {
		{ "#!/bin/bash\n#SBATCH -N 2\nmodule load x\ncd /x\n"
		  "hostname\nsrun ./nbody -n 8000 --steps=10\n",
		  "nbody n=8000 steps=10" },
		/* digits are masked, so that run_1234 and run_77 meet */
		{ "/opt/x9/run_1234.b5 3", "run_#.b# arg1=3" },
		{ "python3 train.py --lr 0.1", "python:train.py lr=0.1" },
		/* a launched program before any other, these before tools */
		{ "./prepare 1\nsrun ./solve 2\nsrun ./after 3",
		  "solve+after arg1=2 arg1.2=3" },
		{ "cp a b\n./solve 2\n./after 3",
		  "solve+after arg1=2 arg1.2=3" },
		{ "date\nsleep 7\n", "sleep arg1=7" },
		{ "cd x; echo y", "job_#" },
		{ "N=8000\nfor i in 1 2; do srun ./a -n $N; done",
		  "a loop.i=2 n=8000" },
		{ "cat >x <<EOF\nsrun ./no 1\nEOF\n./yes 2", "yes arg1=2" },
		{ "# srun ./no 1\n./yes 2", "yes arg1=2" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setup(cases[i].script);
		ck_assert_str_eq(identify(), cases[i].application);
	}
}
END_TEST

START_TEST(test_arguments_of_the_script)
{
	setup("./app \"$@\"");
	add_argument("8000");
	add_argument("--steps=5");
	ck_assert_str_eq(identify(), "app arg1=8000 steps=5");

	/* used by the command under another name: not a second time */
	setup("./app -n $1");
	add_argument("8000");
	add_argument("7");
	ck_assert_str_eq(identify(), "app arg2=7 n=8000");

	setup("./app -n ${N:-5}");
	add_argument("8000");
	ck_assert_str_eq(identify(), "app arg1=8000 n=5");
}
END_TEST

START_TEST(test_strength)
{
	static const char script[] = "#PREDICT n=2 m=2\n#PREDICT\tk=2\n"
				     "#PREDICTx n=9\n #PREDICT n=9\n"
				     "./app -n 1 -m 1 -k 1 -j 1\n";

	setup(script);
	ck_assert_str_eq(identify(), "app j=1 k=2 m=2 n=2");
	add_setting("PREDICT_n", "3");
	add_setting("PREDICT_m", "3");
	ck_assert_str_eq(identify(), "app j=1 k=2 m=3 n=3");
	add_setting("param", "n=4");
	add_setting("param", "x=4 y=5k bad z=bad =7");
	ck_assert_str_eq(identify(), "app j=1 k=2 m=3 n=4 x=4 y=5000");
	add_setting("mode", "n=9");
	add_setting("PREDICT_MODE", "advise");
	add_setting("PREDICT_", "9");
	ck_assert_str_eq(identify(), "app j=1 k=2 m=3 n=4 x=4 y=5000");
}
END_TEST

START_TEST(test_chosen_names)
{
	setup("#PREDICT application=lj-100\n./app 1");
	ck_assert_str_eq(identify(), "lj-100 arg1=1");
	add_setting("PREDICT_APPLICATION", "b 2\n\xff");
	ck_assert_str_eq(identify(), "b_2__ arg1=1");
	add_setting("param", "Application=c");
	ck_assert_str_eq(identify(), "c arg1=1");
	add_setting("param", "application=");
	ck_assert_str_eq(identify(), "b_2__ arg1=1");
}
END_TEST

START_TEST(test_the_strongest_have_room)
{
	char script[4096] = "./app";

	for (int i = 0; i < 30; i++)
		snprintf(script + strlen(script),
			 sizeof(script) - strlen(script), " -%c %d",
			 'a' + i % 26, i);
	setup(script);
	add_setting("param", "zz=1");
	identify();
	ck_assert_int_eq(found.parameters.count, PARAMETERS_MAX);
	ck_assert_ptr_nonnull(parameters_get(&found.parameters, "zz"));
}
END_TEST

START_TEST(test_without_script)
{
	setup(NULL);
	job.arguments[0] = "./app_5";
	add_argument("-n");
	add_argument("7");
	ck_assert_str_eq(identify(), "app_# n=7");

	setup(NULL);
	job.arguments[0] = "python";
	add_argument("a.py");
	ck_assert_str_eq(identify(), "python:a.py");

	setup(NULL);
	job.arguments_count = 0;
	ck_assert_str_eq(identify(), "job_#");
	job.name = NULL;
	ck_assert_str_eq(identify(), "unknown");
	job.name = "";
	ck_assert_str_eq(identify(), "unknown");
}
END_TEST

START_TEST(test_from_name)
{
	char name[300];

	application_from_name("lj 2024-12", &found);
	ck_assert_str_eq(found.name, "lj_#");
	ck_assert_int_eq(found.parameters.count, 0);
	application_from_name(NULL, &found);
	ck_assert_str_eq(found.name, "unknown");
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	application_from_name(name, &found);
	ck_assert_uint_eq(strlen(found.name), APPLICATION_NAME_SIZE - 1);
}
END_TEST

START_TEST(test_from_submit_line)
{
	static const struct {
		const char *line, *application;
	} cases[] = {
		{ "sbatch -n 8 --mem 4G run_7.sh 100 in.dat", "run_#.sh" },
		{ "/usr/bin/sbatch --parsable -D /x -J y /z/relax.sh",
		  "relax.sh" },
		{ "srun -n 4 --mpi=pmix ./heat2 -n 100", "heat#" },
		{ "salloc -N 2 mpirun ./heat2 -n 100", "heat#" },
		{ "sbatch -n 4 --wrap=srun ./heat2 -n 100", "heat#" },
		{ "sbatch --wrap cd x; srun ./heat2 -n 100", "heat#" },
		{ "sbatch -n 8 : -n 2 --mem 4G relax.sh 5", "relax.sh" },
		{ "srun -n 8 ./atm : -n 2 ./ocn 5", "atm+ocn" },
		{ "sbatch -n 8", "job_#" },
		{ "salloc -n 8", "job_#" },
		{ "qsub -n 8 x.sh", "job_#" },
		{ "", "job_#" },
		{ NULL, "job_#" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		application_from_submit_line(cases[i].line, "job_7", &found);
		ck_assert_str_eq(found.name, cases[i].application);
	}
	application_from_submit_line("sbatch run.sh 100 -n 5", "x", &found);
	ck_assert_int_eq(found.parameters.count, 2);
	application_from_submit_line("sbatch --wrap=./a -n 5", "x", &found);
	ck_assert_int_eq(found.parameters.count, 1);
	/* -W has no value with sbatch */
	application_from_submit_line(
		"sbatch -W --export=ALL,N=350,OMP_NUM_THREADS=4 heat.sh", "x",
		&found);
	ck_assert_str_eq(found.name, "heat.sh");
	ck_assert_int_eq(found.parameters.count, 1);
	ck_assert_double_eq(*parameters_get(&found.parameters, "N"), 350);
}
END_TEST

/* "LINE:RANK" of each command, with a '+' if it was chosen. */
static void note_step(void *context, const struct script_step *step)
{
	char *text = context;
	size_t used = strlen(text);

	snprintf(text + used, 256 - used, "%zu:%d%s ", step->line,
		 (int)step->rank, step->chosen ? "+" : "");
}

START_TEST(test_steps)
{
	static const char script[] = "#!/bin/bash\ncd x\n\nmkdir y\n"
				     "bash -c './a 3'\nsrun ./b 4\n"
				     "srun ./b 4\nsrun ./c 4\n";
	struct script_result result;
	char text[256] = "";

	setup(script);
	script_observe(&job, strlen(script), note_step, text, &result);
	ck_assert_str_eq(text, "2:0 4:1 0:6+ 5:1 6:7+ 7:7 8:7+ ");
	ck_assert_str_eq(result.command.name, "b+c");
}
END_TEST

START_TEST(test_script_is_read_so_far)
{
	char *script = malloc(SUBMISSION_SCRIPT_MAX + 100);

	ck_assert_ptr_nonnull(script);
	memset(script, '\n', SUBMISSION_SCRIPT_MAX);
	snprintf(script + SUBMISSION_SCRIPT_MAX, 100, "srun ./app\n");
	setup(script);
	ck_assert_str_eq(identify(), "job_#");
	memcpy(script + SUBMISSION_SCRIPT_MAX - 20, "srun ./app\n", 11);
	ck_assert_str_eq(identify(), "app");
	free(script);
}
END_TEST

START_TEST(test_traits)
{
	static const struct {
		const char *script, *traits;
	} cases[] = {
		{ "srun ./train --model=llama-7b --data /d/imagenet -n 4 "
		  "--lr 0.1 water.com --out=x.log",
		  "arg2=water.com data=imagenet model=llama-7b" },
		{ "export MODEL=vit\nexport OMP_PROC_BIND=close\n"
		  "export PRTE_MCA_prte_if_include=eth0\n"
		  "export DIR=/scratch/x\nsrun ./train",
		  "MODEL=vit" },
		{ "METHOD=CCSD ./qc", "METHOD=CCSD" },
		{ "#PREDICT dataset=coco n=7\nsrun ./a dataset=other",
		  "dataset=coco" },
		{ "mpirun ./cg.B.x", "name=cg.B.x" },
		{ "python3 run_512.py", "name=run_512.py" },
		{ "srun ./a --in=$UNKNOWN --log-to $SLURM_JOB_ID", "" },
		{ "srun ./gen one; srun ./solve --how=fast",
		  "arg1=one how=fast" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(cases[i].script);
		identify();
		ck_assert_str_eq(found.traits, cases[i].traits);
	}

	/* Options before lines before the command. */
	setup("#PREDICT a=lines b=lines\nsrun ./x --a=command --c=command");
	add_setting("param", "a=option");
	identify();
	ck_assert_str_eq(found.traits, "a=option b=lines c=command");

	application_from_name("job_77", &found);
	ck_assert_str_eq(found.traits, "name=job_77");
	application_from_submit_line(
		"sbatch --export=ALL,N=100,MODEL=vit run.sh --in=/x/a.dat 5",
		"j", &found);
	ck_assert_str_eq(found.traits, "MODEL=vit in=a.dat");
}
END_TEST

/* Variables of the submission's environment (job_environment.h). */
START_TEST(test_environment)
{
	setup("#!/bin/bash\nM=${M:-7}\nsrun ./app -n $N --model $MODEL $M\n");
	add_setting("env", "N=400");
	add_setting("env", "MODEL=vit");
	add_setting("export", "EPOCHS=3");
	add_setting("export", "DATA=coco");
	add_setting("export", "DB_PASSWORD=12345");
	ck_assert_str_eq(identify(), "app EPOCHS=3 arg2=7 n=400");
	ck_assert_str_eq(found.traits, "DATA=coco model=vit");

	/* The script's own value counts. */
	setup("#!/bin/bash\nN=5\nsrun ./app -n $N\n");
	add_setting("env", "N=400");
	ck_assert_str_eq(identify(), "app n=5");

	/* One that it does not have is a default's. */
	setup("#!/bin/bash\nsrun ./app -n ${N:-9}\n");
	ck_assert_str_eq(identify(), "app n=9");
	add_setting("env", "N=400");
	ck_assert_str_eq(identify(), "app n=400");
}
END_TEST

/* Neither a line of assignments nor many patterns take the square of their
 * size. */
START_TEST(test_long_texts)
{
	static char script[SUBMISSION_SCRIPT_MAX + 1];
	static const char *const pieces[] = {
		"y=", "#PREDICT a=b\n",           "${x%%*a*a}",
		"$#", "${x%%*[[[[[[[[[[[[[[[[a}", NULL
	};

	for (int i = 0; pieces[i]; i++) {
		size_t used = (size_t)sprintf(script, "cat <<E >f\n%s",
					      i ? "E\nx=aaaaaaaaaaaaaaaaaaaaa\n"
						: "");

		while (used + strlen(pieces[i]) < sizeof(script))
			used += (size_t)sprintf(script + used, "%s", pieces[i]);
		setup(script);
		for (int k = 0; k < 100; k++)
			identify();
	}
}
END_TEST

/* What is behind a long input is read. */
START_TEST(test_long_input)
{
	static char script[SUBMISSION_SCRIPT_MAX];
	size_t used = (size_t)sprintf(script, "#!/bin/bash\ncat <<E >in\n");

	for (int i = 0; used < sizeof(script) - 100; i++)
		used += (size_t)sprintf(script + used, "  x%d = %d.5,\n", i, i);
	sprintf(script + used, "E\nsrun ./app -n 5\n");
	setup(script);
	ck_assert(!strncmp(identify(), "app ", 4));
	ck_assert_double_eq(*parameters_get(&found.parameters, "n"), 5);

	used = (size_t)sprintf(script, "#!/bin/bash\ncat <<E >in\n");
	while (used < sizeof(script) - 100)
		used += (size_t)sprintf(script + used, "1.5\n");
	sprintf(script + used, "E\nsrun ./app -n 5\n");
	setup(script);
	ck_assert_str_eq(identify(), "app n=5");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_scripts,
		test_traits,
		test_steps,
		test_arguments_of_the_script,
		test_strength,
		test_chosen_names,
		test_the_strongest_have_room,
		test_without_script,
		test_from_name,
		test_from_submit_line,
		test_script_is_read_so_far,
		test_environment,
		test_long_texts,
		test_long_input,
		NULL,
	};

	return suite_run("application", tests);
}
