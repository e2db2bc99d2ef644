/*
 * page PROFILE PICTURES PAGE EVENTS...: opens each page in a browser and uses it as a reader would.
 *
 * EVENTS is how many the witness of the page has at least. Pictures of the page, for people to
 * look at, go to the directory PICTURES.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "browser.h"

#define FIGURE "document.querySelector('figure')"

static const char *pictures;

static void expect(double got, double wanted, const char *what)
{
    if (got != wanted)
        browser_fail("%s: %g, not %g", what, got, wanted);
}

/* "12 of 345" */
static double position(void)
{
    return browser_number("parseInt(" FIGURE ".querySelector('.position').textContent)");
}

static double count(void)
{
    return browser_number("Number(" FIGURE
                          ".querySelector('.position').textContent.split(' ')[2])");
}

static void press(const char *key, double wanted)
{
    browser_press(key);
    expect(position(), wanted, key);
}

/* ---- what a reader does ---- */

static void check_load(void)
{
    expect(browser_requests, 1, "requests, of which one is for the page itself");
    expect(browser_number("Number(document.querySelectorAll('section').length > 0)"), 1,
           "a finding");
}

static void check_keys(double n)
{
    browser_number(FIGURE ".focus(), 0");
    press("Home", 1);
    press("ArrowRight", 2);
    press("ArrowLeft", 1);
    press("ArrowLeft", 1);
    press("PageDown", n < 11 ? n : 11);
    press("End", n);
    press("ArrowRight", n);
    browser_press("p");
    expect(browser_number(FIGURE ".querySelectorAll('.now.surprise').length"), 1,
           "a surprising read under the cursor");
    expect(browser_number("Number(" FIGURE ".querySelectorAll('.ghost').length > 0)"), 1,
           "a ghost arrow");
}

static void check_mouse(double n)
{
    browser_press("Home");
    browser_click("'figure svg .event:nth-of-type(3)'");
    expect(position(), 3, "a click on the third event");
    browser_click("'figure button[aria-label=\"step on\"]'");
    expect(position(), n < 4 ? n : 4, "a click on the arrow");
}

static void check_order(void)
{
    browser_number(FIGURE ".focus(), 0");
    browser_press("Home");
    browser_press("h");
    expect(browser_number("Number(" FIGURE ".querySelectorAll('path.order').length > 0)"), 1,
           "an edge of happens-before");
    browser_press("End");
    expect(browser_number("Number(" FIGURE ".querySelectorAll('.event.before').length > 0)"), 1,
           "an event before the current one");
    browser_press("h");
    expect(browser_number(FIGURE ".querySelectorAll('path.order').length"), 0, "edges, when off");
}

/* One for each race with trials enough to have a course. */
static void check_charts(void)
{
    expect(browser_number("document.querySelectorAll('svg.course').length"),
           browser_number("JSON.parse(document.getElementById('data').textContent).hunts.flatMap("
                          "(hunt) => hunt.result.races).filter((race) => race.course.length >= 3)"
                          ".length"),
           "charts");
}

static void check_filter(double events)
{
    browser_click("'figure .filter input'");
    double other = count();
    browser_click("'figure .filter input'");
    double larger = other > count() ? other : count();
    if (larger < events)
        browser_fail("%g events, not %g at least", larger, events);
}

/* Only what is looked at is in the document. */
static void check_size(void)
{
    double nodes = browser_number("document.querySelectorAll('*').length");
    if (nodes > 3000)
        browser_fail("%g elements", nodes);
}

/* No more than the window may be scrolled sideways. */
static void check_width(int width, const char *media)
{
    browser_emulate(media, "light");
    browser_resize(width, 800);
    double most = browser_number("document.documentElement.scrollWidth");
    if (most > width)
        browser_fail("%g pixels wide in a window of %d (%s)", most, width, media);
    browser_emulate("screen", "light");
}

/* ---- pictures ---- */

static void take(const char *page, const char *kind)
{
    char path[4200];
    const char *slash = strrchr(page, '/');
    snprintf(path, sizeof path, "%s/%s.%s.png", pictures, slash ? slash + 1 : page, kind);
    /* As tall as the page, so that all of it is in the picture. */
    json_decref(browser_command("Page.bringToFront", NULL));
    browser_screenshot(path);
}

static void take_pictures(const char *page)
{
    static const struct {
        const char *kind, *media, *scheme;
        int width;
    } kinds[] = {{"light", "screen", "light", 1200},
                 {"dark", "screen", "dark", 1200},
                 {"print", "print", "light", 800},
                 {"narrow", "screen", "light", 390}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        browser_emulate(kinds[i].media, kinds[i].scheme);
        browser_resize(kinds[i].width, 800);
        browser_resize(kinds[i].width,
                       (int)browser_number("document.documentElement.scrollHeight"));
        take(page, kinds[i].kind);
    }
    browser_emulate("screen", "light");
    browser_resize(1200, 800);
}

static void check_page(const char *page, double events)
{
    browser_resize(1200, 800);
    browser_open(page);
    check_load();
    double n = count();
    check_keys(n);
    check_mouse(n);
    check_order();
    check_charts();
    check_filter(events);
    check_size();
    check_width(390, "screen");
    check_width(700, "print");
    check_width(1200, "screen");
    take_pictures(page);
    expect(browser_complaints, 0, "complaints");
    expect(browser_requests, 1, "requests after all that");
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc % 2 == 0)
        return fputs("usage: page PROFILE PICTURES PAGE EVENTS...\n", stderr), 2;
    pictures = argv[2];
    mkdir(pictures, 0777);
    browser_start(argv[1]);
    for (int i = 3; i < argc; i += 2)
        check_page(argv[i], atof(argv[i + 1]));
    browser_stop();
    return 0;
}
