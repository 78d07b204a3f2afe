-- SPDX-License-Identifier: GPL-2.0-or-later
-- schema.sql - the history: runs, predictions, measurements, traces
--
-- What a new database gets, at once: all that steps 1 to 28 of steps/ make of
-- an empty one, and the same by name, order and comment (tests/system/
-- test_migrate.sh compares the two).  It is recorded as step 28; later steps
-- come after it, and this file stays as it is until a release folds them in.
--
-- Applied by `predictd --migrate` as the owner of the schema, in one
-- transaction; rights are given by roles.sql.  All times are timestamptz, all
-- spans double precision seconds.  Texts are bounded as the programs bound
-- them, so that what is stored can always be read back.

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

-- --- Runs --------------------------------------------------------------------

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

-- An imported run has no number of change: predictd learns of none alone.
-- When the last batch of an import is stored, that batch gets a number, and
-- every predictd that sees it reads the whole history anew.
CREATE TABLE predict.imports (
	import_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	imported_at timestamptz NOT NULL DEFAULT now(),
	sent        integer NOT NULL CHECK (sent >= 0),
	change      bigint UNIQUE
);
COMMENT ON TABLE predict.imports IS
	'Batches of runs that were imported from job logs.';
COMMENT ON COLUMN predict.imports.import_id IS 'Number of the batch here.';
COMMENT ON COLUMN predict.imports.imported_at IS 'When it was stored.';
COMMENT ON COLUMN predict.imports.sent IS
	'Runs in it; those that were there already are counted, too.';
COMMENT ON COLUMN predict.imports.change IS
	'Of the last batch of an import: a number as in runs.change, from '
	'which on the history is another; else NULL.';

-- What is only read together with a run, such as its parameters, lies in
-- arrays: neither a join nor an index entry for each.
CREATE TABLE predict.runs (
	run_id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	change            bigint,
	cluster_id        integer NOT NULL REFERENCES predict.clusters,
	application_id    integer NOT NULL REFERENCES predict.applications,
	job_id            bigint NOT NULL,
	array_job_id      bigint NOT NULL,
	array_task_id     bigint NOT NULL,
	user_id           bigint NOT NULL,
	user_name         text NOT NULL CHECK (length(user_name) < 64),
	account           text NOT NULL CHECK (length(account) < 64),
	partition         text NOT NULL CHECK (length(partition) < 64),
	job_name          text NOT NULL CHECK (length(job_name) < 64),
	prediction_id     text CHECK (length(prediction_id) BETWEEN 1 AND 16),
	nodes             bigint NOT NULL,
	tasks             bigint NOT NULL,
	cpus              bigint NOT NULL,
	memory_mb         double precision,
	limit_s           double precision,
	node_list         text NOT NULL CHECK (length(node_list) < 1024),
	submitted_at      timestamptz,
	started_at        timestamptz NOT NULL,
	ended_at          timestamptz,
	state             predict.run_state NOT NULL,
	exit_code         integer NOT NULL,
	exit_signal       integer NOT NULL,
	nodes_known       integer NOT NULL DEFAULT 0,
	cpu_load          double precision,
	cpu_load_max      double precision,
	cpu_available     double precision,
	cpu_available_min double precision,
	bandwidth_bps     double precision,
	latency_s         double precision,
	parameter_names   text[],
	parameter_values  double precision[],
	import_id         integer REFERENCES predict.imports,
	qos               text NOT NULL DEFAULT '' CHECK (length(qos) < 64),
	features          text NOT NULL DEFAULT ''
			  CHECK (length(features) < 128),
	gres              text NOT NULL DEFAULT '' CHECK (length(gres) < 128),
	traits            text NOT NULL DEFAULT ''
			  CHECK (octet_length(traits) < 256),
	het_job_id        bigint NOT NULL DEFAULT 0,
	het_offset        bigint NOT NULL DEFAULT 0,
	licenses          text NOT NULL DEFAULT ''
			  CHECK (octet_length(licenses) < 128),
	UNIQUE (cluster_id, job_id, started_at),
	CHECK (ended_at >= started_at),
	CHECK (CASE state WHEN 'RUNNING' THEN ended_at IS NULL
			  WHEN 'LOST' THEN true
			  ELSE ended_at IS NOT NULL END),
	CHECK (cardinality(parameter_names) = cardinality(parameter_values)),
	CHECK (change IS NOT NULL OR import_id IS NOT NULL)
);
CREATE UNIQUE INDEX runs_change ON predict.runs (change)
	WHERE change IS NOT NULL; -- none for imported runs
CREATE INDEX runs_ended ON predict.runs
	((coalesce(ended_at, started_at)), run_id) WHERE state <> 'RUNNING';
CREATE INDEX runs_running ON predict.runs (started_at)
	WHERE state = 'RUNNING';
CREATE INDEX runs_prediction ON predict.runs (prediction_id)
	WHERE prediction_id IS NOT NULL;
CREATE INDEX runs_application ON predict.runs (application_id);
CREATE INDEX runs_import ON predict.runs (import_id)
	WHERE import_id IS NOT NULL;

COMMENT ON TABLE predict.runs IS
	'One row for each execution of a job, under way or finished.';
COMMENT ON COLUMN predict.runs.run_id IS 'Number of the run here.';
COMMENT ON COLUMN predict.runs.change IS
	'Grows with each change of any run, in the order of commits; NULL: '
	'imported.';
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
COMMENT ON COLUMN predict.runs.import_id IS
	'Batch with which it was imported; NULL: it was reported.';
COMMENT ON COLUMN predict.runs.qos IS 'Quality of service.';
COMMENT ON COLUMN predict.runs.features IS
	'Features of nodes asked for, as --constraint has them.';
COMMENT ON COLUMN predict.runs.gres IS
	'Generic resources asked for over all nodes, as in gpu:a100:8,shard:4.';
COMMENT ON COLUMN predict.runs.traits IS
	'Texts that the user gave to the application, by name, as in '
	'dataset=imagenet model=llama.';
COMMENT ON COLUMN predict.runs.het_job_id IS
	'Heterogeneous job of which this is a component; 0: none.';
COMMENT ON COLUMN predict.runs.het_offset IS
	'Component of that job, if het_job_id is not 0.';
COMMENT ON COLUMN predict.runs.licenses IS
	'Licenses asked for, as --licenses has them: matlab:2.';

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

-- --- Profiles ----------------------------------------------------------------

-- A row is what one node saw of one run: how busy its tasks were, and what they
-- sent to the run's other nodes.  As a share it may arrive before its run does,
-- and names the job.  Rows of older versions lack what came later: NULL.
CREATE TABLE predict.run_profiles (
	profile_id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	change              bigint NOT NULL,
	cluster_id          integer NOT NULL REFERENCES predict.clusters,
	job_id              bigint NOT NULL,
	node_id             integer NOT NULL REFERENCES predict.nodes,
	started_at          timestamptz NOT NULL,
	ended_at            timestamptz NOT NULL,
	source              integer NOT NULL CHECK (source >= 0),
	tasks               bigint NOT NULL,
	busy_s              double precision,
	ready_s             double precision,
	idle_s              double precision,
	spinning_s          double precision,
	busy_phase_s        double precision,
	idle_phase_s        double precision,
	cpu_available       double precision,
	cpu_speed           double precision,
	mpi_s               double precision,
	mpi_cpu_s           double precision,
	missed_bytes        double precision,
	peer_names          text[],
	peer_messages       double precision[],
	peer_bytes          double precision[],
	peer_bandwidths_bps double precision[],
	peer_latencies_s    double precision[],
	peer_count          integer NOT NULL CHECK (peer_count >= -1),
	peer_replies        double precision[],
	peer_long_messages  double precision[],
	cpu_left            double precision,
	ranks               bigint[],
	rank_counts         bigint[],
	rank_peers          integer[],
	rank_messages       double precision[],
	rank_bytes          double precision[],
	rank_peer_messages  double precision[],
	rank_peer_bytes     double precision[],
	rank_asked_any      double precision[],
	rank_own_s          double precision[],
	rank_tasks          double precision[],
	rank_tasks_s        double precision[],
	rank_tasks_s2       double precision[],
	UNIQUE (cluster_id, job_id, node_id, started_at),
	CHECK (cardinality(peer_names) = cardinality(peer_messages)
		AND cardinality(peer_names) = cardinality(peer_bytes)),
	CHECK (cardinality(peer_replies) = cardinality(peer_names)),
	CHECK (cardinality(peer_long_messages) = cardinality(peer_names))
);
CREATE INDEX run_profiles_change ON predict.run_profiles (change);
COMMENT ON TABLE predict.run_profiles IS
	'What each node saw a run do; the view profiles knows which run.';
COMMENT ON COLUMN predict.run_profiles.profile_id IS 'Number here.';
COMMENT ON COLUMN predict.run_profiles.change IS
	'Number of the change, as in runs.';
COMMENT ON COLUMN predict.run_profiles.cluster_id IS 'Cluster of the node.';
COMMENT ON COLUMN predict.run_profiles.job_id IS 'Slurm''s job id.';
COMMENT ON COLUMN predict.run_profiles.node_id IS 'The node.';
COMMENT ON COLUMN predict.run_profiles.started_at IS
	'First start on the node, by its clock.';
COMMENT ON COLUMN predict.run_profiles.ended_at IS
	'Last end on the node, by its clock.';
COMMENT ON COLUMN predict.run_profiles.source IS
	'Who counted messages: 0 packets, 1 the MPI library.';
COMMENT ON COLUMN predict.run_profiles.tasks IS
	'Processes that did the work; what follows are means over these.';
COMMENT ON COLUMN predict.run_profiles.busy_s IS
	'CPU seconds of computing and of handling messages; here as in what '
	'follows NULL is unknown.';
COMMENT ON COLUMN predict.run_profiles.ready_s IS
	'Seconds in which it would have been busy, but had no CPU.';
COMMENT ON COLUMN predict.run_profiles.idle_s IS
	'All other seconds: asleep, or spinning.';
COMMENT ON COLUMN predict.run_profiles.spinning_s IS
	'CPU seconds of asking for messages that have not come.';
COMMENT ON COLUMN predict.run_profiles.busy_phase_s IS
	'Mean length of a busy phase in seconds.';
COMMENT ON COLUMN predict.run_profiles.idle_phase_s IS
	'Mean length of an idle phase in seconds.';
COMMENT ON COLUMN predict.run_profiles.cpu_available IS
	'Share of a CPU that a process got there just before, 0 to 1.';
COMMENT ON COLUMN predict.run_profiles.cpu_speed IS
	'Speed of its CPUs, relative to a fixed reference.';
COMMENT ON COLUMN predict.run_profiles.mpi_s IS
	'Seconds in MPI, as the library says.';
COMMENT ON COLUMN predict.run_profiles.mpi_cpu_s IS 'CPU seconds of that.';
COMMENT ON COLUMN predict.run_profiles.missed_bytes IS
	'Bytes that were sent, but not seen.';
COMMENT ON COLUMN predict.run_profiles.peer_names IS
	'Other nodes of the run, in the order of what follows.';
COMMENT ON COLUMN predict.run_profiles.peer_messages IS
	'Messages sent to each.';
COMMENT ON COLUMN predict.run_profiles.peer_bytes IS 'Bytes in these.';
COMMENT ON COLUMN predict.run_profiles.peer_bandwidths_bps IS
	'Bits per second of the link to each, just before.';
COMMENT ON COLUMN predict.run_profiles.peer_latencies_s IS
	'Seconds one way to each, just before.';
COMMENT ON COLUMN predict.run_profiles.peer_count IS
	'How many peers there are; -1: messages were not watched.';
COMMENT ON COLUMN predict.run_profiles.peer_replies IS
	'Of the messages to each, those that were sent because one of it had '
	'come, not because work was done; NULL: not known.';
COMMENT ON COLUMN predict.run_profiles.peer_long_messages IS
	'Of the messages to each, those of 64 KiB and more, of which a first '
	'part is sent, and the rest once the receiver takes it; NULL: not '
	'known.';
COMMENT ON COLUMN predict.run_profiles.cpu_left IS
	'Of the CPU that the tasks could have had during the run, what '
	'processes outside of the job left them, 0 to 1; 1: nothing was '
	'shared.';
COMMENT ON COLUMN predict.run_profiles.ranks IS
	'Processes of an MPI program on the node, in the order of what '
	'follows.';
COMMENT ON COLUMN predict.run_profiles.rank_counts IS
	'How many processes the numbers of each are sums over: those that '
	'send most messages to the same one, where there are many.';
COMMENT ON COLUMN predict.run_profiles.rank_peers IS
	'The rank that each sent most messages to; its own: it sent none.';
COMMENT ON COLUMN predict.run_profiles.rank_messages IS
	'Messages that each sent.';
COMMENT ON COLUMN predict.run_profiles.rank_bytes IS
	'Bytes in these.';
COMMENT ON COLUMN predict.run_profiles.rank_peer_messages IS
	'Messages that each sent to that rank.';
COMMENT ON COLUMN predict.run_profiles.rank_peer_bytes IS
	'Bytes in these.';
COMMENT ON COLUMN predict.run_profiles.rank_asked_any IS
	'Receives of each from whoever was first.';
COMMENT ON COLUMN predict.run_profiles.rank_own_s IS
	'CPU seconds of each outside of MPI.';
COMMENT ON COLUMN predict.run_profiles.rank_tasks IS
	'How often each worked between a message from that rank and the next '
	'one to it.';
COMMENT ON COLUMN predict.run_profiles.rank_tasks_s IS
	'CPU seconds of that.';
COMMENT ON COLUMN predict.run_profiles.rank_tasks_s2 IS
	'Sum of the squares of these.';

-- --- Predictions -------------------------------------------------------------

-- Names are not checked against their tables: the statement that stores a
-- prediction joins them, predictd may delete none, and to look both up again
-- took a third of the time.
CREATE TABLE predict.predictions (
	prediction_id       text NOT NULL
			    CHECK (length(prediction_id) BETWEEN 1 AND 16),
	origin              bigint NOT NULL,
	made_at             timestamptz NOT NULL,
	mode                text NOT NULL CHECK (mode IN
			    ('off', 'observe', 'advise', 'act')),
	cluster_id          integer NOT NULL,
	user_id             bigint NOT NULL,
	account             text NOT NULL CHECK (length(account) < 64),
	partition           text NOT NULL CHECK (length(partition) < 64),
	job_name            text NOT NULL CHECK (length(job_name) < 64),
	application_id      integer NOT NULL,
	nodes               bigint NOT NULL,
	tasks               bigint NOT NULL,
	cpus                bigint NOT NULL,
	limit_s             double precision,
	assumed_nodes       text NOT NULL CHECK (length(assumed_nodes) < 1024),
	nodes_known         integer NOT NULL,
	cpu_load            double precision,
	cpu_load_max        double precision,
	cpu_available       double precision,
	cpu_available_min   double precision,
	bandwidth_bps       double precision,
	latency_s           double precision,
	basis               text NOT NULL CHECK (basis IN
			    ('history', 'limit', 'nothing')),
	model               text NOT NULL CHECK (length(model) < 24),
	median_s            double precision,
	quantile            double precision,
	quantile_s          double precision,
	runs                bigint NOT NULL,
	last_error          double precision,
	stage               text NOT NULL
			    CHECK (stage IN ('submission', 'start')),
	memory_mb           double precision NOT NULL DEFAULT 0,
	parameter_names     text[],
	parameter_values    double precision[],
	knots_s             real[],
	evidence_job_ids    bigint[],
	evidence_runtimes_s real[],
	evidence_weights    real[],
	candidate_models    text[],
	candidate_medians_s double precision[],
	rejected_nodes      text
			    CHECK (length(rejected_nodes) BETWEEN 1 AND 1023),
	rejected_s          double precision CHECK (rejected_s >= 0),
	qos                 text NOT NULL DEFAULT '' CHECK (length(qos) < 64),
	features            text NOT NULL DEFAULT ''
			    CHECK (length(features) < 128),
	gres                text NOT NULL DEFAULT '' CHECK (length(gres) < 128),
	evidence_level      text NOT NULL DEFAULT 'none'
			    CHECK (evidence_level IN
				('none', 'site', 'user', 'application')),
	evidence_runs       bigint NOT NULL DEFAULT 0,
	own_runs            bigint NOT NULL DEFAULT 0,
	judged              bigint NOT NULL DEFAULT 0,
	held                bigint NOT NULL DEFAULT 0,
	extrapolated        integer NOT NULL DEFAULT 0
			    CHECK (extrapolated IN (0, 1)),
	similar_runs        bigint NOT NULL DEFAULT 0,
	over_limit          bigint NOT NULL DEFAULT 0,
	traits              text NOT NULL DEFAULT ''
			    CHECK (octet_length(traits) < 256),
	PRIMARY KEY (prediction_id, stage),
	CHECK (cardinality(parameter_names) = cardinality(parameter_values)),
	CHECK (cardinality(evidence_job_ids)
		= cardinality(evidence_runtimes_s)
		AND cardinality(evidence_job_ids)
		= cardinality(evidence_weights)),
	CHECK (cardinality(candidate_models)
		= cardinality(candidate_medians_s))
);
CREATE INDEX predictions_made ON predict.predictions (made_at);
CREATE INDEX predictions_application
	ON predict.predictions (application_id);

COMMENT ON TABLE predict.predictions IS
	'What was predicted, for which job, and what it rested on; one row '
	'for each stage.';
COMMENT ON COLUMN predict.predictions.prediction_id IS
	'Its id, as in the AdminComment of the job.';
COMMENT ON COLUMN predict.predictions.origin IS
	'Random number of the predictd process that made it.';
COMMENT ON COLUMN predict.predictions.made_at IS 'When it was made.';
COMMENT ON COLUMN predict.predictions.mode IS
	'Policy it was asked under: off, observe, advise or act.';
COMMENT ON COLUMN predict.predictions.cluster_id IS
	'Cluster asked for; one of predict.clusters, without a check.';
COMMENT ON COLUMN predict.predictions.user_id IS 'Uid of the user.';
COMMENT ON COLUMN predict.predictions.account IS 'Account asked for.';
COMMENT ON COLUMN predict.predictions.partition IS 'Partition asked for.';
COMMENT ON COLUMN predict.predictions.job_name IS 'Name of the job.';
COMMENT ON COLUMN predict.predictions.application_id IS
	'Application it was taken for; one of predict.applications, without a '
	'check.';
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
	'Assumed share of a CPU for a new process, 0 to 1, mean over the '
	'nodes.';
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
COMMENT ON COLUMN predict.predictions.rejected_nodes IS
	'At the start: the best set of free nodes that the job did not get, a '
	'host list; NULL: not known.';
COMMENT ON COLUMN predict.predictions.rejected_s IS
	'The median run time on these, in seconds; NULL: not known.';
COMMENT ON COLUMN predict.predictions.qos IS
	'Quality of service asked for.';
COMMENT ON COLUMN predict.predictions.features IS
	'Features of nodes asked for, as --constraint has them.';
COMMENT ON COLUMN predict.predictions.gres IS
	'Generic resources asked for over all nodes, as in gpu:a100:8,shard:4.';
COMMENT ON COLUMN predict.predictions.evidence_level IS
	'Whose runs it rests on.  application: this user''s of this '
	'application, or other users'' of it with the same parameters; user: '
	'this user''s of other applications; site: other users'' only; none, '
	'or not recorded.';
COMMENT ON COLUMN predict.predictions.evidence_runs IS
	'Finished runs at that level, a count.';
COMMENT ON COLUMN predict.predictions.own_runs IS
	'Completed runs of this user and application, a count.';
COMMENT ON COLUMN predict.predictions.judged IS
	'Of the last predictions for this user and application, those whose '
	'runs had ended, a count.';
COMMENT ON COLUMN predict.predictions.held IS
	'How many of these runs completed within their quantile.';
COMMENT ON COLUMN predict.predictions.extrapolated IS
	'1: the number of nodes or tasks, or a parameter, is outside of all '
	'runs of the application.';
COMMENT ON COLUMN predict.predictions.similar_runs IS
	'The newest runs of the same application, size and parameters, a count '
	'of at most 32.';
COMMENT ON COLUMN predict.predictions.over_limit IS
	'How many of these took longer than limit_s.';
COMMENT ON COLUMN predict.predictions.traits IS
	'Texts that the user gave to the application, by name, as in '
	'dataset=imagenet model=llama.';

-- The id of a prediction is a text in the job's AdminComment, and everybody may
-- read it there.  Whoever writes it into a job of his own must not get the
-- prediction, nor be counted as its outcome.
--
-- Called for each run that is stored; runs of one array share a prediction.  In
-- plpgsql, so that runs that name none are stored while predictions are locked.
CREATE FUNCTION predict.own_prediction(id text, in_cluster integer, uid bigint,
	job bigint, array_job bigint) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
AS $$
BEGIN
	IF EXISTS (SELECT FROM predict.predictions p
			WHERE p.prediction_id = id
			AND (p.cluster_id <> in_cluster OR p.user_id <> uid))
		OR EXISTS (SELECT FROM predict.runs r
			WHERE r.prediction_id = id
			AND r.cluster_id = in_cluster AND r.user_id = uid
			AND coalesce(nullif(r.array_job_id, 0), r.job_id)
				<> coalesce(nullif(array_job, 0), job)) THEN
		RETURN NULL;
	END IF;
	RETURN id;
END $$;
COMMENT ON FUNCTION predict.own_prediction(text, integer, bigint, bigint,
	bigint) IS
	'The id, unless that prediction is of another user, cluster or job.';

-- --- Measurements ------------------------------------------------------------

-- What was measured is kept as it was for MeasurementsKeepDays, in a partition
-- for each day (UTC).  Meanwhile means are made of it, a slice at a time: over
-- five minutes, kept for a year, and over hours, kept for ten.  What arrives
-- more than an hour late is not in the means.
CREATE TABLE predict.measurements (
	node_id             integer NOT NULL REFERENCES predict.nodes,
	measured_at         timestamptz NOT NULL,
	cpu_load            double precision,
	cpu_available       double precision,
	memory_available_mb double precision,
	cpu_available_now   double precision,
	cpu_correction      double precision,
	cpu_speed           double precision,
	cpu_turn_s          double precision,
	cpu_credit_s        double precision,
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
	'Share of a CPU that a new process would get, 0 to 1, were there no '
	'jobs of Slurm on the node.';
COMMENT ON COLUMN predict.measurements.memory_available_mb IS
	'Memory that could be given to a new process in MiB.';
COMMENT ON COLUMN predict.measurements.cpu_available_now IS
	'The same beside the jobs that were there.';
COMMENT ON COLUMN predict.measurements.cpu_correction IS
	'Factor in both of what a probe got to what was expected.';
COMMENT ON COLUMN predict.measurements.cpu_speed IS
	'Speed of a CPU relative to a fixed reference.';
COMMENT ON COLUMN predict.measurements.cpu_turn_s IS
	'Seconds that a process that wakes up waits for its CPU, for each '
	'competitor on it; NULL: not sent with this measurement.';
COMMENT ON COLUMN predict.measurements.cpu_credit_s IS
	'CPU seconds that the scheduler gives back for a sleep, at most; NULL: '
	'not sent with this measurement.';

CREATE TABLE predict.link_measurements (
	from_node_id  integer NOT NULL REFERENCES predict.nodes,
	to_node_id    integer NOT NULL REFERENCES predict.nodes,
	measured_at   timestamptz NOT NULL,
	bandwidth_bps double precision,
	latency_s     double precision,
	utilisation   double precision,
	PRIMARY KEY (from_node_id, to_node_id, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX link_measurements_time ON predict.link_measurements
	USING brin (measured_at);
COMMENT ON TABLE predict.link_measurements IS
	'State of the ways between nodes, kept for MeasurementsKeepDays; NULL: '
	'not measured.';
COMMENT ON COLUMN predict.link_measurements.from_node_id IS
	'The node that sends.';
COMMENT ON COLUMN predict.link_measurements.to_node_id IS
	'The node that receives.';
COMMENT ON COLUMN predict.link_measurements.measured_at IS
	'When, by the clock of the node that sends.';
COMMENT ON COLUMN predict.link_measurements.bandwidth_bps IS
	'Bits of payload per second that a new TCP stream gets.';
COMMENT ON COLUMN predict.link_measurements.latency_s IS
	'Seconds there and back.';
COMMENT ON COLUMN predict.link_measurements.utilisation IS
	'Share of the sender''s interface in use by others, 0 to 1.';

-- --- Means -------------------------------------------------------------------

CREATE TABLE predict.measurements_5min (
	node_id             integer NOT NULL REFERENCES predict.nodes,
	began_at            timestamptz NOT NULL,
	samples             bigint NOT NULL,
	cpu_load            double precision,
	cpu_available       double precision,
	cpu_available_now   double precision,
	cpu_speed           double precision,
	memory_available_mb double precision,
	PRIMARY KEY (node_id, began_at)
) PARTITION BY RANGE (began_at);
CREATE INDEX measurements_5min_time ON predict.measurements_5min
	USING brin (began_at);
CREATE TABLE predict.measurements_hourly (
	LIKE predict.measurements_5min INCLUDING INDEXES
) PARTITION BY RANGE (began_at);
ALTER TABLE predict.measurements_hourly
	ADD FOREIGN KEY (node_id) REFERENCES predict.nodes;
CREATE TABLE predict.link_measurements_hourly (
	from_node_id  integer NOT NULL REFERENCES predict.nodes,
	to_node_id    integer NOT NULL REFERENCES predict.nodes,
	began_at      timestamptz NOT NULL,
	samples       bigint NOT NULL,
	bandwidth_bps double precision,
	latency_s     double precision,
	utilisation   double precision,
	PRIMARY KEY (from_node_id, to_node_id, began_at)
) PARTITION BY RANGE (began_at);

COMMENT ON TABLE predict.measurements_5min IS
	'Means of measurements over five minutes, kept for a year.';
COMMENT ON TABLE predict.measurements_hourly IS
	'Means of measurements over hours, kept for ten years.';
COMMENT ON TABLE predict.link_measurements_hourly IS
	'Means of measurements of links over hours, kept for ten years.';
DO $$
DECLARE
	name text;
	described record;
BEGIN
	FOREACH name IN ARRAY ARRAY['measurements_5min', 'measurements_hourly',
			'link_measurements_hourly'] LOOP
		FOR described IN SELECT * FROM (VALUES
			('node_id', 'The node.'),
			('from_node_id', 'The node that sends.'),
			('to_node_id', 'The node that receives.'),
			('began_at', 'When the span began.'),
			('samples', 'Measurements in it, a count.'),
			('cpu_load', 'Mean, as in measurements.'),
			('cpu_available', 'Mean, as in measurements.'),
			('cpu_available_now', 'Mean, as in measurements.'),
			('cpu_speed', 'Mean, as in measurements.'),
			('memory_available_mb', 'Mean, as in measurements.'),
			('bandwidth_bps', 'Mean, as in link_measurements.'),
			('latency_s', 'Mean, as in link_measurements.'),
			('utilisation', 'Mean, as in link_measurements.')
			) c (attname, meaning) JOIN pg_attribute a
			USING (attname)
			WHERE a.attrelid = ('predict.' || name)::regclass
		LOOP
			EXECUTE format('COMMENT ON COLUMN predict.%I.%I IS %L',
				name, described.attname, described.meaning);
		END LOOP;
	END LOOP;
END $$;

CREATE TABLE predict.thinned (
	means    text PRIMARY KEY,
	until_at timestamptz NOT NULL
);
COMMENT ON TABLE predict.thinned IS 'How far means have been made.';
COMMENT ON COLUMN predict.thinned.means IS 'Table of the means.';
COMMENT ON COLUMN predict.thinned.until_at IS
	'All that was measured before is in them.';
-- They begin when measuring begins, today: a new database has nothing from the
-- days before, for which measurements would be kept.
INSERT INTO predict.thinned
SELECT m.means, date_trunc('day', now(), 'UTC')
FROM (VALUES ('measurements_5min'), ('measurements_hourly'),
	('link_measurements_hourly')) m (means);

-- --- Partitions --------------------------------------------------------------

-- predictd calls these now and then.  They run with the rights of the schema's
-- owner (SECURITY DEFINER), because predictd itself may neither create nor
-- drop a table.  Days are days of UTC, wherever server and clients are.

CREATE FUNCTION predict.create_partition(parent text, suffix text,
		first date, next date) RETURNS integer
	LANGUAGE plpgsql
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF to_regclass('predict.' || parent || suffix) IS NOT NULL THEN
		RETURN 0;
	END IF;
	EXECUTE format('CREATE TABLE predict.%I PARTITION OF predict.%I '
		'FOR VALUES FROM (%L) TO (%L)', parent || suffix, parent,
		first::text || ' 00:00:00+00', next::text || ' 00:00:00+00');
	RETURN 1;
END $$;
COMMENT ON FUNCTION predict.create_partition(text, text, date, date) IS
	'Create a partition for the days from first up to next, unless it is '
	'there; returns how many.';

CREATE FUNCTION predict.create_measurement_days(keep_days integer)
	RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	today date := (now() AT TIME ZONE 'UTC')::date;
	day   date;
	month date;
	name  text;
	made  integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	PERFORM pg_advisory_xact_lock(7361, 2);
	-- Two days ahead: predictd may be away over midnight.
	FOR offset_days IN -keep_days .. 2 LOOP
		day := today + offset_days;
		FOREACH name IN ARRAY ARRAY['measurements',
				'link_measurements'] LOOP
			made := made + predict.create_partition(name,
				'_' || to_char(day, 'YYYYMMDD'), day, day + 1);
		END LOOP;
	END LOOP;
	month := date_trunc('month', today - keep_days);
	WHILE month <= today + 2 LOOP
		FOREACH name IN ARRAY ARRAY['measurements_5min',
				'measurements_hourly',
				'link_measurements_hourly'] LOOP
			made := made + predict.create_partition(name,
				'_' || to_char(month, 'YYYYMM'), month,
				(month + interval '1 month')::date);
		END LOOP;
		month := month + interval '1 month';
	END LOOP;
	RETURN made;
END $$;

COMMENT ON FUNCTION predict.create_measurement_days(integer) IS
	'Create the missing partitions of the last days and the next two; '
	'returns how many.';

-- A day that is not in the means yet stays until it is.  Dropping needs the
-- table for itself for a moment; a reader that holds it for longer than the
-- lock timeout makes this fail, to be tried again later, rather than make
-- everybody else wait behind us.
CREATE FUNCTION predict.drop_measurement_days(keep_days integer)
	RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	today   date := (now() AT TIME ZONE 'UTC')::date;
	old     record;
	dropped integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	PERFORM pg_advisory_xact_lock(7361, 2);
	FOR old IN SELECT c.relname AS name FROM (VALUES
			('measurements', 'YYYYMMDD', keep_days,
				'measurements_5min'),
			('link_measurements', 'YYYYMMDD', keep_days,
				'link_measurements_hourly'),
			('measurements_5min', 'YYYYMM', 366,
				'measurements_hourly'),
			('measurements_hourly', 'YYYYMM', 3660, NULL),
			('link_measurements_hourly', 'YYYYMM', 3660, NULL)
			) p (parent, pattern, days, means)
		JOIN pg_inherits i
			ON i.inhparent = ('predict.' || p.parent)::regclass
		JOIN pg_class c ON c.oid = i.inhrelid
		LEFT JOIN predict.thinned t ON t.means = p.means
		WHERE c.relname ~ ('^' || p.parent || '_[0-9]{' ||
			length(p.pattern) || '}$')
		AND c.relname < p.parent || '_' || to_char(least(
			today - p.days,
			(t.until_at AT TIME ZONE 'UTC')::date), p.pattern)
		ORDER BY c.relname
	LOOP
		EXECUTE format('DROP TABLE predict.%I', old.name);
		dropped := dropped + 1;
	END LOOP;
	RETURN dropped;
END $$;
COMMENT ON FUNCTION predict.drop_measurement_days(integer) IS
	'Drop the partitions that are older than so many days and in the '
	'means, and means that are too old; returns how many.';

-- --- Making means ------------------------------------------------------------

CREATE FUNCTION predict.thin_nodes(since timestamptz, until timestamptz)
	RETURNS void LANGUAGE sql
	SET search_path = pg_catalog, pg_temp
AS $$
	INSERT INTO predict.measurements_5min
	SELECT node_id, date_bin('5 minutes', measured_at, 'epoch'),
		count(*), avg(cpu_load), avg(cpu_available),
		avg(cpu_available_now), avg(cpu_speed),
		avg(memory_available_mb)
	FROM predict.measurements
	WHERE measured_at >= since AND measured_at < until
	GROUP BY 1, 2 ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION predict.thin_nodes(timestamptz, timestamptz) IS
	'Make the means over five minutes of a span.';

CREATE FUNCTION predict.thin_nodes_more(since timestamptz, until timestamptz)
	RETURNS void LANGUAGE sql
	SET search_path = pg_catalog, pg_temp
AS $$
	INSERT INTO predict.measurements_hourly
	SELECT node_id, date_bin('1 hour', began_at, 'epoch'), sum(samples),
		avg(cpu_load), avg(cpu_available), avg(cpu_available_now),
		avg(cpu_speed), avg(memory_available_mb)
	FROM predict.measurements_5min
	WHERE began_at >= since AND began_at < until
	GROUP BY 1, 2 ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION predict.thin_nodes_more(timestamptz, timestamptz) IS
	'Make the means over hours of a span.';

CREATE FUNCTION predict.thin_links(since timestamptz, until timestamptz)
	RETURNS void LANGUAGE sql
	SET search_path = pg_catalog, pg_temp
AS $$
	INSERT INTO predict.link_measurements_hourly
	SELECT from_node_id, to_node_id,
		date_bin('1 hour', measured_at, 'epoch'), count(*),
		avg(bandwidth_bps), avg(latency_s), avg(utilisation)
	FROM predict.link_measurements
	WHERE measured_at >= since AND measured_at < until
	GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION predict.thin_links(timestamptz, timestamptz) IS
	'Make the means over hours of a span of measurements of links.';

-- Slices of a quarter of an hour keep each call short, however many nodes there
-- are: at 300 nodes one holds 54,000 rows.
CREATE FUNCTION predict.thin_measurements(keep_days integer) RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	level record;
	since timestamptz;
	until timestamptz;
	again integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	IF NOT pg_try_advisory_xact_lock(7361, 4) THEN
		RETURN 0; -- somebody else is at it
	END IF;
	FOR level IN SELECT * FROM (VALUES
		(1, 'measurements_5min', interval '15 minutes',
			interval '1 hour'),
		(2, 'measurements_hourly', interval '1 hour',
			interval '2 hours'),
		(3, 'link_measurements_hourly', interval '1 hour',
			interval '1 hour')) l (place, means, slice, lag)
		ORDER BY place
	LOOP
		INSERT INTO predict.thinned VALUES (level.means,
			date_trunc('day', now() - keep_days *
				interval '24 hours', 'UTC'))
			ON CONFLICT DO NOTHING;
		SELECT until_at INTO since FROM predict.thinned
			WHERE means = level.means;
		LOOP
			until := since + level.slice;
			EXIT WHEN until > now() - level.lag;
			IF clock_timestamp() > now() + interval '0.2 s' THEN
				again := again + 1;
				EXIT;
			END IF;
			CASE level.place
			WHEN 1 THEN PERFORM predict.thin_nodes(since, until);
			WHEN 2 THEN PERFORM
				predict.thin_nodes_more(since, until);
			ELSE PERFORM predict.thin_links(since, until);
			END CASE;
			since := until;
		END LOOP;
		UPDATE predict.thinned SET until_at = since
			WHERE means = level.means;
	END LOOP;
	RETURN again;
END $$;
COMMENT ON FUNCTION predict.thin_measurements(integer) IS
	'Make means of what was measured, for about 0.2 s; returns how many '
	'tables of means lag behind.';

REVOKE ALL ON FUNCTION predict.create_measurement_days(integer),
	predict.drop_measurement_days(integer),
	predict.create_partition(text, text, date, date),
	predict.thin_nodes(timestamptz, timestamptz),
	predict.thin_nodes_more(timestamptz, timestamptz),
	predict.thin_links(timestamptz, timestamptz),
	predict.thin_measurements(integer) FROM PUBLIC;

-- --- Traces ------------------------------------------------------------------

-- A trace is one MPI run of a job; it comes in blocks, as the files of its
-- processes grow, deflated by the nodes.  Kept are the newest two of each
-- user's application and size, and no more bytes than the quota: of the user
-- who has most, the oldest go first.  A dropped trace stays as a row without
-- blocks for some weeks, so that blocks which come late do not begin it again.

CREATE TABLE predict.traces (
	trace_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	cluster_id integer NOT NULL REFERENCES predict.clusters,
	job_id     bigint NOT NULL,
	mpi_run    text NOT NULL CHECK (length(mpi_run) BETWEEN 1 AND 16),
	user_id    bigint NOT NULL,
	ranks      integer NOT NULL CHECK (ranks BETWEEN 1 AND 4096),
	ranks_done integer NOT NULL DEFAULT 0,
	begun_at   timestamptz NOT NULL DEFAULT now(),
	raw_bytes  bigint NOT NULL DEFAULT 0,
	bytes      bigint NOT NULL DEFAULT 0,
	dropped    boolean NOT NULL DEFAULT false,
	UNIQUE (cluster_id, job_id, mpi_run)
);
COMMENT ON TABLE predict.traces IS
	'One row for each MPI run that was traced, under way or finished.';
COMMENT ON COLUMN predict.traces.trace_id IS 'Grows with time.';
COMMENT ON COLUMN predict.traces.cluster_id IS 'Cluster of the job.';
COMMENT ON COLUMN predict.traces.job_id IS 'Slurm''s job id.';
COMMENT ON COLUMN predict.traces.user_id IS 'Whose job it is.';
COMMENT ON COLUMN predict.traces.mpi_run IS
	'The same in all processes of one MPI run of the job.';
COMMENT ON COLUMN predict.traces.ranks IS 'Processes of the MPI run.';
COMMENT ON COLUMN predict.traces.ranks_done IS
	'Those of which all blocks are here.';
COMMENT ON COLUMN predict.traces.begun_at IS 'When its first block came.';
COMMENT ON COLUMN predict.traces.raw_bytes IS 'Of all blocks, inflated.';
COMMENT ON COLUMN predict.traces.bytes IS 'Of all blocks, as stored.';
COMMENT ON COLUMN predict.traces.dropped IS
	'Its blocks made room for newer ones.';

CREATE TABLE predict.trace_blocks (
	trace_id  bigint NOT NULL REFERENCES predict.traces ON DELETE CASCADE,
	rank      integer NOT NULL CHECK (rank BETWEEN 0 AND 4095),
	block     integer NOT NULL CHECK (block BETWEEN 0 AND 256),
	node_id   integer NOT NULL REFERENCES predict.nodes,
	last      boolean NOT NULL,
	raw_bytes integer NOT NULL CHECK (raw_bytes BETWEEN 0 AND 65536),
	checksum  bigint NOT NULL,
	data      bytea NOT NULL,
	PRIMARY KEY (trace_id, rank, block)
);
ALTER TABLE predict.trace_blocks ALTER data SET STORAGE EXTERNAL;
COMMENT ON TABLE predict.trace_blocks IS
	'The file of each process, in blocks of 64 KiB.';
COMMENT ON COLUMN predict.trace_blocks.trace_id IS 'Of which trace.';
COMMENT ON COLUMN predict.trace_blocks.rank IS 'The process.';
COMMENT ON COLUMN predict.trace_blocks.block IS 'Its place, from 0 on.';
COMMENT ON COLUMN predict.trace_blocks.node_id IS 'Where the process ran.';
COMMENT ON COLUMN predict.trace_blocks.last IS 'No block follows.';
COMMENT ON COLUMN predict.trace_blocks.raw_bytes IS 'Bytes, inflated.';
COMMENT ON COLUMN predict.trace_blocks.checksum IS 'CRC-32 of these.';
COMMENT ON COLUMN predict.trace_blocks.data IS
	'Deflated (zlib), in the format of predictor/replay/FORMAT.md.';

-- The newest attempt of a job is the one that was traced.
CREATE VIEW predict.trace_details AS
SELECT t.trace_id, c.name AS cluster, t.job_id, t.mpi_run, t.user_id,
	a.name AS application, r.nodes, t.ranks, t.ranks_done,
	t.ranks_done = t.ranks AS complete, t.begun_at, t.raw_bytes, t.bytes,
	t.dropped, r.run_id, r.cpus, r.started_at, r.ended_at
FROM predict.traces t
JOIN predict.clusters c ON c.cluster_id = t.cluster_id
LEFT JOIN LATERAL (
	SELECT x.* FROM predict.runs x
	WHERE x.cluster_id = t.cluster_id AND x.job_id = t.job_id
	AND x.user_id = t.user_id
	ORDER BY x.started_at DESC LIMIT 1
) r ON true
LEFT JOIN predict.applications a ON a.application_id = r.application_id;
COMMENT ON VIEW predict.trace_details IS
	'Traces with the application and the size of their runs.';

-- One at a time; with the rights of the schema's owner, as predictd may delete
-- nothing itself.
CREATE FUNCTION predict.thin_traces(quota bigint) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	gone bigint[];
BEGIN
	WITH finished AS (
		SELECT d.trace_id, row_number() OVER (PARTITION BY d.cluster,
			d.user_id, d.application, d.nodes, d.ranks
			ORDER BY d.trace_id DESC) AS place
		FROM predict.trace_details d
		WHERE NOT d.dropped AND d.application IS NOT NULL
		AND (d.complete OR d.ended_at IS NOT NULL)
	), kept AS (
		SELECT t.trace_id, t.bytes, sum(t.bytes) OVER (
			PARTITION BY t.user_id ORDER BY t.trace_id DESC) AS used
		FROM predict.traces t
		WHERE NOT t.dropped AND t.trace_id NOT IN
			(SELECT f.trace_id FROM finished f WHERE f.place > 2)
	), summed AS (
		SELECT k.trace_id, sum(k.bytes) OVER (
			ORDER BY k.used, k.trace_id DESC) AS used FROM kept k
	)
	SELECT array_agg(x.trace_id) INTO gone FROM (
		SELECT f.trace_id FROM finished f WHERE f.place > 2
		UNION ALL SELECT s.trace_id FROM summed s WHERE s.used > quota
	) x;
	DELETE FROM predict.trace_blocks WHERE trace_id = ANY (gone);
	UPDATE predict.traces SET dropped = true, bytes = 0, raw_bytes = 0
		WHERE trace_id = ANY (gone);
	DELETE FROM predict.traces
		WHERE dropped AND begun_at < now() - interval '30 days';
END $$;
COMMENT ON FUNCTION predict.thin_traces(bigint) IS
	'Drop all but the newest two traces of each user''s application and '
	'size, and what is above the quota.';

-- A block that is there already changes nothing.  Another one in its place is
-- of another attempt of the job, whose trace replaces that of the one before.
CREATE FUNCTION predict.put_trace_block(cluster text, job bigint, run text,
	uid bigint, of_ranks integer, of_rank integer, node text,
	number integer, is_last boolean, raw integer, crc bigint, content bytea,
	quota bigint) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	cluster_number integer;
	node_number    integer;
	t              predict.traces;
	old            bigint;
BEGIN
	PERFORM pg_advisory_xact_lock(7361, 5);
	INSERT INTO predict.clusters (name) SELECT cluster WHERE NOT EXISTS
		(SELECT FROM predict.clusters c WHERE c.name = cluster)
		ON CONFLICT DO NOTHING;
	SELECT c.cluster_id INTO STRICT cluster_number
		FROM predict.clusters c WHERE c.name = cluster;
	INSERT INTO predict.nodes (cluster_id, name)
		SELECT cluster_number, node WHERE NOT EXISTS
		(SELECT FROM predict.nodes n WHERE n.cluster_id = cluster_number
		AND n.name = node) ON CONFLICT DO NOTHING;
	SELECT n.node_id INTO STRICT node_number FROM predict.nodes n
		WHERE n.cluster_id = cluster_number AND n.name = node;

	SELECT x.* INTO t FROM predict.traces x WHERE x.job_id = job
		AND x.cluster_id = cluster_number AND x.mpi_run = run;
	IF t.dropped THEN
		RETURN false;
	END IF;
	SELECT b.checksum INTO old FROM predict.trace_blocks b
		WHERE b.trace_id = t.trace_id AND b.rank = of_rank
		AND b.block = number;
	IF old = crc AND t.user_id = uid AND t.ranks = of_ranks THEN
		RETURN true;
	END IF;
	IF old IS NOT NULL OR t.user_id <> uid OR t.ranks <> of_ranks THEN
		DELETE FROM predict.traces x WHERE x.trace_id = t.trace_id;
		t := NULL;
	END IF;
	IF t.trace_id IS NULL THEN
		INSERT INTO predict.traces (cluster_id, job_id, mpi_run, user_id,
			ranks) VALUES (cluster_number, job, run, uid, of_ranks)
			RETURNING * INTO t;
	END IF;
	INSERT INTO predict.trace_blocks VALUES (t.trace_id, of_rank, number,
		node_number, is_last, raw, crc, content);
	UPDATE predict.traces SET bytes = bytes + length(content),
		raw_bytes = raw_bytes + raw,
		ranks_done = ranks_done + is_last::integer
		WHERE trace_id = t.trace_id;
	PERFORM predict.thin_traces(quota);
	RETURN NOT (SELECT x.dropped FROM predict.traces x
		WHERE x.trace_id = t.trace_id);
END $$;
COMMENT ON FUNCTION predict.put_trace_block(text, bigint, text, bigint, integer,
	integer, text, integer, boolean, integer, bigint, bytea, bigint) IS
	'Store a block of a trace; whether its trace is kept.';

REVOKE ALL ON FUNCTION predict.thin_traces(bigint),
	predict.put_trace_block(text, bigint, text, bigint, integer, integer,
		text, integer, boolean, integer, bigint, bytea, bigint)
	FROM PUBLIC;

-- --- Views: what an admin asks the history -----------------------------------

-- The first two are how predictd reads runs and predictions back; the rest is
-- for people.
CREATE VIEW predict.run_details AS
SELECT r.run_id, r.change, c.name AS cluster, r.job_id, r.array_job_id,
	r.array_task_id, r.user_id, r.user_name, r.account, r.partition,
	r.job_name, r.prediction_id, r.nodes, r.tasks, r.cpus, r.memory_mb,
	r.limit_s, r.node_list, r.submitted_at, r.started_at, r.ended_at,
	r.state::text AS state, r.exit_code, r.exit_signal,
	a.name AS application,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		AS runtime_s,
	r.nodes_known, r.cpu_load, r.cpu_load_max, r.cpu_available,
	r.cpu_available_min, r.bandwidth_bps, r.latency_s,
	r.parameter_names, r.parameter_values, r.import_id,
	r.qos, r.features, r.gres, r.traits, r.het_job_id, r.het_offset,
	r.licenses
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id;
COMMENT ON VIEW predict.run_details IS
	'Runs with their names, parameters and conditions in one row.';

CREATE VIEW predict.prediction_details AS
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
	p.extrapolated, p.similar_runs, p.over_limit, p.traits
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
COMMENT ON VIEW predict.prediction_details IS
	'Predictions with their names, parameters, evidence and candidates in '
	'one row.';

-- A share belongs to the attempt of its job with which it overlaps most.
-- Clocks of node and controller may differ a little, and a share may be a
-- moment: hence the closest attempt where none overlaps.
CREATE VIEW predict.run_nodes AS
SELECT r.run_id, c.name AS cluster, s.job_id, n.name AS node, s.started_at,
	s.ended_at,
	extract(epoch FROM s.ended_at - s.started_at)::double precision
		AS runtime_s,
	s.cpu_s, s.peak_memory_mb, s.exit_code, s.exit_signal, s.tasks
FROM predict.run_shares s
JOIN predict.clusters c ON c.cluster_id = s.cluster_id
JOIN predict.nodes n ON n.node_id = s.node_id
LEFT JOIN LATERAL (
	SELECT x.run_id FROM predict.runs x
	WHERE x.cluster_id = s.cluster_id AND x.job_id = s.job_id
	ORDER BY least(s.ended_at, coalesce(x.ended_at, 'infinity'))
		- greatest(s.started_at, x.started_at) DESC
	LIMIT 1
) r ON true;
COMMENT ON VIEW predict.run_nodes IS
	'What each node saw, with the run that it was part of.';

CREATE VIEW predict.profile_details AS
SELECT c.name AS cluster, p.job_id, p.started_at, n.name AS node, p.ended_at,
	p.source, p.tasks, p.busy_s, p.ready_s, p.idle_s, p.spinning_s,
	p.busy_phase_s, p.idle_phase_s, p.cpu_available, p.cpu_speed, p.mpi_s,
	p.mpi_cpu_s, p.missed_bytes, p.peer_names, p.peer_messages,
	p.peer_bytes, p.peer_bandwidths_bps, p.peer_latencies_s, p.peer_count,
	p.change, r.run_id,
	-- For rows of older versions: lists as long as the others.
	CASE WHEN p.peer_names IS NOT NULL THEN
		coalesce(p.peer_replies, u.unknown) END AS peer_replies,
	CASE WHEN p.peer_names IS NOT NULL THEN
		coalesce(p.peer_long_messages, u.unknown)
		END AS peer_long_messages,
	p.cpu_left,
	coalesce(p.ranks, '{}') AS ranks,
	coalesce(p.rank_counts, '{}') AS rank_counts,
	coalesce(p.rank_peers, '{}') AS rank_peers,
	coalesce(p.rank_messages, '{}') AS rank_messages,
	coalesce(p.rank_bytes, '{}') AS rank_bytes,
	coalesce(p.rank_peer_messages, '{}') AS rank_peer_messages,
	coalesce(p.rank_peer_bytes, '{}') AS rank_peer_bytes,
	coalesce(p.rank_asked_any, '{}') AS rank_asked_any,
	coalesce(p.rank_own_s, '{}') AS rank_own_s,
	coalesce(p.rank_tasks, '{}') AS rank_tasks,
	coalesce(p.rank_tasks_s, '{}') AS rank_tasks_s,
	coalesce(p.rank_tasks_s2, '{}') AS rank_tasks_s2
FROM predict.run_profiles p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.nodes n ON n.node_id = p.node_id
CROSS JOIN LATERAL (
	SELECT array_fill(NULL::double precision,
		ARRAY[coalesce(cardinality(p.peer_names), 0)]) AS unknown
) u
LEFT JOIN LATERAL (
	SELECT x.run_id FROM predict.runs x
	WHERE x.cluster_id = p.cluster_id AND x.job_id = p.job_id
	ORDER BY least(p.ended_at, coalesce(x.ended_at, 'infinity'))
		- greatest(p.started_at, x.started_at) DESC
	LIMIT 1
) r ON true;
COMMENT ON VIEW predict.profile_details IS
	'What each node saw a run do, with names and the run.';

CREATE VIEW predict.profiles AS
SELECT d.run_id, d.cluster, d.job_id, r.application, r.nodes, d.node, d.tasks,
	CASE d.source WHEN 0 THEN 'packets' WHEN 1 THEN 'mpi' END AS source,
	d.busy_s, d.ready_s, d.idle_s, d.spinning_s, d.busy_phase_s,
	d.idle_phase_s, d.cpu_available,
	(SELECT sum(m) FROM unnest(d.peer_messages) m) AS messages,
	(SELECT sum(b) FROM unnest(d.peer_bytes) b) AS bytes,
	d.cpu_left
FROM predict.profile_details d
LEFT JOIN predict.run_details r ON r.run_id = d.run_id;
COMMENT ON VIEW predict.profiles IS
	'What each node saw a run do, summed up over its peers.';

-- --- What the arrays hold, a row for each element ----------------------------

CREATE VIEW predict.run_parameters AS
SELECT r.run_id, p.name, p.value
FROM predict.runs r,
	unnest(r.parameter_names, r.parameter_values) p (name, value);
COMMENT ON VIEW predict.run_parameters IS
	'Numbers that the user gave to the application of a run.';

CREATE VIEW predict.prediction_parameters AS
SELECT o.prediction_id, o.stage, p.name, p.value
FROM predict.predictions o,
	unnest(o.parameter_names, o.parameter_values) p (name, value);
COMMENT ON VIEW predict.prediction_parameters IS
	'Numbers that the user gave to the application of a prediction.';

CREATE VIEW predict.prediction_candidates AS
SELECT o.prediction_id, o.stage, k.model, k.median_s
FROM predict.predictions o,
	unnest(o.candidate_models, o.candidate_medians_s)
		k (model, median_s);
COMMENT ON VIEW predict.prediction_candidates IS
	'What each model would have answered, right or wrong.';

CREATE VIEW predict.prediction_evidence AS
SELECT o.prediction_id, o.stage, c.name AS cluster, e.job_id,
	e.runtime_s::double precision AS runtime_s,
	e.weight::double precision AS weight
FROM predict.predictions o
JOIN predict.clusters c ON c.cluster_id = o.cluster_id,
	unnest(o.evidence_job_ids, o.evidence_runtimes_s, o.evidence_weights)
		e (job_id, runtime_s, weight);
COMMENT ON VIEW predict.prediction_evidence IS
	'The finished runs of most weight that a prediction rested on.';

-- --- Predicted and actual: p is the median, a the run time

-- Whether the run time says how long the job takes: not if the system ended
-- it, or nobody knows who did.  Models learn from the same runs.
CREATE FUNCTION predict.state_tells(state text) RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	AS $$ SELECT state IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT',
		'OUT_OF_MEMORY') $$;
COMMENT ON FUNCTION predict.state_tells(text) IS
	'Whether a run that ended so is compared with its prediction.';

CREATE VIEW predict.prediction_outcomes AS
SELECT p.prediction_id, p.stage, p.made_at, c.name AS cluster, p.user_id,
	p.account, p.partition, p.job_name, a.name AS application, p.mode,
	p.basis, p.model, p.runs AS rests_on_runs, p.median_s, p.quantile,
	p.quantile_s, r.run_id, r.job_id, r.started_at, r.ended_at,
	r.state::text AS state, o.runtime_s,
	100 * abs(p.median_s - o.told_s) / nullif(o.told_s, 0) AS error_pct,
	o.told_s <= p.quantile_s AS covered
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id
LEFT JOIN predict.runs r ON r.prediction_id = p.prediction_id
	AND r.cluster_id = p.cluster_id AND r.user_id = p.user_id
LEFT JOIN LATERAL (
	SELECT x.runtime_s, CASE WHEN predict.state_tells(r.state)
		THEN x.runtime_s END AS told_s
	FROM (SELECT extract(epoch FROM r.ended_at - r.started_at)
		::double precision AS runtime_s) x
) o ON true;
COMMENT ON VIEW predict.prediction_outcomes IS
	'What was predicted and what happened; error_pct and covered are NULL '
	'unless the run''s end tells something (see state_tells).';

-- coalesce(), though there is an end, because that is what runs_ended indexes.
CREATE VIEW predict.run_outcomes AS
SELECT r.run_id, c.name AS cluster, r.partition, r.user_id, r.user_name,
	a.name AS application, coalesce(r.ended_at, r.started_at) AS ended_at,
	r.state::text AS state,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		AS runtime_s,
	nullif(r.limit_s, 'Infinity') AS limit_s, s.stage,
	coalesce(p.basis = 'history' AND p.median_s IS NOT NULL, false)
		AS predicted,
	p.model, p.median_s, p.quantile, p.quantile_s
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id
CROSS JOIN (VALUES ('submission'), ('start')) s (stage)
LEFT JOIN predict.predictions p ON p.prediction_id = r.prediction_id
	AND p.stage = s.stage AND p.cluster_id = r.cluster_id
	AND p.user_id = r.user_id
WHERE r.ended_at IS NOT NULL AND r.state <> 'RUNNING'
	AND r.import_id IS NULL AND predict.state_tells(r.state);
COMMENT ON VIEW predict.run_outcomes IS
	'Each run that was reported and whose end tells something, twice: with '
	'what was predicted at its submission and at its start; NULL: nothing '
	'was.';

-- Run times below a second count as one second where something is divided by
-- them.  A group without predictions at the start has no row for that stage.
CREATE FUNCTION predict.accuracy(
	by_what text DEFAULT 'all', since timestamptz DEFAULT NULL,
	until timestamptz DEFAULT NULL, only_cluster text DEFAULT NULL,
	only_partition text DEFAULT NULL, only_user text DEFAULT NULL,
	only_application text DEFAULT NULL, only_model text DEFAULT NULL,
	only_completed boolean DEFAULT false, only_uid bigint DEFAULT NULL)
	RETURNS TABLE (name text, stage text, runs bigint, predicted bigint,
		error_pct double precision, median_error_pct double precision,
		accuracy_pct double precision, under_pct double precision,
		covered_pct double precision, quantile_pct double precision,
		limited bigint, limit_missed_pct double precision,
		limit_error_pct double precision,
		limit_factor double precision)
	LANGUAGE sql STABLE
AS $$
	SELECT CASE by_what
			WHEN 'cluster' THEN o.cluster
			WHEN 'partition' THEN o.partition
			WHEN 'user' THEN coalesce(nullif(o.user_name, ''),
				o.user_id::text)
			WHEN 'application' THEN o.application
			WHEN 'model' THEN CASE WHEN o.predicted
				THEN o.model ELSE '' END
			WHEN 'month' THEN to_char(o.ended_at
				AT TIME ZONE 'UTC', 'YYYY-MM')
			ELSE 'all' END,
		o.stage, count(*), count(*) FILTER (WHERE o.predicted),
		100 * sum(abs(o.median_s - o.runtime_s))
			FILTER (WHERE o.predicted)
			/ nullif(sum(o.runtime_s)
				FILTER (WHERE o.predicted), 0),
		100 * percentile_cont(0.5) WITHIN GROUP (ORDER BY
			abs(o.median_s - o.runtime_s)
				/ greatest(o.runtime_s, 1))
			FILTER (WHERE o.predicted),
		100 * avg(greatest(least(o.median_s, o.runtime_s), 1)
			/ greatest(o.median_s, o.runtime_s, 1))
			FILTER (WHERE o.predicted),
		100 * avg((o.runtime_s > o.median_s)::integer)
			FILTER (WHERE o.predicted)::double precision,
		100 * avg((o.runtime_s <= o.quantile_s)::integer)
			FILTER (WHERE o.predicted)::double precision,
		100 * avg(o.quantile) FILTER (WHERE o.predicted),
		count(o.limit_s),
		100 * avg((o.state = 'TIMEOUT'
			OR o.runtime_s > o.limit_s)::integer)
			FILTER (WHERE o.limit_s IS NOT NULL)
			::double precision,
		100 * sum(abs(o.limit_s - o.runtime_s))
			/ nullif(sum(o.runtime_s)
				FILTER (WHERE o.limit_s IS NOT NULL), 0),
		sum(o.limit_s) / nullif(sum(o.runtime_s)
			FILTER (WHERE o.limit_s IS NOT NULL), 0)
	FROM predict.run_outcomes o
	WHERE (since IS NULL OR o.ended_at >= since)
		AND (until IS NULL OR o.ended_at < until)
		AND (only_cluster IS NULL OR o.cluster = only_cluster)
		AND (only_partition IS NULL OR o.partition = only_partition)
		AND (only_user IS NULL OR o.user_name = only_user
			OR o.user_id::text = only_user)
		AND (only_uid IS NULL OR o.user_id = only_uid)
		AND (only_application IS NULL
			OR o.application = only_application)
		AND (only_model IS NULL
			OR (o.predicted AND o.model = only_model))
		AND (NOT only_completed OR o.state = 'COMPLETED')
	GROUP BY 1, 2
	HAVING o.stage = 'submission' OR bool_or(o.predicted)
$$;
COMMENT ON FUNCTION predict.accuracy(text, timestamptz, timestamptz, text,
	text, text, text, text, boolean, bigint) IS
	'How right predictions from history were, and the users'' limits, by '
	'''all'', ''cluster'', ''partition'', ''user'', ''application'', '
	'''model'' or ''month'' (UTC).';

DO $$
DECLARE
	what text;
BEGIN
	FOREACH what IN ARRAY ARRAY['cluster', 'partition', 'user',
			'application', 'month'] LOOP
		EXECUTE format('CREATE VIEW predict.%I AS '
			'SELECT name AS %I, stage, runs, predicted, '
			'error_pct, median_error_pct, accuracy_pct, '
			'under_pct, covered_pct, quantile_pct, limited, '
			'limit_missed_pct, limit_error_pct, limit_factor '
			'FROM predict.accuracy(%L) '
			'ORDER BY %s, name, stage DESC',
			'accuracy_by_' || what,
			CASE what WHEN 'user' THEN 'user_name' ELSE what END,
			what, CASE what WHEN 'month' THEN 'name DESC'
			ELSE 'runs DESC' END);
		EXECUTE format('COMMENT ON VIEW predict.%I IS %L',
			'accuracy_by_' || what,
			'How right predictions have been, per ' || what
			|| ' and stage.');
	END LOOP;
END $$;

CREATE VIEW predict.accuracy_by_model AS
WITH answers AS (
	SELECT '(chosen)' AS model, o.stage, o.median_s, o.runtime_s,
		o.error_pct, o.covered
	FROM predict.prediction_outcomes o
	WHERE o.error_pct IS NOT NULL AND o.basis = 'history'
	UNION ALL
	SELECT k.model, o.stage, k.median_s, o.runtime_s,
		100 * abs(k.median_s - o.runtime_s) / o.runtime_s, NULL
	FROM predict.prediction_outcomes o
	JOIN predict.prediction_candidates k
		ON k.prediction_id = o.prediction_id AND k.stage = o.stage
	WHERE o.error_pct IS NOT NULL AND k.median_s IS NOT NULL
)
SELECT model, stage, count(*) AS runs,
	100 * sum(abs(median_s - runtime_s)) / sum(runtime_s) AS error_pct,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY error_pct)
		AS median_error_pct,
	100 * avg(covered::integer)::double precision AS covered_pct
FROM answers
GROUP BY model, stage
ORDER BY model, stage DESC;
COMMENT ON VIEW predict.accuracy_by_model IS
	'How right each model has been, and the one that was chosen each time, '
	'per stage.';

-- --- Now ---------------------------------------------------------------------

-- The start knows more than the submission did.
CREATE VIEW predict.recent_runs AS
SELECT d.ended_at, d.cluster, d.job_id, d.user_name, d.application,
	d.node_list, d.state, d.runtime_s, p.median_s AS predicted_s, p.model
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.model FROM predict.prediction_details x
	WHERE x.prediction_id = d.prediction_id
		AND x.cluster = d.cluster AND x.user_id = d.user_id
	ORDER BY x.stage LIMIT 1
) p ON true
WHERE d.state <> 'RUNNING'
ORDER BY coalesce(d.ended_at, d.started_at) DESC, d.run_id DESC
LIMIT 200;
COMMENT ON VIEW predict.recent_runs IS 'The last 200 runs that ended.';

CREATE VIEW predict.running AS
SELECT d.cluster, d.job_id, d.user_name, d.application, d.node_list,
	d.started_at,
	extract(epoch FROM now() - d.started_at)::double precision
		AS elapsed_s,
	p.median_s AS predicted_s, p.quantile, p.quantile_s, d.limit_s
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.quantile, x.quantile_s
	FROM predict.prediction_details x
	WHERE x.prediction_id = d.prediction_id
		AND x.cluster = d.cluster AND x.user_id = d.user_id
	ORDER BY x.stage LIMIT 1
) p ON true
WHERE d.state = 'RUNNING'
ORDER BY d.started_at;
COMMENT ON VIEW predict.running IS 'Runs whose end has not been reported.';

CREATE VIEW predict.node_load_now AS
SELECT c.name AS cluster, n.name AS node, m.measured_at, m.cpu_load,
	m.cpu_available, m.memory_available_mb,
	extract(epoch FROM now() - m.measured_at)::double precision AS age_s
FROM predict.nodes n
JOIN predict.clusters c ON c.cluster_id = n.cluster_id
JOIN LATERAL (
	SELECT x.measured_at, x.cpu_load, x.cpu_available,
		x.memory_available_mb
	FROM predict.measurements x
	WHERE x.node_id = n.node_id
		AND x.measured_at > now() - interval '1 day'
	ORDER BY x.measured_at DESC
	LIMIT 1
) m ON true
ORDER BY c.name, n.name;
COMMENT ON VIEW predict.node_load_now IS
	'The newest measurement of each node that measured within a day.';

CREATE VIEW predict.links_now AS
SELECT DISTINCT ON (c.name, f.name, t.name) c.name AS cluster,
	f.name AS from_node, t.name AS to_node, m.measured_at,
	m.bandwidth_bps, m.latency_s, m.utilisation,
	extract(epoch FROM now() - m.measured_at)::double precision AS age_s
FROM predict.link_measurements m
JOIN predict.nodes f ON f.node_id = m.from_node_id
JOIN predict.nodes t ON t.node_id = m.to_node_id
JOIN predict.clusters c ON c.cluster_id = f.cluster_id
WHERE m.measured_at > now() - interval '6 hours'
ORDER BY c.name, f.name, t.name, m.measured_at DESC;
COMMENT ON VIEW predict.links_now IS
	'The newest measurement of each link that was measured within six '
	'hours.';
