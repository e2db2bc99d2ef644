/*
 * check_xml FILE: is it well-formed, as far as a report of ours uses XML? That is elements,
 * attributes in double quotes, character references; no comments, CDATA or entities by name.
 * Says the byte where it is not; exits 1.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, DEEPEST = 16 };

static char text[MOST_BYTES];
static const char *at = text;
static char open_names[DEEPEST][32];
static int depth;

static void need(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "byte %ld: %s\n", (long)(at - text), what);
    exit(1);
}

static void skip_blanks(void)
{
    while (isspace((unsigned char)*at))
        at++;
}

static void take_name(char *name)
{
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
    need(length > 0 && length < 32, "no name");
    memcpy(name, at, length);
    name[length] = 0;
    at += length;
}

/* Characters up to `end`, which is left. */
static void skip_text(char end)
{
    for (; *at && *at != end; at++) {
        need(*at != '<', "a < that opens no element");
        need((unsigned char)*at >= 0x20 || strchr("\n\r\t", *at), "a control character");
        if (*at != '&')
            continue;
        size_t digits = strspn(at + 2, "0123456789");
        need(at[1] == '#' && digits && at[2 + digits] == ';', "no character reference");
        at += 2 + digits;
    }
}

static void take_attributes(void)
{
    char name[32];
    for (skip_blanks(); *at != '>' && *at != '/' && *at != '?'; skip_blanks()) {
        take_name(name);
        need(at[0] == '=' && at[1] == '"', "an attribute without a value");
        at += 2;
        skip_text('"');
        need(*at == '"', "a value that does not end");
        at++;
    }
}

static void close_element(void)
{
    char name[32];
    at += 2;
    take_name(name);
    need(depth > 0 && strcmp(open_names[depth - 1], name) == 0, "closes what is not open");
    depth--;
    need(*at++ == '>', "no end of a closing tag");
}

static void open_element(void)
{
    at++;
    need(depth < DEEPEST, "too deep");
    take_name(open_names[depth++]);
    take_attributes();
    if (*at == '/') {
        depth--;
        at++;
    }
    need(*at++ == '>', "no end of a tag");
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return fputs("usage: check_xml FILE\n", stderr), 1;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    need(strncmp(at, "<?xml", 5) == 0, "no declaration");
    at += 5;
    take_attributes();
    need(strncmp(at, "?>", 2) == 0, "the declaration does not end");
    at += 2;
    skip_blanks();
    do {
        need(*at == '<', "the root element does not end");
        if (at[1] == '/')
            close_element();
        else
            open_element();
        if (depth)
            skip_text('<');
    } while (depth);
    skip_blanks();
    need(!*at, "something behind the root element");
    return 0;
}
