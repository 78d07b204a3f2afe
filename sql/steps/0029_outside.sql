-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0029_outside.sql - why predictions are unlike the runs, or not bounded
--
-- Rows from before do not say.

ALTER TABLE predict.predictions
	ADD COLUMN outside text CHECK (octet_length(outside) < 72),
	ADD COLUMN unbounded integer NOT NULL DEFAULT 0
		CHECK (unbounded IN (0, 1)),
	ADD COLUMN unlike text
		CHECK (unlike IN ('last_runs', 'conditions', 'size', 'traits',
			'few', 'model')),
	ADD COLUMN unlike_runs bigint,
	ADD COLUMN unlike_shortest_s double precision,
	ADD COLUMN unlike_longest_s double precision;
COMMENT ON COLUMN predict.predictions.outside IS
	'What is outside of all runs of the application, for people: steps 3000, '
	'200 to 600 seen.';
COMMENT ON COLUMN predict.predictions.unbounded IS
	'1: it is so far outside that quantile_s and knots_s are no better than a '
	'guess.';
COMMENT ON COLUMN predict.predictions.unlike IS
	'Why median_s is not within .5 to 2 times all runs of the same application '
	'and parameters: the errors of the last runs; other load or links, size '
	'or traits; too few such runs; the model weighs other runs more.';
COMMENT ON COLUMN predict.predictions.unlike_runs IS
	'Number of the runs that it is unlike.';
COMMENT ON COLUMN predict.predictions.unlike_shortest_s IS
	'The shortest of these.';
COMMENT ON COLUMN predict.predictions.unlike_longest_s IS
	'The longest of these.';

-- As it was, with the new columns at the end.
CREATE OR REPLACE VIEW predict.prediction_details AS
SELECT p.prediction_id, p.stage, p.origin, p.made_at, p.mode,
	c.name AS cluster, p.user_id, p.account, p.partition, p.job_name,
	a.name AS application, p.nodes, p.tasks, p.cpus, p.memory_mb,
	p.limit_s, p.assumed_nodes, p.basis, p.model, p.median_s, p.quantile,
	p.quantile_s, p.runs, p.last_error, p.nodes_known, p.cpu_load,
	p.cpu_load_max, p.cpu_available, p.cpu_available_min,
	p.bandwidth_bps, p.latency_s, p.parameter_names, p.parameter_values,
	p.knots_s, p.evidence_job_ids, p.evidence_runtimes_s,
	p.evidence_weights, p.candidate_models, p.candidate_medians_s,
	p.rejected_nodes, p.rejected_s, p.qos, p.features, p.gres,
	p.evidence_level, p.evidence_runs, p.own_runs, p.judged, p.held,
	p.extrapolated, p.similar_runs, p.over_limit, p.traits,
	p.outside, p.unbounded, p.unlike, p.unlike_runs, p.unlike_shortest_s,
	p.unlike_longest_s
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
