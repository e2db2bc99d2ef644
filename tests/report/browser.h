/*
 * browser.h - a headless Chromium, driven over its remote debugging pipe.
 *
 * The browser reads commands from descriptor 3 and writes answers and events to descriptor 4,
 * JSON with a NUL behind each. That takes no port, no WebSocket and no other program. There is
 * one browser and one page; what goes wrong ends the test with a message. Everything the page
 * complains about (console, exceptions, violations of its policy) and everything it asks for is
 * counted.
 */
#ifndef SM_TESTS_BROWSER_H
#define SM_TESTS_BROWSER_H

#include <jansson.h>

/* Prints why, with the page at hand, and exits 1. */
__attribute__((format(printf, 1, 2), noreturn)) void browser_fail(const char *format, ...);

/* The profile is a directory that may be written to. */
void browser_start(const char *profile);
void browser_stop(void);

/* Sends a command to the page; takes over the parameters, which may be NULL. The result is to be
   released. */
json_t *browser_command(const char *method, json_t *parameters);

void browser_resize(int width, int height);
/* media "screen" or "print", scheme "light" or "dark" */
void browser_emulate(const char *media, const char *scheme);
void browser_open(const char *path);
/* Number, or text to be freed, of an expression; of a promise, what comes of it. */
double browser_number(const char *script);
char *browser_text(const char *script);
/* A key as the DOM names it: "ArrowRight", "n". */
void browser_press(const char *key);
/* The middle of the first element of the selector. */
void browser_click(const char *selector);
/* Of the window; whole: of all of the page. */
void browser_screenshot(const char *path, int whole);

/* Since browser_open. */
extern int browser_complaints, browser_requests;

#endif
