# SPDX-License-Identifier: GPL-2.0-or-later
# farm.mk - a library that hands out tasks, and predict-farm, which runs command
# lines with it.  They need an MPI, so they are no part of `all`.

FARM_LIBRARY_SOURCES = $(wildcard contrib/farm/farm_*.c) \
	$(filter-out predictor/farm/recognise%,$(wildcard predictor/farm/*.c))
FARM_CFLAGS = -std=gnu11 -O2 -fPIC -Wall -Wextra -Wshadow $(WERROR)

FARM_LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
PYTHONDIR = $(PREFIX)/lib/python3/dist-packages

## make farm build/lib/libpredict_farm.so and build/bin/predict-farm (needs MPI)
.PHONY: farm
farm: $(BUILD)/lib/libpredict_farm.so $(BUILD)/bin/predict-farm \
	$(BUILD)/lib/predict_farm.py

$(BUILD)/lib/libpredict_farm.so: $(FARM_LIBRARY_SOURCES) \
		$(wildcard contrib/farm/*.h predictor/farm/*.h)
	@mkdir -p $(@D)
	$(call say,LD)$(MPICC) -D_GNU_SOURCE -I. $(FARM_CFLAGS) -shared \
		-Wl,-soname,libpredict_farm.so -o $@ $(FARM_LIBRARY_SOURCES) -lm

$(BUILD)/bin/predict-farm: contrib/farm/predict-farm \
		$(BUILD)/lib/libpredict_farm.so $(BUILD)/lib/predict_farm.py
	@mkdir -p $(@D)
	$(call say,CP)cp $< $@

$(BUILD)/lib/predict_farm.py: contrib/farm/predict_farm.py
	@mkdir -p $(@D)
	$(call say,CP)cp $< $@

FARM_INSTALLED = $(FARM_LIBDIR)/libpredict_farm.so $(BINDIR)/predict-farm \
	$(INCLUDEDIR)/predict_farm.h $(PYTHONDIR)/predict_farm.py \
	$(MANDIR)/man1/predict-farm.1

.PHONY: install-farm
install-farm: farm
	install -D -m 755 -t $(DESTDIR)$(FARM_LIBDIR) \
		$(BUILD)/lib/libpredict_farm.so
	install -D -m 755 -t $(DESTDIR)$(BINDIR) $(BUILD)/bin/predict-farm
	install -D -m 644 -t $(DESTDIR)$(INCLUDEDIR) contrib/farm/predict_farm.h
	install -D -m 644 -t $(DESTDIR)$(PYTHONDIR) contrib/farm/predict_farm.py
	install -D -m 644 -t $(DESTDIR)$(MANDIR)/man1 \
		contrib/farm/predict-farm.1
