/*
 * bundle.h - program, libraries and this command in one file, for nodes that share no file system
 * with the machine on which a command was submitted (`--on ... --copy`).
 *
 *   bin/stalemate    this command; its libraries, except the C library, are in lib/stalemate,
 *                    where its DT_RPATH finds them
 *   libraries/       those of the program that are not the system's; the command tells the loader
 *                    of them (SM_LIBRARIES_ENV), and the environment of the program stays as it was
 *   work/            the program, and the files that its arguments name, under the same names
 *   input, run.sh    of on.h
 *
 * System libraries must be the same on the nodes: all libraries are part of a campaign's identity,
 * by their build-ids and not by their paths. So merge refuses a node that has others.
 */
#ifndef SM_COMMANDS_ON_BUNDLE_H
#define SM_COMMANDS_ON_BUNDLE_H

#include "base/options.h"

#define SM_BUNDLE_FILE "bundle.tar.gz"

/* Makes `base`/SM_BUNDLE_FILE of the program of these settings, of `self`, and of `base`/input and
   `base`/run.sh. */
bool sm_bundle_make(const struct sm_settings *settings, const char *self, const char *base,
                    struct sm_error *error);

#endif
