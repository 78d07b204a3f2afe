/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget.c - what each user, or address, may use of the server
 *
 * A row for each of the last users, found by a scan, under one lock.  When all
 * rows are used, that of the user who has been idle longest and has no body in
 * flight is taken.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/http/gate/budget.h"

const struct budget_reason budget_reasons[BUDGET_VERDICTS] = {
	[BUDGET_GRANTED] = { "none", "" },
	[BUDGET_REQUESTS] = { "requests",
			      "too many requests of this user; try again later "
			      "(UserRequests)" },
	[BUDGET_PREDICTIONS] = { "predictions", "too many predictions for this "
						"user; try again "
						"later (UserPredictions)" },
	[BUDGET_BODIES] = { "bodies",
			    "too many large requests of this user, or of all "
			    "users, at once; try again later (UserBodies)" },
	[BUDGET_ADDRESS] = { "address",
			     "too many requests without a credential from this "
			     "address; try again later (AddressRequests)" },
	[BUDGET_CPU] = { "cpu", "requests of this user took too much CPU time; "
				"try again later" },
};

struct budget_user {
	uint64_t id;       /* uid or address */
	double refilled_s; /* of the monotonic clock */
	double requests, predictions;
	double cpu_s; /* that it may use; < 0: it owes that */
	size_t body_bytes;
};

struct budget {
	struct budget_limits limits;
	struct ordered_lock lock; /* of all below */
	size_t body_bytes;        /* of all users */
	uint64_t verdicts[BUDGET_VERDICTS];
	size_t users_count;
	struct budget_user users[BUDGET_CLIENTS_MAX];
};

struct budget *budget_create(const struct budget_limits *limits)
{
	struct budget *budget = calloc(1, sizeof(*budget));

	if (!budget)
		return NULL;
	budget->limits = *limits;
	ordered_lock_init(&budget->lock, LOCK_BUDGET);
	return budget;
}

void budget_destroy(struct budget *budget)
{
	if (!budget)
		return;
	ordered_lock_destroy(&budget->lock);
	free(budget);
}

static struct budget_user *user_find(struct budget *budget, uint64_t client)
{
	for (size_t i = 0; i < budget->users_count; i++)
		if (budget->users[i].id == client)
			return &budget->users[i];
	return NULL;
}

/* Return a full row for a new user; NULL: all have bodies in flight. */
static struct budget_user *user_add(struct budget *budget, uint64_t client,
				    double now_s)
{
	struct budget_user *place = NULL;

	if (budget->users_count < BUDGET_CLIENTS_MAX)
		place = &budget->users[budget->users_count++];
	for (size_t i = 0; !place && i < budget->users_count; i++)
		if (!budget->users[i].body_bytes)
			place = &budget->users[i];
	if (!place)
		return NULL;
	for (struct budget_user *u = place;
	     u < budget->users + budget->users_count; u++)
		if (!u->body_bytes && u->refilled_s < place->refilled_s)
			place = u;
	*place = (struct budget_user){
		.id = client,
		.refilled_s = now_s,
		.requests = budget->limits.requests_per_s * BUDGET_BURST_S,
		.predictions =
			budget->limits.predictions_per_s * BUDGET_BURST_S,
		.cpu_s = BUDGET_CPU_BURST_S,
	};
	return place;
}

static double bucket_refill(double tokens, int per_s, double seconds)
{
	return fmin(tokens + per_s * seconds, per_s * BUDGET_BURST_S);
}

static void user_refill(struct budget *budget, struct budget_user *user,
			double now_s)
{
	const struct budget_limits *limits = &budget->limits;
	double seconds = fmax(now_s - user->refilled_s, 0);

	user->refilled_s = fmax(now_s, user->refilled_s);
	user->requests =
		bucket_refill(user->requests, limits->requests_per_s, seconds);
	user->predictions = bucket_refill(user->predictions,
					  limits->predictions_per_s, seconds);
	user->cpu_s = fmin(user->cpu_s + BUDGET_CPU_SHARE * seconds,
			   BUDGET_CPU_BURST_S);
}

/* The user pays for a request that is refused, too. */
static enum budget_verdict user_charge(struct budget *budget,
				       struct budget_user *user, double now_s,
				       int predictions, size_t body_bytes)
{
	const struct budget_limits *limits = &budget->limits;

	user_refill(budget, user, now_s);
	if (user->requests < 1)
		return BUDGET_REQUESTS;
	user->requests--;
	if (user->cpu_s < 0)
		return BUDGET_CPU;
	if (user->predictions < predictions)
		return BUDGET_PREDICTIONS;
	if (user->body_bytes + body_bytes > (size_t)limits->bodies_kib * 1024 ||
	    budget->body_bytes + body_bytes > BUDGET_ALL_BODIES)
		return BUDGET_BODIES;
	user->predictions -= predictions;
	user->body_bytes += body_bytes;
	budget->body_bytes += body_bytes;
	return BUDGET_GRANTED;
}

enum budget_verdict budget_take(struct budget *budget, uint64_t client,
				double now_s, int predictions,
				size_t body_bytes)
{
	enum budget_verdict verdict = BUDGET_BODIES;

	ORDERED_LOCK_HOLD(&budget->lock);

	struct budget_user *user = user_find(budget, client);

	if (!user)
		user = user_add(budget, client, now_s);
	if (user)
		verdict = user_charge(budget, user, now_s, predictions,
				      body_bytes);
	budget->verdicts[verdict]++;
	return verdict;
}

void budget_return(struct budget *budget, uint64_t client, size_t body_bytes)
{
	if (!body_bytes)
		return; /* the row may be another user's */
	ORDERED_LOCK_HOLD(&budget->lock);
	user_find(budget, client)->body_bytes -= body_bytes;
	budget->body_bytes -= body_bytes;
}

void budget_charge(struct budget *budget, uint64_t client, double cpu_s)
{
	ORDERED_LOCK_HOLD(&budget->lock);

	struct budget_user *user = user_find(budget, client);

	if (user) /* else its row went to another one */
		user->cpu_s -= cpu_s;
}

bool budget_is_spent(struct budget *budget, uint64_t client, double now_s)
{
	ORDERED_LOCK_HOLD(&budget->lock);

	struct budget_user *user = user_find(budget, client);

	if (user)
		user_refill(budget, user, now_s);
	return user && user->requests < 1;
}

uint64_t budget_count(struct budget *budget, enum budget_verdict verdict)
{
	ORDERED_LOCK_HOLD(&budget->lock);
	return budget->verdicts[verdict];
}
