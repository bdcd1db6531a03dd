/* online_orders.c -- what one has ordered at a table on a server: kept, asked for,
 * and told of when it was played.
 *
 * The server says that an order was played, or is another, and not which: what was
 * played stands in the log. */

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "online.h"
#include "orders.h"

static void say(const struct online *o, bool bad, const char *text)
{
    if (o->owner.said != NULL)
        o->owner.said(o->owner.context, (struct online *)o, bad, text);
}

static void changed(struct online *o)
{
    if (o->owner.changed != NULL)
        o->owner.changed(o->owner.context, o, o->table.event_count);
}

/* The last move of one's own among PLIES, or NULL. */
static const json_t *last_own(const struct online *o, const json_t *plies)
{
    const json_t *own = NULL;

    for (size_t i = 0; i < json_array_size(plies); i++) {
        const json_t *ply = json_array_get(plies, i),
                     *seat = json_object_get(ply, "seat");
        if (strcmp(member_text(ply, "kind", ""), "move") == 0 &&
            json_is_integer(seat) && json_integer_value(seat) == o->you)
            own = ply;
    }
    return own;
}

/* Says what came of what stood before, by what has happened since. */
static void on_since(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct online *o = context;
    const json_t *own = last_own(o, json_object_get(result, "plies"));
    const json_t *wanted = json_object_get(o->ordered, "move");
    const json_t *move = json_object_get(own, "move");
    char words[ORDER_TEXT_MAX], text[ORDER_TEXT_MAX + 80];

    o->busy--;
    if (error == NULL && own != NULL)
        o->order_ply = member_number(own, "ply");
    if (error == NULL && own != NULL && wanted == NULL) {
        say(o, false, _("You have passed, as you wanted."));
    } else if (error == NULL && own != NULL && json_equal(move, wanted)) {
        order_move(&o->table, move, words, sizeof(words));
        (void)snprintf(text, sizeof(text), _("Played for you: %s."), words);
        say(o, false, text);
    } else if (o->order == NULL) {
        say(o, false,
            wanted != NULL ? _("What you ordered was not played: something "
                               "else came first.")
                           : _("You do not pass by yourself any more."));
    }
    changed(o);
}

void online_order_take(struct online *o, const json_t *order)
{
    json_t *was = o->order;
    bool known = o->order_known;

    o->order = json_is_object(order) ? json_deep_copy(order) : NULL;
    o->order_known = true;
    if (!known || was == NULL)
        o->order_ply = member_number(o->order, "after");
    if (!known || was == NULL ||
        (o->order != NULL &&
         member_number(was, "after") != member_number(o->order, "after"))) {
        json_decref(was);
        return;
    }
    json_decref(o->ordered);
    o->ordered = was;
    o->busy++;
    link_call(o->link, "table.replay",
              json_pack("{ss sI}", "table", o->id, "from", o->order_ply + 1),
              on_since, o);
}

static void on_news(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct online *o = context;

    o->busy--;
    if (error == NULL)
        online_order_take(o, json_object_get(json_object_get(result, "table"),
                                             "order"));
    changed(o);
}

void online_order_news(struct online *o)
{
    if (o->ordering > 0) {
        o->order_news = true; /* that may be what it is about */
        return;
    }
    o->busy++;
    link_call(o->link, "table.get", json_pack("{ss}", "table", o->id), on_news,
              o);
}

static void on_ordered(void *context, const json_t *result,
                       const struct link_error *error)
{
    struct online *o = context;
    char text[ORDER_TEXT_MAX];
    bool news = o->order_news;

    o->busy--;
    o->ordering--;
    o->order_news = false;
    if (error != NULL) {
        say(o, true, error->text);
    } else {
        json_decref(o->order);
        o->order = json_deep_copy(json_object_get(result, "order"));
        o->order_ply = member_number(o->order, "after");
        order_text(&o->table, o->order, text, sizeof(text));
        say(o, false, text);
    }
    if (news)
        online_order_news(o);
    changed(o);
}

void online_order(struct online *o, json_t *order)
{
    o->busy++;
    o->ordering++;
    link_call(o->link, "table.order",
              json_pack("{ss so}", "table", o->id, "order", order), on_ordered,
              o);
}
