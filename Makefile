# A thin front for CMake and Ninja: `make demo` and `make test` are all a newcomer needs.
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=

.PHONY: all product setup setup-build test demo fuzz install uninstall clean format

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j$(JOBS)

$(BUILD)/build.ninja:
	@for tool in cmake ninja clang-19 clang++-19 pkg-config; do command -v $$tool >/dev/null || \
		{ echo "make: $$tool is missing; run: make setup" >&2; exit 1; }; done
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS) || \
		{ echo "make: cmake has failed; if it misses a package, run: make setup" >&2; exit 1; }

# What ships, without tests and comparisons.
product: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j$(JOBS) product

setup:
	@scripts/setup.sh

setup-build:
	@scripts/setup.sh build

test: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) test-programs
	@# One more than there are cores: some tests wait, for Slurm and for other machines.
	@ctest --test-dir $(BUILD) --parallel $$(($(JOBS) + 1)) --output-on-failure

# Every program of tests/harm and tests/locks in every command and flavour that should notice its kind.
.PHONY: harm
harm: all
	@tests/harm/table.sh $(CURDIR)/$(BUILD)/bin $(CURDIR)/$(BUILD)/tests/harm/table

# The long form of the tests agree.programs.*: each of the 1,000 programs is enumerated, and hunted in
# six models, with verify and by trials alone.
.PHONY: agree
agree: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) test-programs
	@printf '%s\n' 1 2 3 4 5 | xargs -P $(JOBS) -I SEED $(BUILD)/tests/agree/agree \
	    $(BUILD)/bin/stalemate $(BUILD)/tests/agree/agree-program 200 SEED

# The long form of the tests differential.*: 10,000 programs in each flavour.
.PHONY: differential
differential: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) test-programs
	@for flavour in controlled detect; do $(BUILD)/tests/differential/differential $$flavour \
	    $(BUILD)/tests/differential/interpret-$$flavour 1 10000 || exit 1; done

# The long form of verify.retries: 20,000 random programs with loops, retries and undone additions, in
# six models, with and without the reductions.
.PHONY: retries
retries: setup
	@$(MAKE) --no-print-directory all
	@tests/verify/retries.sh $(BUILD) 1 100

# The long form of hunt.mutants: each mutant goes through check, replay and report.
.PHONY: mutants
mutants: setup
	@$(MAKE) --no-print-directory all
	@tests/hunt/mutants.sh $(abspath $(BUILD))/bin $(abspath $(BUILD))/tests/hunt/mutants-long \
	    $(abspath $(BUILD))/tests/hunt/witness-mutants 1

# The long form of the tests on.*: demo programs and pbzip2, hunted alone, by Slurm and by GNU parallel.
.PHONY: on-machines
on-machines: setup
	@$(MAKE) --no-print-directory all
	@tests/thirdparty/fetch.sh $(abspath $(BUILD))/tests/thirdparty/sources pbzip2
	@tests/on/everywhere.sh $(abspath $(BUILD))/bin $(abspath $(BUILD))/tests/on/everywhere \
	    $(abspath $(BUILD))/tests/shards/json-without $(abspath $(BUILD))/tests/thirdparty/sources/pbzip2

# The three commands of docs/scale.md, tried in a fresh clone.
.PHONY: on-clone
on-clone: setup
	@tests/on/clone.sh $(abspath $(BUILD))/bin $(abspath $(BUILD))/tests/on/clone -

# All cases of the test openmp.cases, which runs every third, under every schedule.
.PHONY: openmp
openmp: setup
	@$(MAKE) --no-print-directory all
	@tests/openmp/run.sh $(BUILD)/bin $(BUILD)/tests/openmp/all

# All programs of the test fix.programs, which takes some: a repair for each, and the program with it.
.PHONY: fix-programs
fix-programs: setup
	@$(MAKE) --no-print-directory product
	@tests/fix/programs.sh $(abspath $(BUILD))/bin $(abspath $(BUILD))/tests/fix/all

# Released projects from Debian's source packages: docs/projects.md. ONLY="liburcu ck": these alone.
# SEEDS=3 HUNT=20 is a short form. It goes on where it was; to begin again, remove
# $(BUILD)/projects/NAME.
.PHONY: projects
projects: setup
	@$(MAKE) --no-print-directory product
	@tests/projects/run.sh $(BUILD)/bin $(BUILD)/projects $(ONLY)
	@tests/projects/table.sh $(BUILD)/projects

# Findings in three of them, repaired by `stalemate fix`; their own test-suites pass (docs/fix.md).
.PHONY: projects-fix
projects-fix: setup
	@$(MAKE) --no-print-directory product
	@tests/projects/fix.sh $(BUILD)/bin $(BUILD)/projects-fix $(ONLY)

demo: setup-build
	@$(MAKE) --no-print-directory product
	@scripts/demo.sh $(BUILD)

# Every comparison is a script in bench/, behind one command: its target, the script, and what it
# wants built. ARGS are the script's further arguments (docs/bench.md).
define comparison
.PHONY: $(1)
$(1): setup
	@$$(MAKE) --no-print-directory all
	@$(if $(3),ninja -C $$(BUILD) -j$$(JOBS) $(3))
	@bench/$(2) $$(BUILD) $$(ARGS)
endef
$(eval $(call comparison,bench-engine,engine/run.sh,bench-engine-programs))
$(eval $(call comparison,bench-detect,detect/run.sh))
$(eval $(call comparison,bench-cliffs,cliffs/run.sh))
$(eval $(call comparison,bench-compile,cliffs/compile.sh))
$(eval $(call comparison,bench-hunt,hunt/run.sh))
$(eval $(call comparison,bench-verify,verify/run.sh))
$(eval $(call comparison,bench-parcels,verify/parcels.sh))
$(eval $(call comparison,bench-structures,verify/structures.sh))
$(eval $(call comparison,bench-prescient,prescient/overhead.sh,prescient-overhead))
$(eval $(call comparison,report-pictures,page/run.sh))
$(eval $(call comparison,bench-atomicity,atomicity/run.sh))
$(eval $(call comparison,bench-scale,scale/run.sh,bench-scale-programs))
$(eval $(call comparison,reproduce-jumble,jumble/run.sh))
$(eval $(call comparison,reproduce-pm,prescient/run.sh,prescient-overhead))
$(eval $(call comparison,reproduce-jrf,jrf/run.sh))
$(eval $(call comparison,reproduce-jpr,jpr/run.sh))
$(eval $(call comparison,reproduce-assd,assd/run.sh,atomicity-programs))

# libFuzzer on the files that the command reads, each for so many seconds.
FUZZ_SECONDS ?= 600
fuzz: setup
	@$(MAKE) --no-print-directory product
	@ninja -C $(BUILD) -j$(JOBS) fuzz-targets
	@for target in witness suppressions configuration expected; do \
		tests/fuzz/run.sh $(abspath $(BUILD)) $$target $(abspath $(BUILD))/fuzz/$$target \
			-max_total_time=$(FUZZ_SECONDS) || exit 1; done

install: product
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

# What the last install wrote, and the directories that are empty then.
uninstall:
	@scripts/uninstall.sh $(BUILD)/install_manifest.txt $(DESTDIR)

format:
	@scripts/sources.sh | xargs clang-format-19 -i

clean:
	@rm -rf $(BUILD)
