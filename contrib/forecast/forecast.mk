# SPDX-License-Identifier: GPL-2.0-or-later
# forecast.mk - methods of forecasting, compared on a series; not installed

$(BUILD)/bin/forecast-series: $(addprefix $(BUILD)/obj/contrib/forecast/,\
		forecast_series.o nws.o) \
		$(CLI_ARCHIVE) \
		$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base stats \
		features $(SCRIPT) slurm forecast logs))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljson-c -larchive \
		-lgsl -lgslcblas -lm -lpthread

## make forecast-series methods of forecasting, compared on a series
.PHONY: forecast-series system-programs
forecast-series: $(BUILD)/bin/forecast-series
system-programs: forecast-series
