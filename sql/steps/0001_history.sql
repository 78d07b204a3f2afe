-- 0001_history.sql - the history: runs, predictions, measurements
--
-- Applied by `predictd --migrate` as the owner of the schema, in one
-- transaction.  All times are timestamptz, all spans double precision
-- seconds.  Texts are bounded as the programs bound them, so that what is
-- stored can always be read back.

CREATE SCHEMA predict;
COMMENT ON SCHEMA predict IS
	'History of slurm-predict: see slurm-predict-sql(7).';

CREATE TABLE predict.schema_steps (
	step       integer PRIMARY KEY CHECK (step > 0),
	name       text NOT NULL,
	applied_at timestamptz NOT NULL DEFAULT now(),
	checksum   text NOT NULL
);
COMMENT ON TABLE predict.schema_steps IS
	'Steps of sql/ that this database has been through.';
COMMENT ON COLUMN predict.schema_steps.step IS 'Number of the step, from 1.';
COMMENT ON COLUMN predict.schema_steps.name IS 'Name of its file.';
COMMENT ON COLUMN predict.schema_steps.applied_at IS 'When it was committed.';
COMMENT ON COLUMN predict.schema_steps.checksum IS 'MD5 of its text.';

-- --- Names ------------------------------------------------------------------

CREATE TABLE predict.clusters (
	cluster_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name       text NOT NULL UNIQUE CHECK (length(name) < 64)
);
COMMENT ON TABLE predict.clusters IS 'Slurm clusters.';
COMMENT ON COLUMN predict.clusters.cluster_id IS 'Number of the cluster here.';
COMMENT ON COLUMN predict.clusters.name IS 'ClusterName of slurm.conf.';

CREATE TABLE predict.applications (
	application_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name           text NOT NULL UNIQUE CHECK (length(name) < 96)
);
COMMENT ON TABLE predict.applications IS
	'What makes runs alike: the command with numbers and paths masked.';
COMMENT ON COLUMN predict.applications.application_id IS 'Number here.';
COMMENT ON COLUMN predict.applications.name IS 'Name of the application.';

CREATE TABLE predict.nodes (
	node_id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	cluster_id integer NOT NULL REFERENCES predict.clusters,
	name       text NOT NULL CHECK (length(name) < 64),
	UNIQUE (cluster_id, name)
);
COMMENT ON TABLE predict.nodes IS 'Nodes that ran or measured something.';
COMMENT ON COLUMN predict.nodes.node_id IS 'Number of the node here.';
COMMENT ON COLUMN predict.nodes.cluster_id IS 'Its cluster.';
COMMENT ON COLUMN predict.nodes.name IS 'NodeName of slurm.conf.';

-- --- Runs ---------------------------------------------------------------------

CREATE DOMAIN predict.run_state AS text CHECK (VALUE IN (
	'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT',
	'OUT_OF_MEMORY', 'NODE_FAIL', 'PREEMPTED', 'REQUEUED', 'LOST'));
COMMENT ON DOMAIN predict.run_state IS
	'State of a run in Slurm''s words; LOST: it ended, nobody knows how.';

-- How much a state says: a report changes a stored run only if it says more.
CREATE FUNCTION predict.state_rank(state text) RETURNS integer
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	AS $$ SELECT CASE state
		WHEN 'RUNNING' THEN 0 WHEN 'LOST' THEN 1 ELSE 2 END $$;
COMMENT ON FUNCTION predict.state_rank(text) IS
	'0 RUNNING, 1 LOST, 2 any known end.';

-- Numbers are drawn under an advisory lock that is held until the commit, so
-- that they become visible in their order: who has seen N has seen all below.
CREATE SEQUENCE predict.run_changes AS bigint;
COMMENT ON SEQUENCE predict.run_changes IS 'Numbers of runs.change.';

CREATE TABLE predict.runs (
	run_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	change         bigint NOT NULL,
	cluster_id     integer NOT NULL REFERENCES predict.clusters,
	application_id integer NOT NULL REFERENCES predict.applications,
	job_id         bigint NOT NULL,
	array_job_id   bigint NOT NULL,
	array_task_id  bigint NOT NULL,
	user_id        bigint NOT NULL,
	user_name      text NOT NULL CHECK (length(user_name) < 64),
	account        text NOT NULL CHECK (length(account) < 64),
	partition      text NOT NULL CHECK (length(partition) < 64),
	job_name       text NOT NULL CHECK (length(job_name) < 64),
	prediction_id  text CHECK (length(prediction_id) BETWEEN 1 AND 16),
	nodes          bigint NOT NULL,
	tasks          bigint NOT NULL,
	cpus           bigint NOT NULL,
	memory_mb      double precision,
	limit_s        double precision,
	node_list      text NOT NULL CHECK (length(node_list) < 1024),
	submitted_at   timestamptz,
	started_at     timestamptz NOT NULL,
	ended_at       timestamptz,
	state          predict.run_state NOT NULL,
	exit_code      integer NOT NULL,
	exit_signal    integer NOT NULL,
	UNIQUE (cluster_id, job_id, started_at),
	CHECK (ended_at >= started_at),
	CHECK (CASE state WHEN 'RUNNING' THEN ended_at IS NULL
			  WHEN 'LOST' THEN true
			  ELSE ended_at IS NOT NULL END)
);
CREATE UNIQUE INDEX runs_change ON predict.runs (change);
CREATE INDEX runs_ended ON predict.runs
	((coalesce(ended_at, started_at)), run_id) WHERE state <> 'RUNNING';
CREATE INDEX runs_running ON predict.runs (started_at)
	WHERE state = 'RUNNING';
CREATE INDEX runs_prediction ON predict.runs (prediction_id)
	WHERE prediction_id IS NOT NULL;
CREATE INDEX runs_application ON predict.runs (application_id);

COMMENT ON TABLE predict.runs IS
	'One row for each execution of a job, under way or finished.';
COMMENT ON COLUMN predict.runs.run_id IS 'Number of the run here.';
COMMENT ON COLUMN predict.runs.change IS
	'Grows with each change of any run, in the order of commits.';
COMMENT ON COLUMN predict.runs.cluster_id IS 'Cluster that ran it.';
COMMENT ON COLUMN predict.runs.application_id IS 'Application that ran.';
COMMENT ON COLUMN predict.runs.job_id IS 'Slurm''s job id.';
COMMENT ON COLUMN predict.runs.array_job_id IS
	'Job id of the array it belongs to; 0: none.';
COMMENT ON COLUMN predict.runs.array_task_id IS
	'Task in that array, if array_job_id is not 0.';
COMMENT ON COLUMN predict.runs.user_id IS 'Uid of the user.';
COMMENT ON COLUMN predict.runs.user_name IS 'Name of the user.';
COMMENT ON COLUMN predict.runs.account IS 'Account charged.';
COMMENT ON COLUMN predict.runs.partition IS 'Partition that it ran in.';
COMMENT ON COLUMN predict.runs.job_name IS 'Name that the user gave the job.';
COMMENT ON COLUMN predict.runs.prediction_id IS
	'Prediction made for it, which may be unknown here; NULL: none.';
COMMENT ON COLUMN predict.runs.nodes IS 'Nodes that it ran on, a count.';
COMMENT ON COLUMN predict.runs.tasks IS 'Tasks asked for, a count.';
COMMENT ON COLUMN predict.runs.cpus IS 'CPUs given, a count.';
COMMENT ON COLUMN predict.runs.memory_mb IS
	'Memory asked for over all nodes in MiB; 0: unknown.';
COMMENT ON COLUMN predict.runs.limit_s IS
	'Time limit in seconds; Infinity: none; NULL: unknown.';
COMMENT ON COLUMN predict.runs.node_list IS 'Its nodes as a hostlist.';
COMMENT ON COLUMN predict.runs.submitted_at IS 'Time of the submission.';
COMMENT ON COLUMN predict.runs.started_at IS
	'Time of the start, as slurmctld gives it.';
COMMENT ON COLUMN predict.runs.ended_at IS
	'Time of the end; NULL: still running, or LOST and not known.';
COMMENT ON COLUMN predict.runs.state IS 'How far it came.';
COMMENT ON COLUMN predict.runs.exit_code IS
	'Exit code of the batch script, 0 to 255.';
COMMENT ON COLUMN predict.runs.exit_signal IS
	'Signal that ended the batch script; 0: none.';

CREATE TABLE predict.run_parameters (
	run_id bigint NOT NULL REFERENCES predict.runs ON DELETE CASCADE,
	name   text NOT NULL CHECK (length(name) < 32),
	value  double precision NOT NULL,
	PRIMARY KEY (run_id, name)
);
COMMENT ON TABLE predict.run_parameters IS
	'Numbers that the user gave to the application of a run.';
COMMENT ON COLUMN predict.run_parameters.run_id IS 'The run.';
COMMENT ON COLUMN predict.run_parameters.name IS 'Name of the parameter.';
COMMENT ON COLUMN predict.run_parameters.value IS
	'Its value, in the application''s own unit.';

CREATE TABLE predict.run_conditions (
	run_id            bigint PRIMARY KEY
			  REFERENCES predict.runs ON DELETE CASCADE,
	nodes_known       integer NOT NULL,
	cpu_load          double precision,
	cpu_load_max      double precision,
	cpu_available     double precision,
	cpu_available_min double precision,
	bandwidth_bps     double precision,
	latency_s         double precision
);
COMMENT ON TABLE predict.run_conditions IS
	'State of the nodes of a run just before it started; NULL: unknown.';
COMMENT ON COLUMN predict.run_conditions.run_id IS 'The run.';
COMMENT ON COLUMN predict.run_conditions.nodes_known IS
	'How many of its nodes had been measured of late.';
COMMENT ON COLUMN predict.run_conditions.cpu_load IS
	'Foreign processes that want a CPU, mean over its nodes.';
COMMENT ON COLUMN predict.run_conditions.cpu_load_max IS
	'The same on the most loaded node.';
COMMENT ON COLUMN predict.run_conditions.cpu_available IS
	'Share of a CPU that a new process gets, 0 to 1, mean over its nodes.';
COMMENT ON COLUMN predict.run_conditions.cpu_available_min IS
	'The same on the least available node.';
COMMENT ON COLUMN predict.run_conditions.bandwidth_bps IS
	'Bits per second, mean over its links.';
COMMENT ON COLUMN predict.run_conditions.latency_s IS
	'Seconds, mean over its links.';

-- A share may arrive before its run does, so it names the job, not the run;
-- the view run_nodes brings them together.
CREATE TABLE predict.run_shares (
	share_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	cluster_id     integer NOT NULL REFERENCES predict.clusters,
	job_id         bigint NOT NULL,
	node_id        integer NOT NULL REFERENCES predict.nodes,
	started_at     timestamptz NOT NULL,
	ended_at       timestamptz NOT NULL,
	cpu_s          double precision,
	peak_memory_mb double precision,
	exit_code      integer NOT NULL,
	exit_signal    integer NOT NULL,
	tasks          bigint NOT NULL,
	UNIQUE (cluster_id, job_id, node_id, started_at)
);
COMMENT ON TABLE predict.run_shares IS
	'What each node saw of a run; the view run_nodes knows which run.';
COMMENT ON COLUMN predict.run_shares.share_id IS 'Number of the share here.';
COMMENT ON COLUMN predict.run_shares.cluster_id IS 'Cluster of the node.';
COMMENT ON COLUMN predict.run_shares.job_id IS 'Slurm''s job id.';
COMMENT ON COLUMN predict.run_shares.node_id IS 'The node.';
COMMENT ON COLUMN predict.run_shares.started_at IS
	'First start on the node, by its clock.';
COMMENT ON COLUMN predict.run_shares.ended_at IS
	'Last end on the node, by its clock.';
COMMENT ON COLUMN predict.run_shares.cpu_s IS
	'User and system time of its processes in seconds; NULL: unknown.';
COMMENT ON COLUMN predict.run_shares.peak_memory_mb IS
	'Most memory at one moment in MiB; NULL: unknown.';
COMMENT ON COLUMN predict.run_shares.exit_code IS
	'Highest exit code of its tasks.';
COMMENT ON COLUMN predict.run_shares.exit_signal IS
	'Highest signal that ended one of its tasks; 0: none.';
COMMENT ON COLUMN predict.run_shares.tasks IS 'Tasks whose end was seen.';

-- --- Predictions ----------------------------------------------------------------

CREATE TABLE predict.predictions (
	prediction_id     text PRIMARY KEY
			  CHECK (length(prediction_id) BETWEEN 1 AND 16),
	origin            bigint NOT NULL,
	made_at           timestamptz NOT NULL,
	mode              text NOT NULL CHECK (mode IN
			  ('off', 'observe', 'advise', 'act')),
	cluster_id        integer NOT NULL REFERENCES predict.clusters,
	user_id           bigint NOT NULL,
	account           text NOT NULL CHECK (length(account) < 64),
	partition         text NOT NULL CHECK (length(partition) < 64),
	job_name          text NOT NULL CHECK (length(job_name) < 64),
	application_id    integer NOT NULL REFERENCES predict.applications,
	nodes             bigint NOT NULL,
	tasks             bigint NOT NULL,
	cpus              bigint NOT NULL,
	limit_s           double precision,
	assumed_nodes     text NOT NULL CHECK (length(assumed_nodes) < 1024),
	nodes_known       integer NOT NULL,
	cpu_load          double precision,
	cpu_load_max      double precision,
	cpu_available     double precision,
	cpu_available_min double precision,
	bandwidth_bps     double precision,
	latency_s         double precision,
	basis             text NOT NULL CHECK (basis IN
			  ('history', 'limit', 'nothing')),
	model             text NOT NULL CHECK (length(model) < 24),
	median_s          double precision,
	quantile          double precision,
	quantile_s        double precision,
	runs              bigint NOT NULL,
	last_error        double precision
);
CREATE INDEX predictions_made ON predict.predictions (made_at);
CREATE INDEX predictions_application
	ON predict.predictions (application_id);

COMMENT ON TABLE predict.predictions IS
	'What was predicted, for which job, and what it rested on.';
COMMENT ON COLUMN predict.predictions.prediction_id IS
	'Its id, as in the AdminComment of the job.';
COMMENT ON COLUMN predict.predictions.origin IS
	'Random number of the predictd process that made it.';
COMMENT ON COLUMN predict.predictions.made_at IS 'When it was made.';
COMMENT ON COLUMN predict.predictions.mode IS
	'Policy it was asked under: off, observe, advise or act.';
COMMENT ON COLUMN predict.predictions.cluster_id IS 'Cluster asked for.';
COMMENT ON COLUMN predict.predictions.user_id IS 'Uid of the user.';
COMMENT ON COLUMN predict.predictions.account IS 'Account asked for.';
COMMENT ON COLUMN predict.predictions.partition IS 'Partition asked for.';
COMMENT ON COLUMN predict.predictions.job_name IS 'Name of the job.';
COMMENT ON COLUMN predict.predictions.application_id IS
	'Application it was taken for.';
COMMENT ON COLUMN predict.predictions.nodes IS 'Nodes asked for, a count.';
COMMENT ON COLUMN predict.predictions.tasks IS 'Tasks asked for, a count.';
COMMENT ON COLUMN predict.predictions.cpus IS 'CPUs asked for, a count.';
COMMENT ON COLUMN predict.predictions.limit_s IS
	'Time limit in seconds; Infinity: unlimited; NULL: none given.';
COMMENT ON COLUMN predict.predictions.assumed_nodes IS
	'Hostlist of the nodes it was assumed to get; empty: none known.';
COMMENT ON COLUMN predict.predictions.nodes_known IS
	'How many of these had been measured of late.';
COMMENT ON COLUMN predict.predictions.cpu_load IS
	'Assumed foreign processes that want a CPU, mean over the nodes.';
COMMENT ON COLUMN predict.predictions.cpu_load_max IS
	'The same on the most loaded node.';
COMMENT ON COLUMN predict.predictions.cpu_available IS
	'Assumed share of a CPU for a new process, 0 to 1, mean over the nodes.';
COMMENT ON COLUMN predict.predictions.cpu_available_min IS
	'The same on the least available node.';
COMMENT ON COLUMN predict.predictions.bandwidth_bps IS
	'Assumed bits per second, mean over the links.';
COMMENT ON COLUMN predict.predictions.latency_s IS
	'Assumed seconds, mean over the links.';
COMMENT ON COLUMN predict.predictions.basis IS
	'history: finished runs; limit: only the user''s limit; nothing.';
COMMENT ON COLUMN predict.predictions.model IS
	'Model that gave the answer; empty: none did.';
COMMENT ON COLUMN predict.predictions.median_s IS
	'Predicted median run time in seconds; NULL: unknown.';
COMMENT ON COLUMN predict.predictions.quantile IS
	'Probability that was asked for, 0 to 1.';
COMMENT ON COLUMN predict.predictions.quantile_s IS
	'Seconds not exceeded with that probability; NULL: unknown.';
COMMENT ON COLUMN predict.predictions.runs IS
	'Finished runs that it rests on, a count.';
COMMENT ON COLUMN predict.predictions.last_error IS
	'|predicted - actual| / actual of the model here the time before.';

CREATE TABLE predict.prediction_parameters (
	prediction_id text NOT NULL
		      REFERENCES predict.predictions ON DELETE CASCADE,
	name          text NOT NULL CHECK (length(name) < 32),
	value         double precision NOT NULL,
	PRIMARY KEY (prediction_id, name)
);
COMMENT ON TABLE predict.prediction_parameters IS
	'Numbers that the user gave to the application of a prediction.';
COMMENT ON COLUMN predict.prediction_parameters.prediction_id IS
	'The prediction.';
COMMENT ON COLUMN predict.prediction_parameters.name IS
	'Name of the parameter.';
COMMENT ON COLUMN predict.prediction_parameters.value IS
	'Its value, in the application''s own unit.';

CREATE TABLE predict.prediction_candidates (
	prediction_id text NOT NULL
		      REFERENCES predict.predictions ON DELETE CASCADE,
	position      integer NOT NULL,
	model         text NOT NULL CHECK (length(model) < 24),
	median_s      double precision,
	PRIMARY KEY (prediction_id, position)
);
COMMENT ON TABLE predict.prediction_candidates IS
	'What each model would have answered, right or wrong.';
COMMENT ON COLUMN predict.prediction_candidates.prediction_id IS
	'The prediction.';
COMMENT ON COLUMN predict.prediction_candidates.position IS
	'Place of the model in predictd''s table, from 0.';
COMMENT ON COLUMN predict.prediction_candidates.model IS 'Name of the model.';
COMMENT ON COLUMN predict.prediction_candidates.median_s IS
	'Its median in seconds; NULL: it had no answer.';

-- --- Measurements ------------------------------------------------------------------

-- One partition for each day (UTC), made ahead and dropped in time by the
-- functions of the next step.
CREATE TABLE predict.measurements (
	node_id             integer NOT NULL REFERENCES predict.nodes,
	measured_at         timestamptz NOT NULL,
	cpu_load            double precision,
	cpu_available       double precision,
	memory_available_mb double precision,
	PRIMARY KEY (node_id, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX measurements_time ON predict.measurements
	USING brin (measured_at);
COMMENT ON TABLE predict.measurements IS
	'State of nodes, kept for MeasurementsKeepDays; NULL: not measured.';
COMMENT ON COLUMN predict.measurements.node_id IS 'The node.';
COMMENT ON COLUMN predict.measurements.measured_at IS
	'When, by the clock of the node.';
COMMENT ON COLUMN predict.measurements.cpu_load IS
	'Processes other than those of jobs that run or want to.';
COMMENT ON COLUMN predict.measurements.cpu_available IS
	'Share of a CPU that a new process would get, 0 to 1.';
COMMENT ON COLUMN predict.measurements.memory_available_mb IS
	'Memory that could be given to a new process in MiB.';
