/* hunt_report.h - makes the report of a hunt (findings/hunt.h). */
#ifndef SM_HUNT_HUNT_REPORT_H
#define SM_HUNT_HUNT_REPORT_H

#include "findings/hunt.h"
#include "hunt/investigations.h"
#include "hunt/survey.h"

/* Failures without a lie are proved here: only now it is known which of them a lie explains. */
bool sm_hunt_report_fill(struct sm_hunt_report *report, struct sm_survey *survey,
                         struct sm_investigations *investigations, struct sm_error *error);

#endif
