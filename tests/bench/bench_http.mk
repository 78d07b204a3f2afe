# SPDX-License-Identifier: GPL-2.0-or-later
# bench_http.mk - the server of predictd with an empty handler, and its client

BENCH_HTTP_OBJECTS = $(BUILD)/obj/tests/bench/bench_http.o \
	$(filter-out $(BUILD)/obj/predictor/daemon/predictd.o, \
	$(PREDICTD_OBJECTS))

$(BUILD)/bin/bench-http: $(BENCH_HTTP_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PREDICTD_LIBS)

.PHONY: bench-programs
bench-programs: $(BUILD)/bin/bench-http
