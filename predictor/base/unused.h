/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unused.h - a parameter that one function of a table does not need */
#pragma once

#define UNUSED __attribute__((unused))
