#include "delivery.h"

#include "transaction.h"

static void copy_item(struct region *r, struct delivery_item *item)
{
    const char **names = region_take(r,
                                     (item->name_count + 1) * sizeof(*names));

    for (size_t i = 0; i < item->name_count; i++)
        names[i] = region_copy(r, item->names[i]);
    item->names = names;
    item->game = region_copy(r, item->game);
    item->by = region_copy(r, item->by);
}

struct delivery delivery_copy(struct region *r, const struct delivery *from)
{
    struct delivery d = *from;
    const char **const texts[] = {&d.target,      &d.secret,  &d.push_secret,
                                  &d.language,    &d.zone,    &d.account,
                                  &d.server,      &d.url,     &d.link,
                                  &d.refuse_link, &d.address, &d.unsubscribe,
                                  &d.challenge};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = region_copy(r, *texts[i]);
    struct delivery_item *items = region_take(r, (d.item_count + 1) *
                                                     sizeof(*items));
    for (size_t i = 0; i < d.item_count; i++) {
        items[i] = from->items[i];
        copy_item(r, &items[i]);
    }
    d.items = items;
    return d;
}
