/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_path.c - figure 2 of [1] (header), with its holes mended
 *
 * Printed, a receiver that waited (Cs > Cr) for a message without time of the
 * procedure keeps Cr: there is no branch for rmtF = 0, and the path loses what
 * it waited for.  max(Cs - rmtF, Cr + rmtF) holds for all rmtF >= 0.
 * Printed, lastTime moves on in one branch only (line 19), so that time before
 * the message is counted twice if the procedure is active in the other.
 */
#include <math.h>

#include "predictor/trace/procedure_path.h"

void procedure_update(struct procedure_path *p, double now)
{
	p->original += now - p->last_update;
	p->longest += now - p->last_update; /* [1] 3, 13 */
	p->last_update = now;
}

void procedure_enter(struct procedure_path *p, double now)
{
	if (p->active)
		return;
	p->active = true;
	p->last_time = now;
}

void procedure_exit(struct procedure_path *p, double now)
{
	if (!p->active)
		return;
	p->active = false;
	p->F += now - p->last_time; /* [1] 32 */
}

struct procedure_message procedure_send(struct procedure_path *p, double now)
{
	procedure_update(p, now);
	if (p->active) {
		p->F += now - p->last_time; /* [1] 6 */
		p->last_time = now;
	}

	struct procedure_message message = { p->original, p->longest, p->F };

	p->longest -= p->F; /* [1] 9 */
	p->F = 0;
	return message;
}

void procedure_receive(struct procedure_path *p, double now,
		       const struct procedure_message *message)
{
	procedure_update(p, now);
	if (p->active)
		p->last_time = now;
	p->F = 0; /* [1] 16 */
	p->original = fmax(p->original, message->original);

	double Cr = p->longest;

	if (message->Cs > Cr) /* it waited */
		p->longest = fmax(message->Cs - message->rmtF,
				  Cr + message->rmtF); /* [1] 17-24 */
	else
		p->longest = Cr + message->rmtF; /* [1] 26 */
}
