#!/usr/bin/env bash
# soak_quickstart.sh -- the README's quick start as a newcomer has it: everything
# is built from a clean clone, without a network.

CLEAN=1
. tests/deploy/test_quickstart.sh
