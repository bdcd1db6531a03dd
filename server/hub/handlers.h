/* handlers.h -- who handles which method. */

#ifndef SERVER_HUB_HANDLERS_H
#define SERVER_HUB_HANDLERS_H

#include "request.h"

extern const handler account_handlers[METHODS];
extern const handler session_handlers[METHODS];
extern const handler link_handlers[METHODS];
extern const handler token_handlers[METHODS];
extern const table_handler watch_handlers[METHODS];
extern const handler create_handlers[METHODS];
extern const table_handler lobby_table_handlers[METHODS];
extern const handler list_handlers[METHODS];
extern const table_handler list_table_handlers[METHODS];
extern const table_handler play_handlers[METHODS];
extern const table_handler replay_handlers[METHODS];
extern const table_handler talk_handlers[METHODS];
extern const handler info_handlers[METHODS];
extern const handler notice_handlers[METHODS];
extern const handler admin_handlers[METHODS];
extern const handler admin_table_list_handlers[METHODS];
extern const table_handler admin_table_handlers[METHODS];
extern const handler admin_user_handlers[METHODS];
extern const handler admin_one_user_handlers[METHODS];
extern const handler admin_record_handlers[METHODS];
extern const table_handler admin_record_table_handlers[METHODS];

#endif
