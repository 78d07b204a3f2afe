# SPDX-License-Identifier: GPL-2.0-or-later
# interfaces.mk - what others make of the API and the metrics

PROMETHEUS_PACKAGES = prometheus
NPM_PACKAGES = npm
# Beside the build: nothing of these is part of the project.
NPM_MODULES = openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9 \
	@types/node@20 @apidevtools/swagger-parser@10

$(BUILD)/npm/modules: tests/system/interfaces.mk
	@contrib/install-packages $(if $(shell command -v npm),,$(NPM_PACKAGES))
	@rm -rf $(@D)
	@mkdir -p $(@D)
	cd $(@D) && npm install --silent --no-fund --no-audit --no-save \
		--prefix . $(NPM_MODULES)
	@touch $@

## make check-openapi openapi.json: validator, and a client made from it (npm)
.PHONY: check-openapi
check-openapi: deps-run all $(BUILD)/npm/modules
	tests/system/check_openapi $(BUILD)

## make check-metrics promtool, and a Prometheus that reads the metrics
.PHONY: check-metrics deps-metrics
deps-metrics: ; @contrib/install-packages $(PROMETHEUS_PACKAGES)
check-metrics: deps-run deps-metrics all
	tests/system/check_metrics $(BUILD)

## make check-recipes contrib/site with Snakemake and Open OnDemand's erb
.PHONY: check-recipes
check-recipes: deps-run all
	@contrib/install-packages snakemake ruby
	tests/system/check_recipes $(BUILD)
