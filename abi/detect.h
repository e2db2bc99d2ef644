/*
 * detect.h - the interface between the driver and a program of the detect flavour.
 *
 * The driver starts the program with the number of an open descriptor in SM_DETECT_ENV; the runtime
 * writes its findings there, in the lines that native/finding.h describes. Without the variable it
 * prints text on standard error.
 */
#ifndef SM_ABI_DETECT_H
#define SM_ABI_DETECT_H

#define SM_DETECT_ENV "STALEMATE_DETECT"
/* The exit status of a program that runs by itself and had races, unless TSAN_OPTIONS has
   `exitcode=N`: that of ThreadSanitizer, so that test suites fail. */
#define SM_DETECT_STATUS 66
#define SM_TSAN_OPTIONS_ENV "TSAN_OPTIONS"
#define SM_DETECT_LIBRARY "libstalemate_detect.so"

#endif
