/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_features_gain.c - what it is worth to understand a job script
 *
 * usage: bench-features-gain
 *
 * Generates logs of job scripts whose run times follow from what is written in
 * them, times a log-normal noise, and replays each three times: with all that
 * script and options say; with the script's name and the user only; and with
 * all, where each script also has four texts that mean nothing (two of a few
 * words, one of many, one that is never the same).  Errors are mean absolute
 * errors over the mean run time.
 *
 *	features_gain  error with all, over that with the name; the worst kind
 *	features_harm  error with the useless texts, over that without them,
 *	               over all kinds
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/backtest.h"
#include "predictor/features/past_jobs.h"
#include "predictor/features/script/identify.h"
#include "tests/unit/random.h"

#define JOBS  400
#define SKIP  100 /* jobs that end before the first one that is measured */
#define SEEDS 6
#define USERS 3
#define NOISE 0.05 /* standard deviation of ln(run time) */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A job as it is submitted. */
struct sample {
	char before[256];  /* lines of the script before the command */
	char command[256]; /* with its arguments */
	char setting[64];  /* of --predict-param; empty: none */
	const char *gres, *features, *qos;
	uint32_t tasks;
	double runtime_s; /* without noise */
};

struct kind {
	const char *name;
	void (*make)(struct random *r, struct sample *ret);
};

enum understood { ALL, NAME_ONLY, ALL_AND_USELESS, UNDERSTOOD };

/* A text and the factor of the run time that goes with it. */
struct choice_of_text {
	const char *text;
	double factor;
};

static const struct choice_of_text *
choose(struct random *r, const struct choice_of_text of[], size_t count)
{
	return &of[random_below(r, count)];
}

#define CHOOSE(r, of) choose(r, of, COUNT(of))

/* A number of two digits that count, from low to high. */
static double choose_number(struct random *r, double low, double high)
{
	double value = low * pow(high / low, random_unit(r));
	double unit = pow(10, floor(log10(value)) - 1);

	return floor(value / unit) * unit;
}

__attribute__((format(printf, 2, 3))) static void
write_text(char ret[256], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(ret, 256, format, arguments);
	va_end(arguments);
}

/* --- Kinds ---------------------------------------------------------------- */

static void make_numbers(struct random *r, struct sample *s)
{
	double n = choose_number(r, 1000, 20000);
	double steps = choose_number(r, 10, 200);

	write_text(s->command, "srun ./heat -n %.0f --steps=%.0f", n, steps);
	s->runtime_s = 2e-6 * pow(n, 1.8) * steps;
}

static const struct choice_of_text models_of_text[] = {
	{ "bert", 1 }, { "vit", 3 }, { "gpt", 12 }, { "mixtral", 40 }
};
static const struct choice_of_text data_sets[] = { { "cifar", 1 },
						   { "coco", 4 },
						   { "imagenet", 15 } };

static void make_texts(struct random *r, struct sample *s)
{
	const struct choice_of_text *model = CHOOSE(r, models_of_text);
	const struct choice_of_text *data = CHOOSE(r, data_sets);

	write_text(s->command,
		   "srun python train.py --model=%s --dataset %s --lr 0.1",
		   model->text, data->text);
	s->runtime_s = 120 * model->factor * data->factor;
}

static void make_texts_and_numbers(struct random *r, struct sample *s)
{
	static const struct choice_of_text methods[] = {
		{ "HF", 1 }, { "DFT", 2.5 }, { "MP2", 7 }, { "CCSD", 25 }
	};
	static const struct choice_of_text bases[] = { { "sto-3g", 1 },
						       { "cc-pVDZ", 3 },
						       { "cc-pVTZ", 8 } };
	const struct choice_of_text *method = CHOOSE(r, methods);
	const struct choice_of_text *basis = CHOOSE(r, bases);
	double atoms = choose_number(r, 20, 60);

	s->tasks = 1u << random_below(r, 4);
	write_text(s->command, "srun ./qc method=%s basis=%s --atoms %.0f",
		   method->text, basis->text, atoms);
	s->runtime_s = 0.014 * method->factor * basis->factor *
		       pow(atoms, 2.5) / pow(s->tasks, 0.8);
}

static void make_classes(struct random *r, struct sample *s)
{
	static const struct choice_of_text classes[] = {
		{ "W", 1 }, { "A", 4 }, { "B", 25 }, { "C", 120 }
	};
	const struct choice_of_text *class = CHOOSE(r, classes);

	s->tasks = 1u << random_below(r, 5);
	write_text(s->command, "mpirun ./cg.%s.x", class->text);
	s->runtime_s = 150 * class->factor / pow(s->tasks, 0.7);
}

static void make_numbers_in_texts(struct random *r, struct sample *s)
{
	double size = choose_number(r, 100, 2000);

	write_text(s->command, "srun ./cfd mesh/wing_%.0f.vtk", size);
	s->runtime_s = 0.05 * pow(size, 1.5);
}

static void make_models_by_size(struct random *r, struct sample *s)
{
	static const double sizes[] = { 1, 3, 7, 8, 13, 34, 70 };
	double size = sizes[random_below(r, COUNT(sizes))];
	double batches = choose_number(r, 100, 2000);

	write_text(s->command,
		   "python finetune.py --model llama-%.0fb --max-steps %.0f",
		   size, batches);
	s->runtime_s = 0.3 * size * batches;
}

static void make_numbers_in_names(struct random *r, struct sample *s)
{
	double size = choose_number(r, 64, 1024);

	write_text(s->command, "srun ./lbm_%.0f", size);
	s->runtime_s = 1e-4 * pow(size, 2.3);
}

static void make_lists(struct random *r, struct sample *s)
{
	double x = choose_number(r, 20, 200), y = choose_number(r, 20, 200);
	double z = choose_number(r, 20, 200);

	write_text(s->command, "srun ./sim --dims %.0f,%.0f,%.0f", x, y, z);
	s->runtime_s = 1e-3 * x * y * z;
}

static void make_times(struct random *r, struct sample *s)
{
	int minutes = (int)choose_number(r, 10, 900);

	write_text(s->command, "srun ./md --until %02d:%02d:00", minutes / 60,
		   minutes % 60);
	s->runtime_s = 7.0 * minutes;
}

static void make_variables(struct random *r, struct sample *s)
{
	const struct choice_of_text *model = CHOOSE(r, models_of_text);
	double n = choose_number(r, 10, 300);

	write_text(s->before, "export MODEL=%s\nexport EPOCHS=%.0f",
		   model->text, n);
	write_text(s->command, "srun python train.py");
	s->runtime_s = 4 * n * model->factor;
}

static void make_directives(struct random *r, struct sample *s)
{
	const struct choice_of_text *data = CHOOSE(r, data_sets);
	double n = choose_number(r, 10, 300);

	write_text(s->before, "#PREDICT dataset=%s n=%.0f", data->text, n);
	write_text(s->command, "srun ./opaque");
	s->runtime_s = 10 * n * data->factor;
}

static void make_gpus(struct random *r, struct sample *s)
{
	static const struct choice_of_text cards[] = { { "gpu:a100:1", 10 },
						       { "gpu:a100:4", 2.8 },
						       { "gpu:h100:2", 2.5 },
						       { "gpu:t4:1", 60 } };
	const struct choice_of_text *card = CHOOSE(r, cards);
	double n = choose_number(r, 10, 100);

	s->gres = card->text;
	write_text(s->command, "srun ./train --epochs %.0f", n);
	s->runtime_s = 3 * n * card->factor;
}

static void make_constraints(struct random *r, struct sample *s)
{
	static const struct choice_of_text nodes[] = { { "genoa", 1 },
						       { "rome", 3 },
						       { "haswell", 9 } };
	const struct choice_of_text *node = CHOOSE(r, nodes);
	double n = choose_number(r, 1000, 9000);

	s->features = node->text;
	write_text(s->command, "srun ./heat -n %.0f", n);
	s->runtime_s = 0.1 * n * node->factor;
}

static void make_qos(struct random *r, struct sample *s)
{
	static const struct choice_of_text qos[] = { { "test", 1 },
						     { "normal", 30 } };
	const struct choice_of_text *which = CHOOSE(r, qos);

	s->qos = which->text;
	write_text(s->command, "srun ./model");
	s->runtime_s = 60 * which->factor;
}

static void make_sizes(struct random *r, struct sample *s)
{
	double bytes = choose_number(r, 1e6, 1e9);

	snprintf(s->setting, sizeof(s->setting), "size.arg1=%.0f", bytes);
	write_text(s->command, "srun ./sort input");
	s->runtime_s = 1e-5 * bytes;
}

static const struct kind kinds[] = {
	{ "numbers", make_numbers },
	{ "texts", make_texts },
	{ "texts and numbers", make_texts_and_numbers },
	{ "classes in names", make_classes },
	{ "numbers in file names", make_numbers_in_texts },
	{ "numbers in texts", make_models_by_size },
	{ "numbers in names", make_numbers_in_names },
	{ "lists", make_lists },
	{ "times", make_times },
	{ "variables", make_variables },
	{ "#PREDICT lines", make_directives },
	{ "GPUs", make_gpus },
	{ "constraints", make_constraints },
	{ "QOS", make_qos },
	{ "sizes of files", make_sizes },
};

/* --- Logs ----------------------------------------------------------------- */

static double gaussian(struct random *r)
{
	double u = 1 - random_unit(r);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * random_unit(r));
}

/* Texts that have nothing to do with the run time. */
static void add_useless(struct random *r, struct sample *s)
{
	static const char *const colors[] = { "red", "green", "blue" };
	static const char *const places[] = { "delft", "ulm", "bern", "graz",
					      "lund" };
	size_t used = strlen(s->command);
	size_t lines = strlen(s->before);

	snprintf(s->command + used, sizeof(s->command) - used,
		 " --color=%s --site %s --note=n%c%c%c%c",
		 colors[random_below(r, COUNT(colors))],
		 places[random_below(r, COUNT(places))],
		 (char)('a' + random_below(r, 26)),
		 (char)('a' + random_below(r, 26)),
		 (char)('a' + random_below(r, 26)),
		 (char)('a' + random_below(r, 26)));
	snprintf(s->before + lines, sizeof(s->before) - lines,
		 "\nexport OWNER=w%c", (char)('a' + random_below(r, 20)));
}

static void identify(const struct sample *s, struct application *ret)
{
	char script[768];
	struct submission job;

	snprintf(script, sizeof(script), "#!/bin/bash\n%s\n%s\n", s->before,
		 s->command);
	submission_init(&job);
	job.name = "job.sh";
	job.script = script;
	job.arguments[job.arguments_count++] = "job.sh";
	if (*s->setting)
		job.settings[job.settings_count++] =
			(struct setting){ "param", s->setting };
	application_identify(&job, ret);
}

static int add_job(struct past_jobs *jobs, const struct sample *s,
		   enum understood understood, uint32_t user, double *at_s,
		   double runtime_s, struct sp_error *err)
{
	bool all = understood != NAME_ONLY;
	struct application application;
	struct past_job job = {
		.subject = { .cluster = "bench",
			     .account = "",
			     .partition = "",
			     .qos = all ? s->qos : "",
			     .features = all ? s->features : "",
			     .gres = all ? s->gres : "",
			     .traits = application.traits,
			     .user_id = user,
			     .application = &application,
			     .nodes = 1,
			     .tasks = all ? s->tasks : 1,
			     .cpus = all ? s->tasks : 1,
			     .limit_s = 86400,
			     .submitted_at_s = *at_s },
		.outcome = { .job_id = (uint32_t)jobs->count + 1,
			     .end = OUTCOME_COMPLETED,
			     .started_at_s = *at_s,
			     .ended_at_s = *at_s + runtime_s },
	};

	if (all)
		identify(s, &application);
	else
		application_from_name("job.sh", &application);
	conditions_init(&job.before);
	/* Two or so run at a time. */
	*at_s += runtime_s / 2;
	return past_jobs_add(jobs, &job, err);
}

static int make_log(const struct kind *kind, uint64_t seed,
		    enum understood understood, struct past_jobs *ret,
		    struct sp_error *err)
{
	struct random r = { seed }, useless = { seed + 1000 };
	double at_s = 1e9;

	past_jobs_init(ret);
	for (int i = 0; i < JOBS; i++) {
		struct sample s = {
			.tasks = 1, .gres = "", .features = "", .qos = ""
		};
		uint32_t user = (uint32_t)random_below(&r, USERS);

		kind->make(&r, &s);
		if (understood == ALL_AND_USELESS)
			add_useless(&useless, &s);
		if (add_job(ret, &s, understood, user, &at_s,
			    fmax(1, round(s.runtime_s *
					  exp(NOISE * gaussian(&r)))),
			    err)) {
			past_jobs_clear(ret);
			return -1;
		}
	}
	return 0;
}

/* The error of the prediction over the mean run time, added to *error. */
static int measure_log(const struct kind *kind, uint64_t seed,
		       enum understood understood, double *error,
		       struct sp_error *err)
{
	const struct backtest_options options = { .skip = SKIP };
	struct past_jobs jobs;
	struct backtest b;
	struct measures m;
	int rc;

	if (make_log(kind, seed, understood, &jobs, err))
		return -1;
	rc = backtest_run(jobs.of, jobs.count, &options, &b, err);
	if (!rc) {
		rc = backtest_measure(&b, BACKTEST_CHOSEN, NULL, 0, &m, err);
		*error += m.mae;
		backtest_clear(&b);
	}
	past_jobs_clear(&jobs);
	return rc;
}

int main(void)
{
	double worst_gain = 0, ln_harm = 0;
	struct sp_error err;

	printf("%-24s %7s %7s %7s %7s %7s\n", "kind", "all", "name", "useless",
	       "gain", "harm");
	for (size_t k = 0; k < COUNT(kinds); k++) {
		double error[UNDERSTOOD] = { 0 };

		for (uint64_t seed = 1; seed <= SEEDS; seed++)
			for (int u = 0; u < UNDERSTOOD; u++)
				if (measure_log(&kinds[k], seed,
						(enum understood)u, &error[u],
						&err)) {
					fprintf(stderr, "%s\n", err.text);
					return 1;
				}

		double gain = error[ALL] / error[NAME_ONLY];
		double harm = error[ALL_AND_USELESS] / error[ALL];

		printf("%-24s %7.4f %7.4f %7.4f %7.3f %7.3f\n", kinds[k].name,
		       error[ALL] / SEEDS, error[NAME_ONLY] / SEEDS,
		       error[ALL_AND_USELESS] / SEEDS, gain, harm);
		worst_gain = fmax(worst_gain, gain);
		ln_harm += log(harm) / (double)COUNT(kinds);
	}
	printf("bar features_gain %.3f\n", worst_gain);
	printf("bar features_harm %.3f\n", exp(ln_harm));
	return 0;
}
