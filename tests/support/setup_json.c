#include "setup_json.h"

#include "core/base.h"
#include "protocol/game_json.h"

json_t *setup_json(const struct play_setup *setup)
{
    const struct rules_setup *s = &setup->setup;
    const struct rules_option *option = setup->rules->options;
    char why[JSON_EXPECTED_MAX];
    struct json_out o;

    json_out_init(&o);
    json_options(&o, NULL, setup->rules, setup->options);
    json_t *options = json_parse(json_out_text(&o), o.len, why);
    json_out_done(&o);
    ASSERT(options != NULL);
    for (int i = 0; option[i].name != NULL; i++)
        if (setup->options[i] == RULES_NONE)
            json_object_del(options, option[i].name);
    json_t *params = json_pack("{s:s,s:i,s:o}", "game", setup->rules->name,
                               "seats", s->seats, "options", options);
    /* Numbers of a game's own are the server's; nobody asks for them. */
    if (!rules_has_boards(setup->rules))
        ASSERT(s->asset == NULL || s->asset_name != NULL);
    else if (s->asset_name != NULL)
        json_object_set_new(params, "board",
                            json_pack("{s:s}", "builtin", s->asset_name));
    else if (s->asset != NULL)
        json_object_set_new(params, "board",
                            json_pack("{s:s%}",
                                      setup->rules->asset_kind->format,
                                      s->asset, s->asset_len));
    ASSERT(params != NULL);
    return params;
}
