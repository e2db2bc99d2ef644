/*
 * image.h - what is known about a program before it is started.
 *
 * Reads the ELF file. Nothing here runs the program or trusts it.
 */
#ifndef SM_TARGET_IMAGE_H
#define SM_TARGET_IMAGE_H

#include "base/status.h"

#define SM_BUILD_ID_SIZE 80

/* Is this an executable for this machine that was built with Stalemate? */
bool sm_image_check(const char *path, struct sm_error *error);

/* The build-id in hexadecimal; for a file without one, "xxh3:" and a hash of its bytes. "" if the
   file cannot be read. */
void sm_image_build_id(const char *path, char id[SM_BUILD_ID_SIZE]);

#endif
