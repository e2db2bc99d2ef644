/*
 * page.h - the files of report/page/, embedded when Stalemate is built (cmake/embed.cmake).
 *
 * They stay files, so that an editor, a browser and a linter can be used on them. page.html
 * has @STYLE@, @DATA@ and @SCRIPT@ where html.c puts the rest. The scripts share one function's
 * scope, in the order of report/CMakeLists.txt.
 */
#ifndef SM_REPORT_PAGE_H
#define SM_REPORT_PAGE_H

extern const char sm_page_html[], sm_page_css[];
extern const char *const sm_page_scripts[]; /* ends in NULL */

#endif
