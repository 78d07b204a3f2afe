# lint.mk - what can be said about the sources without running them

.PHONY: lint format
lint: deps-lint
	@CC='$(CC)' CLANG='$(CLANG)' CPPFLAGS="$$LINT_CPPFLAGS" tests/lint/lint

# `make format FILES="a.c b.h"` formats these alone.
format:
	@tests/lint/format $(FILES)

lint: export LINT_CPPFLAGS = $(CPPFLAGS)

## make lint check format, style and likely bugs of all sources
## make format run clang-format over all sources (FILES= these alone)
