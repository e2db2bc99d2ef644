/*
 * detect.h - how the driver and a program of the detect flavour find each other.
 *
 * The driver starts the program with the number of an open descriptor in SM_DETECT_ENV; the
 * runtime writes its findings there, in the lines that native/finding.h describes. Without
 * the variable it tells people, on standard error.
 */
#ifndef SM_ABI_DETECT_H
#define SM_ABI_DETECT_H

#define SM_DETECT_ENV "STALEMATE_DETECT"
#define SM_DETECT_LIBRARY "libstalemate_detect.so"

#endif
