/*
 * page.h - the files of report/page/, embedded when Stalemate is built (cmake/embed.cmake).
 *
 * They are separate files, so that editors, browsers and linters can be used on them. html.c
 * replaces @STYLE@, @DATA@ and @SCRIPT@ in page.html. The scripts share one function's scope, in
 * the order of report/CMakeLists.txt.
 */
#ifndef SM_REPORT_PAGE_H
#define SM_REPORT_PAGE_H

extern const char sm_page_html[], sm_page_css[];
extern const char *const sm_page_scripts[]; /* ends in NULL */

#endif
