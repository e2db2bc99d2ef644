/*
 * source.h - file, line, column and function of an instruction.
 *
 * Code of the system's headers that was inlined (the wrappers of std::atomic) is
 * reported where the program calls it.
 */
#ifndef SM_PLUGIN_SOURCE_H
#define SM_PLUGIN_SOURCE_H

#include "plugin/pass.h"

void sm_source_of_instruction(struct sm_pass *pass, struct sm_row *row);
/* The same for a location, in a function that has debug information. */
void sm_source_of_location(struct sm_pass *pass, struct sm_row *row, LLVMMetadataRef location);
void sm_source_of_function(struct sm_pass *pass, struct sm_unit *unit);
bool sm_is_system_file(const char *file);

#endif
