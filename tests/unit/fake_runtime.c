/* Stands for libstalemate_rt.so where only its name counts: see fake_target.c. */
int sm_fake_runtime(void);
int sm_fake_runtime(void)
{
    return 0;
}
