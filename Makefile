# Everything that is done with the project. `make help` lists it; CONTRIBUTING.md explains it.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build demo test crash attack docs lint format check sanitize fuzz bench install clean

PREFIX ?= /usr/local
# Without a path of its own to search, which the loader would try first for each library; with what
# is to be relocated as a table of bits, a thirtieth of the list that it would read else (glibc 2.36).
RELEASE_FLAGS := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
STARLING := .build/release/starling

help: ## List what make can do
	@sed -nE 's/^([a-z]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; \
	  do printf '  make %-10s %s\n' "$$name" "$$text"; done

setup: ## Install the missing Debian packages (apt-get, through sudo when not root)
	@.ci/setup

build: setup ## Build the command, optimized: .build/release/starling
	swift build $(RELEASE_FLAGS) --product starling

demo: build ## Load the demo feeds, apply the demo rules, show what was starred and why
	@.ci/demo

test: setup ## Build and run every test
	swift build --build-tests
	swift test --skip-build --disable-xctest
	Tests/Package/check

crash: setup ## Kill a process that works on a database, 250 times, and look at what is left
	swift build --product starling-crash
	.build/debug/starling-crash --kills 250 --schemas Tests/StarlingFavoritesTests/Fixtures/schemas \
	  $(if $(SEED),--seed $(SEED))

docs: setup ## Have DocC convert the catalogs, where a warning is an error
	swift build
	@.ci/docs

lint: setup ## Check format, imports, the rules of the house, and the Lua
	@.ci/lint

format: ## Rewrite the Swift sources in the house format
	swift format --in-place --parallel --recursive Sources Tests Package.swift

sanitize: setup ## Test what touches C under the address sanitizer, and tasks under that of threads
	@# The test runner itself leaks a few hundred bytes, so leaks are not what this looks for.
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/asan --disable-xctest \
	  --filter '^(StarlingLua|StarlingFeeds|StarlingSQLite)Tests\.'
	@# This one holds signals back until the next system call, and a loop of pure Lua makes none: what
	@# stops such a loop is tested without it.
	swift test --sanitize=thread --scratch-path .build/tsan --disable-xctest \
	  --filter '(ConcurrencyTests|GuardedTests|StoreFeedTests)/' --skip 'ConcurrencyTests/cancel\(\)'

attack: setup ## Run each attack on the sandbox in each place where Lua runs
	swift build --build-tests
	STARLING_ATTACKS=all swift test --skip-build --disable-xctest --filter '^StarlingTests\..*AttackTests'

FUZZ_CASES ?= 1000000
FUZZ_ROUNDS ?= 3000
FUZZ_SECONDS ?= 60
fuzz: setup ## Fuzz the decoders for FUZZ_SECONDS each, and Lua with FUZZ_CASES calls (a million)
	@Tests/Fuzz/feeds $(FUZZ_SECONDS)
	swift build -c release --product starling-fuzz-lua
	.build/release/starling-fuzz-lua $(FUZZ_CASES) $(FUZZ_ROUNDS) $(SEED)

check: lint test attack docs crash sanitize ## All of lint, test, attack, docs, crash and sanitize: what to run before a merge

bench: build ## Measure against C, and print the table of ratios
	@.ci/setup packages-bench
	swift build $(RELEASE_FLAGS) --product starling-bench
	@Tests/Benchmarks/run $(BENCH)

install: build ## Install under PREFIX (/usr/local), with the bundled plugins and scripts
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/starling
	install -s -m 755 $(STARLING) $(DESTDIR)$(PREFIX)/bin/starling
	cp -R plugins scripts $(DESTDIR)$(PREFIX)/share/starling/

clean: ## Remove what was built
	swift package clean
	rm -rf .build/asan .build/tsan .build/docs .build/benchmarks .build/demo
