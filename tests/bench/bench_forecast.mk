# SPDX-License-Identifier: GPL-2.0-or-later
# bench_forecast.mk - forecasts against series of resources
#
# `make bench-forecast DATA=FOLDER` takes the public archives in FOLDER, without
# DATA a made-up sample; FORECAST_ALL=--all all series, not samples of them.

BENCH_FORECAST_OBJECTS = $(BUILD)/obj/tests/bench/bench_forecast.o \
	$(BUILD)/obj/tests/bench/nws.o \
	$(call OBJECTS,$(BUILD)/obj,predictor/base predictor/stats \
	predictor/forecast)

$(BUILD)/bin/bench-forecast: $(BENCH_FORECAST_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas -lm \
		-lpthread

## make bench-forecast forecasts of resources (DATA=folder of public series)
.PHONY: bench-forecast bench-programs
bench-forecast: $(BUILD)/bin/bench-forecast
	@tests/bench/bench_forecast.sh "$(BUILD)" "$(DATA)" $(FORECAST_ALL)

bench-programs: $(BUILD)/bin/bench-forecast
