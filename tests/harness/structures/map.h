/* A small map from names to numbers. */
struct map;
struct map *map_open(void);
void map_close(struct map *map);
int map_set(struct map *map, const char *name, int value); /* 0, or -1: no room */
int map_get(struct map *map, const char *name);            /* -1: none */
int map_remove(struct map *map, const char *name);         /* the value, or -1: none */
