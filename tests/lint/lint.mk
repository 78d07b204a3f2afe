# lint.mk - what can be said about the sources without running them

.PHONY: lint format
lint: deps-lint $(BUILD)/slurm/ready
	@[ -d $(BUILD)/slurm/include ] || \
		export LINT_WITHOUT='$(subst $(eval) ,|,$(SELECT_INSIDE))'; \
	CC='$(CC)' CLANG='$(CLANG)' CPPFLAGS="$$LINT_CPPFLAGS" tests/lint/lint

# `make format FILES="a.c b.h"` formats these alone.
format:
	@tests/lint/format $(FILES)

lint: export LINT_CPPFLAGS = $(CPPFLAGS) -isystem $(BUILD)/slurm/include

## make lint check format, style and likely bugs of all sources
## make format run clang-format over all sources (FILES= these alone)
