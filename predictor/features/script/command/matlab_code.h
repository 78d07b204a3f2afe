/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matlab_code.h - the function that a line of MATLAB code runs
 *
 *	matlab -r "addpath lib; N = 2000; try, sim(N, 0.05); end; exit"
 *
 * runs `sim`, with N=2000 and arg2=0.05.
 */
#pragma once

#include "predictor/features/parameters.h"

#define MATLAB_NAME_SIZE 64

/* Return false if there is none; assignments may have been added to *set. */
bool matlab_code_read(const char *code, char ret_name[MATLAB_NAME_SIZE],
		      struct parameters *set);
