# The commands of every day; each calls a script, which has the options.

.PHONY: help check test lint format bench nightly ci demo site

help:
	@echo "make check PART=Outbox   builds one part's tests alone and runs them"
	@echo "make test                all tests"
	@echo "make lint                format, order of folders, samples"
	@echo "make format              formats in place"
	@echo "make ci                  what a change has to pass"
	@echo "make nightly             everything else"
	@echo "make bench               the benchmarks"
	@echo "make demo                an example"
	@echo "make site                the documentation as one site"

check:
	scripts/check $(PART)

test:
	scripts/test

lint:
	scripts/lint

format:
	swift format --in-place --recursive --parallel Sources Tests Fixtures Examples Benchmarks Package.swift

bench:
	scripts/benchmark

nightly:
	scripts/nightly

ci:
	.ci/run

demo:
	scripts/demo

site:
	scripts/site
