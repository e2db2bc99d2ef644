#include "browser.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TO_BROWSER = 3, FROM_BROWSER = 4 };

int browser_complaints, browser_requests;

static struct {
    pid_t process;
    int to, from;
    char *bytes; /* read, and not yet taken */
    size_t n, room;
    int last_id;
    bool loaded;
    char *session;
    const char *page;
} browser;

void browser_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "FAILED: %s: ", browser.page ? browser.page : "browser");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    if (browser.process > 0)
        kill(browser.process, SIGKILL);
    exit(1);
}

/* ---- the process ---- */

static void become_browser(const int to[2], const int from[2], const char *profile)
{
    char directory[4200];
    snprintf(directory, sizeof directory, "--user-data-dir=%s", profile);
    /* First out of the way of 3 and 4, which they may themselves be. */
    int reading = fcntl(to[0], F_DUPFD, 10), writing = fcntl(from[1], F_DUPFD, 10);
    int log = open("browser.log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (reading < 0 || writing < 0 || log < 0)
        _exit(127);
    dup2(reading, TO_BROWSER);
    dup2(writing, FROM_BROWSER);
    dup2(log, STDERR_FILENO);
    /* Tests may run as root in a container, where its sandbox cannot be set up; the page it
       shows is ours. */
    execlp("chromium-headless-shell", "chromium-headless-shell", "--no-sandbox", "--disable-gpu",
           "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
           "--remote-debugging-pipe", directory, (char *)NULL);
    _exit(127);
}

static char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? strdup(text) : NULL;
}

void browser_start(const char *profile)
{
    int to[2], from[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        browser_fail("no pipe");
    browser.process = fork();
    if (browser.process == 0)
        become_browser(to, from, profile);
    close(to[0]);
    close(from[1]);
    browser.to = to[1];
    browser.from = from[0];
    json_t *target =
        browser_command("Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
    char *id = text_at(target, "targetId");
    json_t *attached = browser_command("Target.attachToTarget",
                                       json_pack("{s:s, s:b}", "targetId", id, "flatten", 1));
    browser.session = text_at(attached, "sessionId");
    free(id);
    json_decref(target);
    json_decref(attached);
    static const char *const domains[] = {"Page.enable", "Runtime.enable", "Log.enable",
                                          "Network.enable"};
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++)
        json_decref(browser_command(domains[i], NULL));
}

void browser_stop(void)
{
    close(browser.to); /* which it takes as the end */
    waitpid(browser.process, NULL, 0);
    close(browser.from);
    free(browser.bytes);
    free(browser.session);
}

/* ---- messages ---- */

static void send_message(const json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    size_t size = strlen(text) + 1, sent = 0;
    while (sent < size) {
        ssize_t n = write(browser.to, text + sent, size - sent);
        if (n <= 0)
            browser_fail("the browser has gone; see browser.log, or install it with: make setup");
        sent += (size_t)n;
    }
    free(text);
}

static void read_more(void)
{
    if (browser.n + 65536 > browser.room) {
        char *larger = realloc(browser.bytes, 2 * browser.room + 65536);
        if (!larger)
            browser_fail("no memory");
        browser.bytes = larger;
        browser.room = 2 * browser.room + 65536;
    }
    ssize_t n = read(browser.from, browser.bytes + browser.n, browser.room - browser.n);
    if (n <= 0)
        browser_fail("the browser has gone; see browser.log, or install it with: make setup");
    browser.n += (size_t)n;
}

static json_t *receive(void)
{
    char *end;
    while (!browser.n || !(end = memchr(browser.bytes, 0, browser.n)))
        read_more();
    json_t *message = json_loads(browser.bytes, 0, NULL);
    size_t size = (size_t)(end - browser.bytes) + 1;
    memmove(browser.bytes, end + 1, browser.n - size);
    browser.n -= size;
    if (!message)
        browser_fail("the browser sent no JSON");
    return message;
}

static void note_event(const json_t *message)
{
    static const char *const complaints[] = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled",
                                             "Log.entryAdded"};
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!method)
        return;
    browser.loaded |= strcmp(method, "Page.loadEventFired") == 0;
    browser_requests += strcmp(method, "Network.requestWillBeSent") == 0;
    for (size_t i = 0; i < sizeof complaints / sizeof complaints[0]; i++) {
        if (strcmp(method, complaints[i]) != 0)
            continue;
        browser_complaints++;
        json_dumpf(message, stderr, JSON_COMPACT);
        fputc('\n', stderr);
    }
}

json_t *browser_command(const char *method, json_t *parameters)
{
    int id = ++browser.last_id;
    json_t *message = json_pack("{s:i, s:s, s:o}", "id", id, "method", method, "params",
                                parameters ? parameters : json_object());
    if (browser.session)
        json_object_set_new(message, "sessionId", json_string(browser.session));
    send_message(message);
    json_decref(message);
    for (;;) {
        json_t *answer = receive();
        if (json_integer_value(json_object_get(answer, "id")) == id) {
            json_t *result = json_incref(json_object_get(answer, "result"));
            if (!result)
                browser_fail("%s: %s", method,
                             json_dumps(json_object_get(answer, "error"), JSON_COMPACT));
            json_decref(answer);
            return result;
        }
        note_event(answer);
        json_decref(answer);
    }
}

/* ---- the page ---- */

/* The browser answers before the page has the new size or media. */
static void wait_for_media(const char *query)
{
    char script[256];
    snprintf(script, sizeof script, "Number(matchMedia('%s').matches)", query);
    while (browser_number(script) != 1)
        usleep(10000);
}

void browser_resize(int width, int height)
{
    char query[64];
    json_decref(browser_command("Emulation.setDeviceMetricsOverride",
                                json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height,
                                          "deviceScaleFactor", 1, "mobile", 0)));
    snprintf(query, sizeof query, "(width: %dpx) and (height: %dpx)", width, height);
    wait_for_media(query);
}

void browser_emulate(const char *media, const char *scheme)
{
    char query[64];
    json_decref(browser_command("Emulation.setEmulatedMedia",
                                json_pack("{s:s, s:[{s:s, s:s}]}", "media", media, "features",
                                          "name", "prefers-color-scheme", "value", scheme)));
    snprintf(query, sizeof query, "%s and (prefers-color-scheme: %s)", media, scheme);
    wait_for_media(query);
}

void browser_open(const char *path)
{
    char url[4200];
    snprintf(url, sizeof url, "file://%s", path);
    browser.page = path;
    browser.loaded = false;
    browser_complaints = browser_requests = 0;
    json_decref(browser_command("Page.navigate", json_pack("{s:s}", "url", url)));
    while (!browser.loaded) {
        json_t *message = receive();
        note_event(message);
        json_decref(message);
    }
}

static json_t *evaluate(const char *script)
{
    json_t *answer =
        browser_command("Runtime.evaluate", json_pack("{s:s, s:b, s:b}", "expression", script,
                                                      "returnByValue", 1, "awaitPromise", 1));
    if (json_object_get(answer, "exceptionDetails"))
        browser_fail("an exception: %.2000s", script);
    json_t *value = json_incref(json_object_get(json_object_get(answer, "result"), "value"));
    json_decref(answer);
    return value;
}

double browser_number(const char *script)
{
    json_t *value = evaluate(script);
    if (!json_is_number(value))
        browser_fail("no number: %s", script);
    double number = json_number_value(value);
    json_decref(value);
    return number;
}

char *browser_text(const char *script)
{
    json_t *value = evaluate(script);
    if (!json_is_string(value))
        browser_fail("no text: %s", script);
    char *text = strdup(json_string_value(value));
    json_decref(value);
    return text;
}

void browser_press(const char *key)
{
    static const char *const types[] = {"keyDown", "keyUp"};
    for (int i = 0; i < 2; i++) {
        json_t *parameters = json_pack("{s:s, s:s}", "type", types[i], "key", key);
        if (!key[1] && i == 0)
            json_object_set_new(parameters, "text", json_string(key));
        json_decref(browser_command("Input.dispatchKeyEvent", parameters));
    }
}

static double ask(const char *selector, const char *what)
{
    char script[1024];
    snprintf(
        script, sizeof script,
        "(() => { const node = document.querySelector(%s), box = node.getBoundingClientRect(); "
        "return %s; })()",
        selector, what);
    return browser_number(script);
}

/* What a click hits is what was drawn last, which on a busy machine may be the page before it was
   resized or scrolled: two frames later it is this one. */
static void settle(void)
{
    browser_number("(async () => { for (let i = 0; i < 2; i++) await new "
                   "Promise(requestAnimationFrame); return 0; })()");
}

void browser_click(const char *selector)
{
    static const char *const types[] = {"mousePressed", "mouseReleased"};
    ask(selector, "(node.scrollIntoView({block: 'center', behavior: 'instant'}), 0)");
    settle();
    double x = ask(selector, "box.left + box.width / 2");
    double y = ask(selector, "box.top + box.height / 2");
    for (int i = 0; i < 2; i++)
        json_decref(browser_command("Input.dispatchMouseEvent",
                                    json_pack("{s:s, s:f, s:f, s:s, s:i}", "type", types[i], "x", x,
                                              "y", y, "button", "left", "clickCount", 1)));
}

/* ---- pictures ---- */

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static void write_base64(const char *text, FILE *to)
{
    unsigned bits = 0;
    int n = 0;
    for (; digit_of(*text) >= 0; text++) {
        bits = bits << 6 | (unsigned)digit_of(*text);
        n += 6;
        if (n >= 8)
            fputc((int)(bits >> (n -= 8) & 255), to);
    }
}

void browser_screenshot(const char *path, int whole)
{
    json_t *shot = browser_command("Page.captureScreenshot",
                                   json_pack("{s:b}", "captureBeyondViewport", whole));
    char *text = text_at(shot, "data");
    FILE *file = fopen(path, "w");
    if (!text || !file)
        browser_fail("no screenshot in %s", path);
    write_base64(text, file);
    fclose(file);
    free(text);
    json_decref(shot);
}
