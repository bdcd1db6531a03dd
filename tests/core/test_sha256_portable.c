/* test_sha256_portable.c -- so is the one for processors that have no instructions
 * for it, which is used by few that test. */

#define SHA256_PORTABLE
#include "../../core/sha256.c"

#include "test_sha256.c"
