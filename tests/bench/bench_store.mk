# SPDX-License-Identifier: GPL-2.0-or-later
# bench_store.mk - imports into PostgreSQL, and starts from it

BENCH_STORE_OBJECTS = $(BUILD)/obj/tests/bench/bench_store.o \
	$(filter-out $(BUILD)/obj/predictor/daemon/predictd.o, \
	$(PREDICTD_OBJECTS))

$(BUILD)/bin/bench-store: $(BENCH_STORE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PREDICTD_LIBS)

.PHONY: bench-programs
bench-programs: $(BUILD)/bin/bench-store
