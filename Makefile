# A thin front for CMake and Ninja: `make demo` and `make test` are all a newcomer needs.
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=

.PHONY: all setup setup-build test demo bench-engine bench-hunt bench-atomicity bench-verify reproduce-jumble reproduce-jpr reproduce-assd install clean format

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j$(JOBS)

$(BUILD)/build.ninja:
	@command -v cmake ninja >/dev/null || { echo "make: cmake or ninja is missing; run: make setup" >&2; exit 1; }
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS)

setup:
	@scripts/setup.sh

setup-build:
	@scripts/setup.sh build

test: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) test-programs
	@ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure

demo: setup-build
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh $(BUILD)

bench-engine: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) bench-engine-programs
	@bench/engine/run.sh $(BUILD)

bench-atomicity: setup
	@$(MAKE) --no-print-directory all
	@bench/atomicity/run.sh $(BUILD)

bench-hunt: setup
	@$(MAKE) --no-print-directory all
	@bench/hunt/run.sh $(BUILD)

bench-verify: setup
	@$(MAKE) --no-print-directory all
	@bench/verify/run.sh $(BUILD)

reproduce-jumble: setup
	@$(MAKE) --no-print-directory all
	@bench/jumble/run.sh $(BUILD)

reproduce-jpr: setup
	@$(MAKE) --no-print-directory all
	@bench/jpr/run.sh $(BUILD)

.PHONY: bench-detect
bench-detect: setup
	@$(MAKE) --no-print-directory all
	@bench/detect/run.sh $(BUILD)

.PHONY: reproduce-jrf
reproduce-jrf: setup
	@$(MAKE) --no-print-directory all
	@bench/jrf/run.sh $(BUILD)

.PHONY: reproduce-pm
reproduce-pm: setup
	@$(MAKE) --no-print-directory all
	@bench/prescient/run.sh $(BUILD)

.PHONY: bench-prescient
bench-prescient: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) prescient-overhead
	@bench/prescient/overhead.sh $(BUILD)

reproduce-assd: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) -j$(JOBS) atomicity-programs
	@bench/assd/run.sh $(BUILD)

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@scripts/sources.sh | xargs clang-format-19 -i

clean:
	@rm -rf $(BUILD)
