/* Nothing here can be called without knowing more. */
struct bus;
struct bus *bus_create(void);
void bus_destroy(struct bus *bus);
void bus_subscribe(struct bus *bus, void (*call)(int event));
void bus_log(struct bus *bus, const char *format, ...);
void bus_connect(struct bus *bus, struct bus *other);
void bus_name(struct bus *bus, char *name);
