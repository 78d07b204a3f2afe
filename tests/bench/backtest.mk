# SPDX-License-Identifier: GPL-2.0-or-later
# backtest.mk - prediction and scheduling on job logs, replayed
#
# DATA= is a folder of job logs (*.swf, *.swf.gz, *.swf.xz), such as those of
# the Parallel Workloads Archive; without it a small made-up log is used.

BENCH_LOG_OBJECTS = $(addprefix $(BUILD)/obj/tests/bench/,logs.o \
	extreme_logs.o first_jobs.o lessons.o limit_told.o user_coverage.o) \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base stats features \
	$(SCRIPT) forecast $(MODELS) ensemble slurm logs scheduler \
	backtest))
BENCH_LOG_LIBS = -lgsl -lgslcblas -larchive -lm -lpthread

$(BUILD)/bin/bench-history $(BUILD)/bin/bench-scheduling \
		$(BUILD)/bin/bench-memory $(BUILD)/bin/bench-sooner: \
		$(BUILD)/bin/bench-%: $(BUILD)/obj/tests/bench/bench_%.o \
		$(BENCH_LOG_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(BENCH_LOG_LIBS)

## make bench-history how well run times are predicted (DATA=FOLDER of logs)
## make start-tables what the logs in DATA=FOLDER teach, as OUT=FILE
## make bench-scheduling what that does for scheduling (DATA=FOLDER of logs)
## make bench-memory how well memory is advised (DATA=FOLDER with LANL-CM5)
## make bench-sooner whether jobs start sooner as shown (DATA= DAYS= EVERY=)
.PHONY: bench-programs bench-history bench-scheduling bench-memory bench-sooner
bench-programs: $(BUILD)/bin/bench-history $(BUILD)/bin/bench-scheduling \
	$(BUILD)/bin/bench-memory $(BUILD)/bin/bench-sooner

bench-history: $(BUILD)/bin/bench-history
	@tests/bench/bench_history.sh "$(BUILD)" "$(DATA)"

.PHONY: start-tables
start-tables: $(BUILD)/bin/bench-history
	@$(BUILD)/bin/bench-history "$(DATA)" "$(OUT)"

bench-scheduling: $(BUILD)/bin/bench-scheduling
	@tests/bench/bench_scheduling.sh "$(BUILD)" "$(DATA)"

bench-memory: $(BUILD)/bin/bench-memory
	@$(BUILD)/bin/bench-memory "$(DATA)"

bench-sooner: $(BUILD)/bin/bench-sooner
	@$(BUILD)/bin/bench-sooner "$(DATA)" $(DAYS) $(EVERY)
