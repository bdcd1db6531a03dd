#include "refusal.h"

#include <stdio.h>
#include <string.h>

#include "sbuf_printf.h"

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static const char *as_it_is(const char *english)
{
    return english;
}

static void say_expected(struct sbuf *s, refusal_say *say, const char *path,
                         const char *expected)
{
    if (path != NULL && path[0] != '\0')
        sbuf_printf(s, say("%s: expected %s"), path, expected);
    else
        sbuf_printf(s, s->len > 0 ? say("Expected %s") : say("expected %s"),
                    expected);
}

/* Why something cannot be voted on, or NULL. */
static const char *not_votable(const char *why, refusal_say *say)
{
#define IS(word) (strcmp(why, word) == 0)
    return IS("nothing")
               ? say("There is nothing there to take back or to end.")
           : IS("revealed") ? say("Something hidden was shown since: it "
                                  "cannot be taken back.")
           : IS("fixed")    ? say("A missed turn, or somebody else in a seat, "
                                     "cannot be taken back.")
           : IS("own")      ? say("That is your own seat.")
           : IS("not_missed")  ? say("They have not missed a turn.")
           : IS("offered")     ? say("The seat is offered already.")
           : IS("substitutes") ? say("Three had that seat already.")
           : IS("rated") ? say("Of two in a rated game nobody replaces the "
                               "other while they may still play.")
           : IS("two")   ? say("Of two you can give the other time yourself.")
                         : NULL;
#undef IS
}

const char *refusal_text(const json_t *error, refusal_say *say, char *buf,
                         size_t cap)
{
    const json_t *data = json_object_get(error, "data");
    const char *message = text_of(error, "message");
    const char *sentence = text_of(data, "sentence");
    const char *expected = text_of(data, "expected");
    const char *path = text_of(data, "path");
    const char *reason = text_of(data, "reason"), *why = text_of(data, "why");
    json_int_t line = json_integer_value(json_object_get(data, "line"));
    json_int_t wait = json_integer_value(
        json_object_get(data, "retry_after_ms"));
    struct sbuf s = sbuf_in(buf, cap);

    const char *votes = NULL;

    say = say != NULL ? say : as_it_is;
    if (reason != NULL && strcmp(reason, "not_votable") == 0 && why != NULL)
        votes = not_votable(why, say);
    if (sentence != NULL && line > 0)
        sbuf_printf(&s, say("Line %lld: "), (long long)line);
    sbuf_puts(&s, votes != NULL      ? votes
                  : sentence != NULL ? say(sentence)
                  : message != NULL  ? say(message)
                                     : say("The server refuses."));
    if (expected != NULL) {
        sbuf_puts(&s, " ");
        say_expected(&s, say, path, expected);
        sbuf_puts(&s, ".");
    }
    if (wait > 0)
        sbuf_printf(&s, say(" Try again in %lld s."),
                    (long long)(wait + 999) / 1000);
    return buf;
}

const char *refusal_read_text(const char *within,
                              const struct json_refusal *why, char *buf,
                              size_t cap)
{
    char path[JSON_PATH_MAX + 16];
    struct sbuf s = sbuf_in(buf, cap);

    (void)snprintf(path, sizeof(path), "%s%s", within, why->path);
    if (why->sentence != NULL)
        sbuf_printf(&s, "%s: %s", path, why->sentence);
    else
        say_expected(&s, as_it_is, path, why->expected);
    return buf;
}
