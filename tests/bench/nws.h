/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nws.h - the forecasters of the Network Weather Service
 *
 * Eighteen primary methods; sixteen selectors, each of which takes the primary
 * with the least squared or absolute error lately; and of the selectors the one
 * with the least error so far.  One step ahead only.  A baseline for other
 * forecasts.
 *
 * [1] R. Wolski, N. Spring, J. Hayes: The Network Weather Service, Future
 *     Generation Computer Systems 15 (1999) 757-768.
 */
#pragma once

#include "predictor/forecast/forecaster.h"

#define NWS_METHODS   18
#define NWS_ERRORS    100 /* kept of each method */
#define NWS_SELECTORS 8   /* of each kind */

enum nws_kind { NWS_ABSOLUTE, NWS_SQUARED, NWS_KINDS };

extern const struct forecaster nws_methods[]; /* ends without a name */

/* All zero: no values yet. */
struct nws {
	struct past past;
	double states[NWS_METHODS][2];

	double forecasts[NWS_METHODS]; /* of the next value */
	double errors_sum[NWS_KINDS][NWS_METHODS];
	float errors[NWS_METHODS][NWS_ERRORS]; /* a ring */
	unsigned int errors_seen;

	double selected[NWS_KINDS][NWS_SELECTORS];
	double selected_sum[NWS_KINDS][NWS_SELECTORS]; /* of their errors */
	int chosen[NWS_KINDS][NWS_SELECTORS];
};

/* Add a value.  -1, and nothing changed: it is not finite or too large. */
int nws_update(struct nws *nws, double value);

/* Return the next value, by the selectors of one kind.  NAN before the first
 * value.  *ret_method, unless NULL, is the primary that was chosen. */
double nws_forecast(const struct nws *nws, enum nws_kind kind,
		    const struct forecaster **ret_method);
