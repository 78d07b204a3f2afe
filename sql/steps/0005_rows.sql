-- 0005_rows.sql - a run is one row, a prediction one row for each stage
--
-- Parameters, conditions, candidates and evidence lay in tables of their own:
-- an index entry and a join for each, at every write and at every start of
-- predictd.  Now they are columns; views with the old names unnest them.  A
-- prediction is made twice, at the submission and at the start.

DROP VIEW predict.accuracy_by_model, predict.accuracy_by_application,
	predict.accuracy_by_month, predict.recent_runs, predict.running,
	predict.prediction_outcomes, predict.prediction_details,
	predict.run_details;

-- --- Runs ---------------------------------------------------------------------

ALTER TABLE predict.runs
	ADD nodes_known       integer NOT NULL DEFAULT 0,
	ADD cpu_load          double precision,
	ADD cpu_load_max      double precision,
	ADD cpu_available     double precision,
	ADD cpu_available_min double precision,
	ADD bandwidth_bps     double precision,
	ADD latency_s         double precision,
	ADD parameter_names   text[],
	ADD parameter_values  double precision[];

UPDATE predict.runs r SET
	nodes_known = coalesce(x.nodes_known, 0), cpu_load = x.cpu_load,
	cpu_load_max = x.cpu_load_max, cpu_available = x.cpu_available,
	cpu_available_min = x.cpu_available_min,
	bandwidth_bps = x.bandwidth_bps, latency_s = x.latency_s,
	parameter_names = x.names, parameter_values = x.numbers
FROM (SELECT * FROM predict.run_conditions
	FULL JOIN (SELECT run_id,
			array_agg(name ORDER BY name COLLATE "C") AS names,
			array_agg(value ORDER BY name COLLATE "C") AS numbers
		FROM predict.run_parameters GROUP BY run_id) p USING (run_id)
	) x
WHERE x.run_id = r.run_id AND (x.names IS NOT NULL OR x.nodes_known > 0);

DROP TABLE predict.run_parameters, predict.run_conditions;

ALTER TABLE predict.runs
	ADD CHECK (cardinality(parameter_names)
		= cardinality(parameter_values));

COMMENT ON COLUMN predict.runs.nodes_known IS
	'How many of its nodes had been measured just before it started.';
COMMENT ON COLUMN predict.runs.cpu_load IS
	'Foreign processes that wanted a CPU then, mean over its nodes; '
	'here as in what follows NULL is unknown.';
COMMENT ON COLUMN predict.runs.cpu_load_max IS
	'The same on the most loaded node.';
COMMENT ON COLUMN predict.runs.cpu_available IS
	'Share of a CPU that a new process got, 0 to 1, mean over its nodes.';
COMMENT ON COLUMN predict.runs.cpu_available_min IS
	'The same on the least available node.';
COMMENT ON COLUMN predict.runs.bandwidth_bps IS
	'Bits per second, mean over its links.';
COMMENT ON COLUMN predict.runs.latency_s IS 'Seconds, mean over its links.';
COMMENT ON COLUMN predict.runs.parameter_names IS
	'Names of the numbers that the user gave, sorted; NULL: none.';
COMMENT ON COLUMN predict.runs.parameter_values IS
	'These numbers, in the application''s own units.';

-- --- Predictions ----------------------------------------------------------------

ALTER TABLE predict.predictions
	ADD stage              text NOT NULL DEFAULT 'submission'
			       CHECK (stage IN ('submission', 'start')),
	ADD memory_mb          double precision NOT NULL DEFAULT 0,
	ADD parameter_names    text[],
	ADD parameter_values   double precision[],
	ADD knots_s            real[],
	ADD evidence_job_ids   bigint[],
	ADD evidence_runtimes_s real[],
	ADD evidence_weights   real[],
	ADD candidate_models   text[],
	ADD candidate_medians_s double precision[];

UPDATE predict.predictions o SET
	parameter_names = x.names, parameter_values = x.numbers,
	candidate_models = x.models, candidate_medians_s = x.medians
FROM ((SELECT prediction_id,
		array_agg(name ORDER BY name COLLATE "C") AS names,
		array_agg(value ORDER BY name COLLATE "C") AS numbers
	FROM predict.prediction_parameters GROUP BY prediction_id) p
FULL JOIN (SELECT prediction_id,
		array_agg(model ORDER BY position) AS models,
		array_agg(median_s ORDER BY position) AS medians
	FROM predict.prediction_candidates GROUP BY prediction_id) k
	USING (prediction_id)) x
WHERE x.prediction_id = o.prediction_id;

DROP TABLE predict.prediction_parameters, predict.prediction_candidates;

ALTER TABLE predict.predictions
	ALTER stage DROP DEFAULT,
	DROP CONSTRAINT predictions_pkey,
	ADD PRIMARY KEY (prediction_id, stage),
	ADD CHECK (cardinality(parameter_names)
		= cardinality(parameter_values)),
	ADD CHECK (cardinality(evidence_job_ids)
		= cardinality(evidence_runtimes_s)
		AND cardinality(evidence_job_ids)
		= cardinality(evidence_weights)),
	ADD CHECK (cardinality(candidate_models)
		= cardinality(candidate_medians_s));

COMMENT ON TABLE predict.predictions IS
	'What was predicted, for which job, and what it rested on; one row '
	'for each stage.';
COMMENT ON COLUMN predict.predictions.stage IS
	'submission: on nodes assumed; start: again, on the nodes given.';
COMMENT ON COLUMN predict.predictions.memory_mb IS
	'Memory asked for over all nodes in MiB; 0: not given.';
COMMENT ON COLUMN predict.predictions.parameter_names IS
	'Names of the numbers that the user gave, sorted; NULL: none.';
COMMENT ON COLUMN predict.predictions.parameter_values IS
	'These numbers, in the application''s own units.';
COMMENT ON COLUMN predict.predictions.knots_s IS
	'Quantiles of the run time in seconds at 0.01 0.02 0.05 0.1 0.15 0.2 '
	'0.25 0.3 0.4 0.45 0.5 0.55 0.6 0.7 0.75 0.8 0.85 0.9 0.95 0.98 0.99; '
	'NULL: unknown.';
COMMENT ON COLUMN predict.predictions.evidence_job_ids IS
	'Job ids of the finished runs of most weight.';
COMMENT ON COLUMN predict.predictions.evidence_runtimes_s IS
	'Their run times in seconds.';
COMMENT ON COLUMN predict.predictions.evidence_weights IS
	'Their shares of the answer, 0 to 1.';
COMMENT ON COLUMN predict.predictions.candidate_models IS
	'The models that were asked.';
COMMENT ON COLUMN predict.predictions.candidate_medians_s IS
	'The median that each gave in seconds; NULL: it had no answer.';
