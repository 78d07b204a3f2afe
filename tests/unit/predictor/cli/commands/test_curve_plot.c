/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_curve_plot.c - run time over the number of nodes, as an SVG */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/commands/curve_plot.h"
#include "tests/unit/suite.h"

/* T(n) = 40 + 1500 / n + 3 n: fastest on 22, worth having on fewer. */
static void make_curve(struct curve *ret, int n_min, int n_max)
{
	double first_s = 0, least_s = INFINITY, least = INFINITY;

	*ret = (struct curve){ 0 };
	for (int n = n_min; n <= n_max; n++) {
		struct curve_point *p = &ret->points[ret->count];

		p->n = n;
		p->median_s = 40 + 1500. / n + 3. * n;
		p->p90_s = 1.2 * p->median_s;
		if (n == n_min)
			first_s = n * p->median_s;
		p->efficiency = first_s / (n * p->median_s);
		if (p->median_s < least_s) {
			least_s = p->median_s;
			ret->fastest = ret->count;
		}
		if (p->median_s / p->efficiency < least) {
			least = p->median_s / p->efficiency;
			ret->worth = ret->count;
		}
		ret->count++;
	}
}

/* Free the result. */
static char *draw(const char *title, const struct curve *curve, int *ret_rc)
{
	const struct curve_plot plot = { title, 17, 2, 16, curve };
	struct sp_error err;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(file);
	*ret_rc = curve_plot_write(file, &plot, &err);
	fclose(file);
	return text;
}

static int count(const char *text, const char *word)
{
	int found = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		found++;
	return found;
}

/* Each pair of a polyline is within the charts. */
static void check_points(const char *text)
{
	while ((text = strstr(text, "points=\""))) {
		char *end;

		text += strlen("points=\"");
		while (*text != '"') {
			double x = strtod(text, &end);

			ck_assert_int_eq(*end, ',');

			double y = strtod(end + 1, &end);

			ck_assert(x >= 70 && x <= 760);
			ck_assert(y >= 120 && y <= 560);
			text = end + (*end == ' ');
		}
	}
}

START_TEST(test_marks)
{
	struct curve curve;
	int rc;

	make_curve(&curve, 1, 32);

	char *text = draw("mpirun nbody", &curve, &rc);

	ck_assert_int_eq(rc, 0);
	ck_assert_int_eq(strncmp(text, "<svg ", 5), 0);
	ck_assert_str_eq(text + strlen(text) - 7, "</svg>\n");
	ck_assert_ptr_nonnull(strstr(text, ">mpirun nbody<"));
	ck_assert_ptr_nonnull(strstr(text, "from 17 runs on 2 to 16<"));
	ck_assert_ptr_nonnull(strstr(text, ">fastest: 22 nodes, 2m54, "));
	ck_assert_ptr_nonnull(strstr(text, ">best: "));
	ck_assert_ptr_nonnull(strstr(text, ">100 %<"));
	ck_assert_int_eq(count(text, "class=\"dot\""), 32);
	check_points(text);
	free(text);
}
END_TEST

START_TEST(test_one_mark)
{
	struct curve curve;
	int rc;

	make_curve(&curve, 5, 5);

	char *text = draw("a", &curve, &rc);

	ck_assert_int_eq(rc, 0);
	ck_assert_ptr_nonnull(
		strstr(text, ">best and fastest: 5 nodes, 5m55, 100 %"));
	ck_assert_int_eq(count(text, "class=\"mark"), 1);
	ck_assert_ptr_null(strstr(text, "nan"));
	ck_assert_ptr_null(strstr(text, "inf"));
	free(text);
}
END_TEST

/* An application is named after what users write. */
START_TEST(test_hostile_title)
{
	struct curve curve;
	int rc;

	make_curve(&curve, 1, 4);

	char *text = draw("</text><script>\x1b&\"'", &curve, &rc);

	ck_assert_int_eq(rc, 0);
	ck_assert_ptr_null(strstr(text, "<script"));
	ck_assert_ptr_nonnull(strstr(text, "&#60;script&#62;&#63;&#38;"));
	free(text);
}
END_TEST

START_TEST(test_cannot_be_drawn)
{
	static const double bad[] = { 0, -1, NAN, INFINITY };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct curve curve;
		int rc;

		make_curve(&curve, 1, 4);
		curve.points[2].median_s = bad[i];

		char *text = draw("a", &curve, &rc);

		ck_assert_int_eq(rc, -1);
		ck_assert_str_eq(text, "");
		free(text);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_marks, test_one_mark,
				       test_hostile_title, test_cannot_be_drawn,
				       NULL };

	return suite_run("curve_plot", tests);
}
