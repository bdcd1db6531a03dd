/* help.c -- what there is: the list of all commands, the usage of one, and the
 * command that somebody may have meant. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/edit_distance.h"

/* ---- names and usage ---------------------------------------------------- */

const char *command_name(const struct command *command, char text[NAME_SIZE])
{
    (void)snprintf(text, NAME_SIZE, "%s%s%s",
                   command->group != NULL ? command->group : "",
                   command->group != NULL ? " " : "", command->name);
    return text;
}

static void print_option(FILE *to, const struct field *f)
{
    if (field_is_flag(f))
        (void)fprintf(to, " [--%s]", f->option);
    else
        (void)fprintf(to, " [--%s %s]", f->option, f->value);
}

char *command_usage(const struct command *command)
{
    char *text = NULL, name[NAME_SIZE];
    const struct field *f;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    ASSERT(to != NULL);
    (void)fputs(command_name(command, name), to);
    for (f = command->fields; f->name != NULL; f++)
        if (f->option != NULL)
            print_option(to, f);
    if (command->question != NULL)
        (void)fputs(" [--yes]", to);
    for (size_t n = 0; (f = argument(command, n)) != NULL; n++)
        (void)fprintf(to, f->optional ? " [%s%s]" : " %s%s", f->value,
                      f->kind == FIELD_TEXTS ? "..." : "");
    (void)fclose(to);
    ASSERT(text != NULL);
    return text;
}

static void print_line(FILE *to, const struct command *command)
{
    char name[NAME_SIZE];
    (void)fprintf(to, "  %-16s  %s\n", command_name(command, name),
                  command->text);
}

char *command_list(void)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    ASSERT(to != NULL);
    (void)fputs("Sobremesa: looks after a running server.\v", to);
    for (size_t i = 0; i < command_count; i++) {
        if (commands[i].chapter != NULL)
            (void)fprintf(to, "%s%s:\n", i > 0 ? "\n" : "",
                          commands[i].chapter);
        print_line(to, &commands[i]);
    }
    (void)fputs("\nCOMMAND --help tells more of each.  Exit status: 0 done, "
                "1 refused, failed or a record is wrong, 64 wrong usage.",
                to);
    (void)fclose(to);
    ASSERT(text != NULL);
    return text;
}

bool command_is_group(const char *word)
{
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].group != NULL && strcmp(commands[i].group, word) == 0)
            return true;
    return false;
}

void group_print(FILE *to, const char *group)
{
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].group != NULL && strcmp(commands[i].group, group) == 0)
            print_line(to, &commands[i]);
    (void)fputs("COMMAND --help tells more of each.\n", to);
}

/* ---- what was meant ----------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How far WORD, or WORD and NEXT, is from COMMAND: the words may be in the
 * wrong order, or the first be missing. */
static size_t farness(const struct command *command, const char *word,
                      const char *next)
{
    char name[NAME_SIZE], there[2 * EDIT_WORD_MAX], back[2 * EDIT_WORD_MAX];

    if (command->group == NULL)
        return edit_distance(word, command->name);
    size_t alone = strcmp(word, command->name) == 0 ? 1 : EDIT_WORD_MAX;
    if (next == NULL)
        return alone;
    (void)snprintf(there, sizeof(there), "%s %s", word, next);
    (void)snprintf(back, sizeof(back), "%s %s", next, word);
    (void)command_name(command, name);
    return least(alone,
                 least(edit_distance(there, name), edit_distance(back, name)));
}

/* Says which commands are nearest to WORD NEXT; false if none is near. */
static bool suggest(const char *word, const char *next)
{
    size_t near = strlen(word) > 3 ? 2 : 1, count = 0;
    char name[NAME_SIZE];

    for (size_t i = 0; i < command_count; i++)
        near = least(near, farness(&commands[i], word, next));
    for (size_t i = 0; i < command_count; i++) {
        if (farness(&commands[i], word, next) != near)
            continue;
        (void)fprintf(stderr, "%s '%s'",
                      count++ == 0 ? "; did you mean" : " or",
                      command_name(&commands[i], name));
    }
    return count > 0;
}

static const struct command *exactly(const char *word, const char *next)
{
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &commands[i];
        if (c->group == NULL ? strcmp(c->name, word) == 0
                             : strcmp(c->group, word) == 0 && next != NULL &&
                                   strcmp(c->name, next) == 0)
            return c;
    }
    return NULL;
}

const struct command *command_find(const char *word, const char *next)
{
    const struct command *command = exactly(word, next);
    bool group = command_is_group(word);

    if (command != NULL)
        return command;
    if (next != NULL && next[0] == '-')
        next = NULL;
    if (group && next == NULL) {
        (void)fprintf(stderr, "sobremesactl: %s: do what? There is\n", word);
        group_print(stderr, word);
        return NULL;
    }
    (void)fprintf(stderr, "sobremesactl: there is no command '%s%s%s'", word,
                  group ? " " : "", group ? next : "");
    bool near = suggest(word, next);
    (void)fputs(near ? "?\n" : "\n", stderr);
    if (group && !near)
        group_print(stderr, word);
    else if (!near)
        (void)fputs("'sobremesactl --help' tells what there is.\n", stderr);
    return NULL;
}

/* ---- commands ----------------------------------------------------------- */

int help_command(struct ctl *c)
{
    const json_t *words = json_object_get(c->given, "words");
    const char *word = json_string_value(json_array_get(words, 0));
    const char *next = json_string_value(json_array_get(words, 1));

    if (word == NULL)
        program_help();
    if (next == NULL && command_is_group(word)) {
        group_print(stdout, word);
        return STATUS_DONE;
    }
    const struct command *command = command_find(word, next);
    if (command == NULL)
        return STATUS_USAGE;
    fields_help(command);
}

static json_t *fields_json(const struct command *command)
{
    json_t *list = json_array();

    ASSERT(list != NULL);
    for (const struct field *f = command->fields; f->name != NULL; f++)
        if (f->kind != FIELD_SECRET)
            (void)json_array_append_new(
                list,
                json_pack("{s:s?,s:s?,s:s?,s:b,s:b}", "option", f->option,
                          "value", f->value, "text", f->text, "optional",
                          (int)(f->optional || f->option != NULL), "many",
                          (int)(f->kind == FIELD_TEXTS)));
    return list;
}

int commands_command(struct ctl *c)
{
    json_t *list = json_array();
    char name[NAME_SIZE];

    ASSERT(list != NULL);
    for (size_t i = 0; i < command_count; i++) {
        const struct command *one = &commands[i];
        char *usage = command_usage(one);
        if (!c->json)
            (void)puts(usage);
        (void)json_array_append_new(
            list,
            json_pack("{s:s,s:s,s:s?,s:s,s:o,s:b}", "name",
                      command_name(one, name), "text", one->text, "help",
                      one->help, "usage", usage, "fields", fields_json(one),
                      "asks", (int)(one->question != NULL)));
        free(usage);
    }
    if (c->json) {
        json_t *whole = json_pack("{s:o}", "commands", list);
        print_json(whole);
        json_decref(whole);
    } else {
        json_decref(list);
    }
    return STATUS_DONE;
}
