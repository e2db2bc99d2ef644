/* A number, which others see late: not before its writer's next call. */
void lazy_reset(void);
void lazy_write(int value);
int lazy_read(void);
