/*
 * page PROFILE PICTURES PAGE EVENTS...: opens each page in a browser and uses it as a reader would.
 *
 * EVENTS is how many the witness of the page's first finding has at least. What a page has to show
 * is asked of the page: locks, store buffers, lies, loops. Each must be on one of the pages.
 * Pictures, for people to look at, go to the directory PICTURES.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "browser.h"

#define FIGURE "document.querySelector('figure')"

static const char *pictures;
static struct {
    int lies, buffers, locks, loops, lists, newest, graphs, units, causes;
} seen;

static void expect(double got, double wanted, const char *what)
{
    if (got != wanted)
        browser_fail("%s: %g, not %g", what, got, wanted);
}

static double many(const char *selector)
{
    char script[1024];
    snprintf(script, sizeof script, "document.querySelectorAll('%s').length", selector);
    return browser_number(script);
}

static void expect_some(const char *selector, const char *what)
{
    if (!(many(selector) > 0))
        browser_fail("no %s", what);
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

static void focus(void)
{
    browser_number(FIGURE ".focus(), 0");
}

/* ---- the timeline ---- */

static void check_load(void)
{
    expect(browser_requests, 1, "requests, of which one is for the page itself");
    expect(many("article.finding h2"), 1, "a finding");
}

static void check_keys(double n)
{
    focus();
    press("Home", 1);
    press("ArrowRight", 2);
    press("ArrowLeft", 1);
    press("ArrowLeft", 1);
    press("PageDown", n < 11 ? n : 11);
    press("End", n);
    press("ArrowRight", n);
    expect(many(".event.end.now"), 1, "the failure under the cursor, at the end");
}

static void check_mouse(double n)
{
    focus();
    browser_press("Home");
    browser_click("'figure svg .event[data-row=\"2\"] .hit'");
    expect(position(), 3, "a click on the third event");
    browser_click("'figure button[aria-label=\"step on\"]'");
    expect(position(), n < 4 ? n : 4, "a click on the arrow");
}

/* The missing edge is drawn and explained at a lie, and nowhere else. */
static void check_why(void)
{
    focus();
    browser_press("End");
    expect(many(".arrow.ghost"), 0, "ghost arrows at the end");
    browser_press("p");
    if (!many(".event.now.surprise"))
        return;
    seen.lies++;
    expect(many(".arrow.ghost"), 1, "ghost arrows at a lie");
    expect_some(".arrow.seen", "arrow from the store that was seen");
    expect_some(".why .would", "line that would make the edge");
    expect_some(".code-row.tone-from, .code-row.tone-would", "line of the source that would");
    browser_press("w");
    expect(many(".arrow.ghost"), 0, "ghost arrows when off");
    expect(many(".arrow.missed"), 1, "arrows from the newest store");
    browser_press("w");
    expect(many(".arrow.ghost"), 1, "ghost arrows when on again");
}

static void check_order(void)
{
    focus();
    browser_press("Home");
    browser_press("h");
    expect_some(".arrow.order", "edge of happens-before");
    browser_press("End");
    browser_press("ArrowLeft"); /* of a deadlock the last two rows are its end */
    browser_press("ArrowLeft");
    expect_some(".event.before", "event before the current one");
    browser_press("h");
    expect(many(".arrow.order"), 0, "edges, when off");
}

/* Queues of stores drain at the flush; locks are named where they are held. */
static void check_state(void)
{
    focus();
    if (many(".queue")) {
        browser_press("End");
        browser_press("p");
        expect_some(".queue .chip.buffer", "store in a buffer");
        browser_press("Home");
        expect(many(".queue .chip.buffer"), 0, "stores in buffers at the start");
        seen.buffers++;
    }
    if (many(".event .chip.lock")) {
        expect_some(".lanes .held", "bar of a lock that is held");
        expect(browser_number("Number([...document.querySelectorAll('.event .chip.lock text')]."
                              "every((node) => /^[a-z_.]+$/.test(node.textContent)))"),
               1, "names of locks");
        seen.locks++;
    }
}

/* A loop is one row until somebody clicks it. */
static void check_folds(double events)
{
    focus();
    browser_press("Home");
    browser_press("PageDown");
    double before = count();
    if (many("[data-fold]")) {
        browser_click("'[data-fold] .hit'");
        if (!(count() > before))
            browser_fail("a click does not unfold a loop");
        seen.loops++;
        before = browser_number("Math.max(...[...document.querySelectorAll('.lanes text.number')]"
                                ".map((node) => Number(node.textContent) || 0))");
    }
    browser_press("End");
    double last = browser_number("Math.max(...[...document.querySelectorAll('.lanes text.number')]"
                                 ".map((node) => Number(node.textContent) || 0))");
    if (last < events)
        browser_fail("%g events, not %g at least", last, events);
}

/* Until the position has changed: the time it takes is nobody's business. */
static void check_play(void)
{
    focus();
    browser_press("Home");
    browser_click("'figure button[aria-label=\"play\"]'");
    expect(browser_number("new Promise((done) => { const look = () => parseInt(" FIGURE
                          ".querySelector('.position').textContent) > 2 ? done(1) : setTimeout("
                          "look, 20); look(); })"),
           1, "play");
    browser_click("'figure button[aria-label=\"pause\"]'");
    expect(many("figure button[aria-label=\"play\"]"), 1, "pause");
}

/* ---- addresses ---- */

static void check_permalink(const char *page)
{
    char link[4300];
    focus();
    browser_press("Home");
    browser_press("ArrowRight");
    char *here = browser_text("location.hash");
    snprintf(link, sizeof link, "%s%s", page, here);
    browser_open("/dev/null");
    browser_open(link);
    expect(position(), 2, "the event of a permalink");
    char *again = browser_text("location.hash");
    if (strcmp(here, again) != 0)
        browser_fail("the address %s became %s", here, again);
    free(here);
    free(again);
}

/* ---- side by side ---- */

static void check_newest(void)
{
    if (!many(".should .outcome"))
        return;
    expect(many(".should .outcome .bad"), 1, "outcomes that are bad");
    expect(many(".should .outcome .good"), 1, "outcomes with the newest values that are good");
    focus();
    browser_press("v");
    browser_press("End");
    expect(many(".event.end.ok.now"), 1, "a good end with the newest values");
    expect(many(".event.surprise"), 0, "surprises with the newest values");
    browser_press("v");
    browser_press("End");
    expect(many(".event.end.ok"), 0, "a good end of the execution itself");
    seen.newest++;
}

/* ---- the list ---- */

static void type_text(const char *text)
{
    json_decref(browser_command("Input.insertText", json_pack("{s:s}", "text", text)));
}

static void check_search(double n)
{
    browser_press("/");
    expect(browser_number("Number(document.activeElement.type === 'search')"), 1,
           "the search has the focus");
    type_text("no such finding");
    expect(many(".list a"), 0, "findings of a text that is nowhere");
    browser_number("document.activeElement.select(), 0");
    char *name = browser_text("document.title.split(' – ')[0]");
    type_text(name);
    free(name);
    double found = many(".list a");
    if (!(found > 0 && found < n))
        browser_fail("%g of %g findings by text", found, n);
    browser_number("(document.activeElement.value = '', document.activeElement.dispatchEvent("
                   "new Event('input')), document.activeElement.blur(), 0)");
    expect(many(".list a"), n, "findings without a search");
}

static void check_filter(double n)
{
    browser_click("'.chips button'");
    double left = many(".list a");
    if (!(left < n))
        browser_fail("a filter leaves all %g findings", left);
    browser_click("'.chips button'");
    expect(many(".list a"), n, "findings when the filter is off again");
}

static void check_walk(void)
{
    char *first = browser_text("location.hash.split('/')[0]");
    browser_press("j");
    char *second = browser_text("location.hash.split('/')[0]");
    if (strcmp(first, second) == 0)
        browser_fail("j stays at %s", first);
    expect(many(".list a[aria-current]"), 1, "current findings");
    browser_press("k");
    char *back = browser_text("location.hash.split('/')[0]");
    if (strcmp(first, back) != 0)
        browser_fail("k goes to %s, not %s", back, first);
    free(first);
    free(second);
    free(back);
}

static void check_list(void)
{
    double n = many(".list a");
    if (n < 3 || many(".chips button") < 2)
        return;
    seen.lists++;
    check_search(n);
    check_filter(n);
    check_walk();
}

/* ---- verify and atomicity ---- */

/* Of each verify an overview with its outcomes; of its violations the graph, whose relations can be
   switched. */
static void check_graphs(void)
{
    if (!many(".list a[href^=\"#assert\"]") || !many(".list h2.runs"))
        return;
    browser_number("(location.hash = '#assert', 0)");
    browser_number("new Promise((done) => setTimeout(() => done(0), 0))");
    expect_some(".graph .node", "node of the graph");
    expect_some(".graph .arrow.plain, .graph .arrow.seen", "reads-from edge");
    double before = many(".graph .arrow");
    browser_click("'.graph-box label:nth-of-type(3) input'");
    expect_some(".graph .arrow.order", "happens-before edge");
    browser_click("'.graph-box label:nth-of-type(3) input'");
    expect(many(".graph .arrow"), before, "edges when happens-before is off again");
    browser_click("'.graph-box label:nth-of-type(1) input'");
    expect(many(".graph .arrow.plain, .graph .arrow.seen"), 0, "reads-from edges when off");
    browser_number("(location.hash = document.querySelector('.list section:last-child a')."
                   "getAttribute('href'), 0)");
    browser_number("new Promise((done) => setTimeout(() => done(0), 0))");
    expect_some(".outcomes tbody tr", "outcome");
    expect_some(".outcomes a[href^=\"#\"]", "way from an outcome to an execution");
    expect(many("#execution .graph"), 0, "executions before one is asked for");
    browser_click("'.outcomes button'");
    expect_some("#execution .graph .node", "node of the graph of an output's execution");
    seen.graphs++;
}

/* The unit is a box, and what comes between is drawn into it. */
static void check_units(void)
{
    if (!many(".units"))
        return;
    expect(many(".units .unit"), 1, "units of work");
    expect_some(".units .intruder .cut-in", "event that comes between");
    expect_some(".units .set-chip.field", "field of the atomic set");
    seen.units++;
}

/* A finding with the cause of another one is listed behind it, and each leads to the other. */
static void check_causes(void)
{
    if (!many(".list .child a"))
        return;
    expect(many(".list li:not(.child) + .child") > 0, 1, "a finding behind its cause");
    browser_click("'.list .child a'");
    browser_number("new Promise((done) => setTimeout(() => done(0), 0))");
    expect(many(".causes a"), 1, "links to the cause");
    expect(many(".list .child a[aria-current]"), 1, "current findings that have another's cause");
    browser_click("'.causes a'");
    browser_number("new Promise((done) => setTimeout(() => done(0), 0))");
    expect(many(".list .child a[aria-current]"), 0, "current findings that have another's cause");
    expect_some(".causes a", "link from the cause");
    seen.causes++;
}

/* ---- size ---- */

/* One for each race with trials enough to have a course. */
static void check_charts(void)
{
    expect(
        many("svg.course"),
        browser_number("Math.min(1, JSON.parse(document.getElementById('data').textContent)."
                       "hunts.flatMap((hunt) => hunt.result.races).filter((race) => race.verdict "
                       "=== 'destructive').slice(0, 1).filter((race) => race.course.length >= "
                       "3).length)"),
        "charts");
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

/* The list is behind a button; the rows keep their text. */
static void check_narrow(void)
{
    check_width(400, "screen");
    expect(browser_number("document.querySelector('nav').offsetHeight"), 0, "the list's height");
    browser_click("'#menu'");
    expect(browser_number("Number(document.querySelector('nav').offsetHeight > 0)"), 1,
           "the list when asked for");
    check_width(400, "screen");
    browser_click("'#menu'");
    expect_some(".event text .kind", "text of an event");
    expect(browser_number("Number(document.querySelector('figure svg').clientWidth <= 400)"), 1,
           "a timeline within the window");
}

/* ---- pictures ---- */

static void take(const char *page, const char *kind)
{
    char path[4200];
    const char *slash = strrchr(page, '/');
    snprintf(path, sizeof path, "%s/%s.%s.png", pictures, slash ? slash + 1 : page, kind);
    json_decref(browser_command("Page.bringToFront", NULL));
    browser_screenshot(path, 1);
}

static void take_pictures(const char *page)
{
    static const struct {
        const char *kind, *media, *scheme;
        int width;
    } kinds[] = {{"light", "screen", "light", 1280},
                 {"dark", "screen", "dark", 1280},
                 {"print", "print", "light", 800},
                 {"narrow", "screen", "light", 400}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        browser_emulate(kinds[i].media, kinds[i].scheme);
        browser_resize(kinds[i].width, 800);
        take(page, kinds[i].kind);
    }
    browser_emulate("screen", "light");
    browser_resize(1280, 800);
}

static void check_page(const char *page, double events)
{
    browser_resize(1280, 800);
    browser_open(page);
    check_load();
    double n = count();
    check_charts();
    check_keys(n);
    check_mouse(n);
    check_why();
    check_order();
    check_state();
    check_newest();
    check_play();
    check_list();
    check_units();
    check_size();
    check_narrow();
    check_width(700, "print");
    check_width(1280, "screen");
    take_pictures(page);
    check_permalink(page);
    check_folds(events);
    check_graphs();
    check_causes();
    expect(browser_complaints, 0, "complaints");
}

static void check_all_seen(void)
{
    if (!seen.lies || !seen.buffers || !seen.locks || !seen.loops || !seen.lists || !seen.newest ||
        !seen.graphs || !seen.units || !seen.causes)
        browser_fail("lies on %d pages, buffers on %d, locks on %d, loops on %d, lists on %d, "
                     "newest values on %d, graphs on %d, units on %d, causes on %d: some on none",
                     seen.lies, seen.buffers, seen.locks, seen.loops, seen.lists, seen.newest,
                     seen.graphs, seen.units, seen.causes);
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
    check_all_seen();
    browser_stop();
    return 0;
}
