# SPDX-License-Identifier: GPL-2.0-or-later
# forecast.mk - methods of forecasting, compared on a series; not installed
#
# What computes is the benchmark's.

$(BUILD)/bin/forecast-values: $(addprefix $(BUILD)/obj/tests/bench/,\
		forecast_values.o nws.o) \
		$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base stats \
		features forecast))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ \
		-lgsl -lgslcblas -lm -lpthread

$(BUILD)/bin/forecast-series: contrib/forecast/forecast-series \
		$(BUILD)/bin/forecast-values
	$(call say,CP)cp $< $@

## make forecast-series methods of forecasting, compared on a series
.PHONY: forecast-series system-programs
forecast-series: $(BUILD)/bin/forecast-series
system-programs: forecast-series
