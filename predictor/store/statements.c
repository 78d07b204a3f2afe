/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statements.c - the SQL of statements/, as statements.awk turns them into C */

#include "predictor/engine/store.h"
#include "predictor/store/schema.h"
#include "predictor/store/statements.h"

#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

#include "predictor/store/statements.inc"
