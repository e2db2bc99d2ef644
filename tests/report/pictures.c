/*
 * pictures PROFILE DIRECTORY PAGE...: a picture of each page in four forms, and what it weighs.
 *
 * PAGE may end in #FINDING/EVENT. Wide and narrow, light and dark; the window first, then the whole
 * page. For people to look at: see bench/page/run.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "browser.h"

static const struct form {
    const char *name, *scheme;
    int width, height;
} forms[] = {{"wide-light", "light", 1280, 800},
             {"wide-dark", "dark", 1280, 800},
             {"narrow-light", "light", 400, 800},
             {"narrow-dark", "dark", 400, 800}};

static char *name_of(const char *page)
{
    const char *slash = strrchr(page, '/');
    char *name = strdup(slash ? slash + 1 : page);
    name[strcspn(name, ".")] = 0;
    return name;
}

static void take(const char *directory, const char *page, const struct form *form)
{
    char path[4200], *name = name_of(page);
    browser_emulate("screen", form->scheme);
    browser_resize(form->width, form->height);
    browser_open("/dev/null"); /* another part of the same page would not be loaded */
    browser_open(page);
    snprintf(path, sizeof path, "%s/%s.%s.png", directory, name, form->name);
    browser_screenshot(path, 0);
    snprintf(path, sizeof path, "%s/%s.%s.whole.png", directory, name, form->name);
    browser_screenshot(path, 1);
    free(name);
}

static double size_of(const char *page)
{
    struct stat file;
    char *path = strdup(page);
    path[strcspn(path, "#")] = 0;
    double size = stat(path, &file) == 0 ? (double)file.st_size : 0;
    free(path);
    return size;
}

static void weigh(const char *page)
{
    char *name = name_of(page);
    browser_resize(1280, 800);
    browser_open(page);
    double paint = browser_number(
        "new Promise((done) => new PerformanceObserver((list) => list.getEntriesByName("
        "'first-contentful-paint').forEach((entry) => done(entry.startTime))).observe({type: "
        "'paint', buffered: true}))");
    printf("%-12s %9.0f KB  first paint %5.0f ms  %5.0f elements  %d complaints\n", name,
           size_of(page) / 1024, paint, browser_number("document.querySelectorAll('*').length"),
           browser_complaints);
    free(name);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return fputs("usage: pictures PROFILE DIRECTORY PAGE...\n", stderr), 2;
    mkdir(argv[2], 0777);
    browser_start(argv[1]);
    for (int i = 3; i < argc; i++) {
        weigh(argv[i]);
        for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
            take(argv[2], argv[i], &forms[k]);
    }
    browser_stop();
    return 0;
}
