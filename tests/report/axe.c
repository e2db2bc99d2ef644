/*
 * axe PROFILE AXE.JS PAGE...: what axe-core finds on each page, wide and narrow, light and dark,
 * with the list of findings open. Exits 1 if that is anything.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "browser.h"

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        browser_fail("cannot read %s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, size + 16);
    size = fread(text, 1, size, file);
    memcpy(text + size, "\n0", 3);
    fclose(file);
    return text;
}

static int look(const char *page, const char *axe, const char *scheme, int width)
{
    browser_emulate("screen", scheme);
    browser_resize(width, 800);
    browser_open("/dev/null"); /* another part of the same page would not be loaded */
    browser_open(page);
    browser_number("document.body.classList.add('menu-open'), 0");
    browser_number(axe);
    char *found = browser_text(
        "axe.run().then((result) => result.violations.map((rule) => rule.id + ': ' + rule.help + "
        "rule.nodes.slice(0, 3).map((node) => '\\n    ' + node.html.slice(0, 200)).join('')).join("
        "'\\n'))");
    int bad = *found != 0;
    if (bad)
        printf("%s, %s, %d wide:\n%s\n", page, scheme, width, found);
    free(found);
    return bad;
}

int main(int argc, char **argv)
{
    static const char *const schemes[] = {"light", "dark"};
    static const int widths[] = {1280, 400};
    int bad = 0;
    if (argc < 4)
        return fputs("usage: axe PROFILE AXE.JS PAGE...\n", stderr), 2;
    char *axe = read_file(argv[2]);
    browser_start(argv[1]);
    for (int i = 3; i < argc; i++)
        for (int k = 0; k < 4; k++)
            bad |= look(argv[i], axe, schemes[k & 1], widths[k >> 1]);
    browser_stop();
    free(axe);
    return bad;
}
