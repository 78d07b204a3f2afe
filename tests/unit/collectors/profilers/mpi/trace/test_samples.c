/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_samples.c - where a thread is, by the kernel's samples and by name */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/mpi/symbols.h"
#include "collectors/profilers/mpi/trace/samples.h"
#include "tests/unit/suite.h"

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static volatile double sum;

/* Most of the time is in the function itself, not in the clock.  They differ,
 * or the compiler makes one of them. */
#define BURN(name, add)                                                 \
	__attribute__((noinline)) static void name(double time_s)       \
	{                                                               \
		for (double end_s = cpu_s() + time_s; cpu_s() < end_s;) \
			for (int i = 0; i < 100000; i++)                \
				sum = sum + (add);                      \
	}
BURN(burn_much, 1)
BURN(burn_little, 2)
BURN(burn_in_mpi, 3)

static double time_of(const struct procedure_work of[], int count,
		      const char *name)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(of[i].name, name))
			return of[i].work_s;
	return 0;
}

START_TEST(test_work_by_function)
{
	struct procedure_work found[8];

	if (samples_begin(.001)) {
		puts("# the kernel refuses samples");
		return;
	}
	for (int i = 0; i < 10; i++) {
		burn_much(.06);
		burn_little(.02);
		samples_enter();
		burn_in_mpi(.04);
		samples_leave();
	}

	int count = samples_end(found, 8);

	ck_assert_int_ge(count, 2);
	ck_assert_str_eq(found[0].name, "burn_much");
	ck_assert_double_eq_tol(time_of(found, count, "burn_much"), .6, .1);
	ck_assert_double_eq_tol(time_of(found, count, "burn_little"), .2, .06);
	ck_assert_double_lt(time_of(found, count, "burn_in_mpi"), .03);
	ck_assert_int_eq(samples_end(found, 8), 0);
}
END_TEST

/* What does not fit the ring, two thirds, counts by what does; a second begin
 * is refused.  On a busy machine some samples fall on what reads the clock. */
START_TEST(test_ring_is_full)
{
	struct procedure_work found[2];
	double began_s = cpu_s();

	if (samples_begin(1e-4))
		return;
	ck_assert_int_eq(samples_begin(1e-4), -1);
	burn_much(.5);
	samples_enter();
	samples_leave();
	burn_much(.02);
	samples_enter();
	samples_leave();
	began_s = cpu_s() - began_s;
	ck_assert_int_ge(samples_end(found, 2), 1);
	ck_assert_double_eq_tol(found[0].work_s / began_s, 1, .25);
}
END_TEST

START_TEST(test_child_has_no_ring)
{
	int status;

	if (samples_begin(.001))
		return;

	pid_t child = fork();

	if (child == 0) {
		samples_enter();
		samples_leave();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(test_names)
{
	char names[4][24];
	const uintptr_t addresses[] = {
		(uintptr_t)&burn_little + 3,
		(uintptr_t)&snprintf,
		8,
		(uintptr_t)&samples_end,
	};

	symbols_name(addresses, 4, names[0], sizeof(names[0]),
		     sizeof(names[0]));
	ck_assert_str_eq(names[0], "burn_little");
	ck_assert_ptr_nonnull(strstr(names[1], "printf"));
	ck_assert_str_eq(names[2], "[unknown]");
	ck_assert_str_eq(names[3], "samples_end");
	symbols_name(addresses, 1, names[0], 5, 5);
	ck_assert_str_eq(names[0], "burn");
}
END_TEST

/* samples.c has one of that name, too. */
__attribute__((used)) static void forked(void)
{
}

START_TEST(test_find)
{
	struct symbol_place place;

	ck_assert_int_eq(symbols_find("burn_little", &place), SYMBOL_FOUND);
	ck_assert_uint_eq(place.address, (uintptr_t)&burn_little);
	ck_assert(!place.hooked);
	ck_assert_int_eq(symbols_find("samples_end", &place), SYMBOL_FOUND);
	ck_assert_uint_eq(place.address, (uintptr_t)&samples_end);
	/* A symbol of a library. */
	ck_assert_int_eq(symbols_find("mkdtemp", &place), SYMBOL_FOUND);
	ck_assert_uint_eq(place.address, (uintptr_t)&mkdtemp);
	/* Static ones of two files, both of which are linked. */
	ck_assert_int_eq(symbols_find("forked", &place), SYMBOL_SEVERAL);
	ck_assert_int_eq(symbols_find("burn_", &place), SYMBOL_ABSENT);
	ck_assert_int_eq(symbols_find("", &place), SYMBOL_ABSENT);
}
END_TEST

/* As compilers of C++ name them. */
#define NAMED(name, add)                                 \
	__attribute__((noinline)) static int name(int a) \
	{                                                \
		return a * (add);                        \
	}
NAMED(_ZN6miniFE8cg_solveIdEEvT_, 3)
NAMED(_ZN12_GLOBAL__N_14workEi, 5)
NAMED(_ZlsR1ARK1B, 7)
NAMED(_ZNK1FclEd, 11)
NAMED(_Zwrong, 13)

START_TEST(test_names_of_cpp)
{
	static const struct {
		int (*function)(int a);
		const char *name;
	} rows[] = {
		{ _ZN6miniFE8cg_solveIdEEvT_, "miniFE::cg_solve" },
		{ _ZN12_GLOBAL__N_14workEi, "work" },
		{ _ZlsR1ARK1B, "operator<<" },
		{ _ZNK1FclEd, "F::operator()" },
		{ _Zwrong, "_Zwrong" },
	};
	enum { COUNT = sizeof(rows) / sizeof(*rows) };
	uintptr_t addresses[COUNT];
	char names[COUNT][PROCEDURE_NAME_SIZE];
	bool known = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL);

	for (size_t i = 0; i < COUNT; i++)
		addresses[i] = (uintptr_t)rows[i].function;
	symbols_name(addresses, COUNT, names[0], sizeof(*names),
		     sizeof(*names));
	for (size_t i = 0; i < COUNT; i++)
		if (known)
			ck_assert_str_eq(names[i], rows[i].name);
		else
			ck_assert_msg(!strncmp(names[i], "_Z", 2), "%s",
				      names[i]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_work_by_function,
				       test_ring_is_full,
				       test_child_has_no_ring,
				       test_names,
				       test_names_of_cpp,
				       test_find,
				       NULL };

	return suite_run("samples", tests);
}
