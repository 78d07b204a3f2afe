# SPDX-License-Identifier: GPL-2.0-or-later
# lint.mk - what can be said about the sources without running them

.PHONY: lint format
lint: deps-lint
	@$(MAKE) -j2 all $(BUILD)/tests/lint/tables
	@[ -d $(BUILD)/slurm/include ] || \
		export LINT_WITHOUT='$(subst $(eval) ,|,$(SELECT_INSIDE))'; \
	CC='$(CC)' CLANG='$(CLANG)' BUILD='$(BUILD)' \
		CPPFLAGS="$$LINT_CPPFLAGS" tests/lint/lint

.PHONY: lines
lines:
	@tests/lint/lines

# Prints the tables that documents describe, for the step `tables`.
$(BUILD)/tests/lint/tables: $(BUILD)/obj/tests/lint/tables.o \
		$(BUILD)/obj/libtested.a
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TEST_LIBS)

$(BUILD)/obj/libtested.a: $(patsubst %.c,$(BUILD)/obj/%.o,$(TESTED))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

# `make format FILES="a.c b.h"` formats these alone.
format:
	@tests/lint/format $(FILES)

lint: export LINT_CPPFLAGS = $(CPPFLAGS) -isystem $(BUILD)/slurm/include

## make check-docs try the command lines of README, NEWS and the manual pages
.PHONY: check-docs
check-docs: deps-lint
	@$(MAKE) -j2 all rehearse
	@tests/lint/check-docs $(BUILD)

## make lines count lines of code, outside tests and without comments
## make lint check format, style and likely bugs of all sources
## make format run clang-format over all sources (FILES= these alone)
