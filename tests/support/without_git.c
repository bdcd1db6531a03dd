/* without_git.c -- Criterion's libgit2, which only its structured assertions
 * compare texts with and no test here uses, is not begun: it would read every
 * certificate that the system trusts, before each single test. */

int git_libgit2_init(void);
int git_libgit2_shutdown(void);

int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void)
{
    return 0;
}
