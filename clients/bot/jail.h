/* jail.h -- what sobremesa-bot gives away before it reads anything. */

#ifndef BOT_JAIL_H
#define BOT_JAIL_H

#include <stdbool.h>

/* From now on nothing can be opened, started, written to a file or traced, there
 * is little memory, and whoever else wants the processor has it first; and the
 * process ends with its parent.  What is open stays open.  False, with errno, if
 * the system does not want that. */
bool jail_close(void);

#endif
