#include "bot_answer.h"

#include "core/base.h"
#include "protocol/game_json.h"

json_t *bot_answer(const json_t *question, enum mind_level level)
{
    static struct mind_room room;
    static union rules_any any;
    const json_t *shown = json_object_get(question, "view");
    const struct rules *r = rules_find(
        json_string_value(json_object_get(shown, "game")));
    struct json_refusal why;
    struct rules_move chosen;
    struct json_out o;
    struct mind mind = mind_of(r, level);

    int read = json_state_read(r, shown, &any.state, &why);
    ASSERT(read == RULES_OK);
    ASSERT(any.state.viewer ==
           json_integer_value(json_object_get(question, "seat")));
    json_t *params = json_pack("{s:O,s:O,s:O}", "table",
                               json_object_get(question, "table"), "seat",
                               json_object_get(question, "seat"), "decision",
                               json_object_get(question, "decision"));
    if (!mind_choose(&mind, &any.state, &room, &chosen))
        return params;
    json_out_init(&o);
    json_move(&o, NULL, r, &any.state, &chosen);
    json_object_set_new(params, "move",
                        json_loads(json_out_text(&o), 0, NULL));
    json_out_done(&o);
    return params;
}
